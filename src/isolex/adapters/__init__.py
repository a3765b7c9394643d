"""Words and vectors to and from other libraries: one file per library.

This layer knows nothing of `Embeddings`, whose methods call it: it takes and gives words and
matrices. Each library is imported when it is first needed.
"""
