"""Adversarial training: a map whose output a discriminator cannot tell from target vectors."""

from isolex.trainers.adversarial.autoencoder import AutoEncoder
from isolex.trainers.adversarial.conneau2018 import Adversarial

__all__ = ["Adversarial", "AutoEncoder"]
