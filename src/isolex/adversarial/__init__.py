"""Adversarial training: a map that a discriminator cannot tell from the other language."""

from isolex.adversarial.conneau2018 import Adversarial
from isolex.adversarial.micelibarone2016 import AdversarialAutoEncoder
from isolex.adversarial.zhang2017 import AdversarialReconstruction

__all__ = ["Adversarial", "AdversarialAutoEncoder", "AdversarialReconstruction"]
