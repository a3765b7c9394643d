"""Adversarial training: a map that a discriminator cannot tell from the other language."""

from isolex.adversarial.autoencoder import AutoEncoder
from isolex.adversarial.conneau2018 import Adversarial

__all__ = ["Adversarial", "AutoEncoder"]
