"""What everything holds: embeddings, lexicons, the shared space, and the types of their parts."""
