"""Conversions to and from other libraries, one file per library.

The adapters exchange plain words and matrices; the methods of `Embeddings` call them. Each library
is imported when it is first needed.
"""
