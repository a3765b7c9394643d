"""Maps that are learned by gradient descent or optimal transport."""
