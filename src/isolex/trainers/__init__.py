"""Maps trained by gradient descent or optimal transport."""
