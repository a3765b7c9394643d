"""Adversarial training: a map that a discriminator cannot tell from the other language."""

from isolex.trainers.adversarial.autoencoder import AutoEncoder
from isolex.trainers.adversarial.conneau2018 import Adversarial

__all__ = ["Adversarial", "AutoEncoder"]
