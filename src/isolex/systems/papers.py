"""The papers that the systems come from."""

from __future__ import annotations

MIKOLOV_2013 = (
    "Mikolov, Le and Sutskever (2013): Exploiting similarities among languages for machine "
    "translation"
)
FARUQUI_2014 = (
    "Faruqui and Dyer (EACL 2014): Improving vector space word representations using "
    "multilingual correlation"
)
SHIGETO_2015 = (
    "Shigeto, Suzuki, Hara, Shimbo and Matsumoto (ECML 2015): Ridge regression, hubness, and "
    "zero-shot learning"
)
DINU_2015 = (
    "Dinu, Lazaridou and Baroni (ICLR 2015): Improving zero-shot learning by mitigating the "
    "hubness problem"
)
LAZARIDOU_2015 = (
    "Lazaridou, Dinu and Baroni (ACL 2015): Hubness and pollution: delving into cross-space "
    "mapping for zero-shot learning"
)
XING_2015 = (
    "Xing, Wang, Liu and Lin (NAACL 2015): Normalized word embedding and orthogonal transform "
    "for bilingual word translation"
)
ZHANG_2016 = (
    "Zhang, Gaddy, Barzilay and Jaakkola (NAACL 2016): Ten pairs to tag: multilingual POS "
    "tagging via coarse mapping between embeddings"
)
ARTETXE_2016 = (
    "Artetxe, Labaka and Agirre (EMNLP 2016): Learning principled bilingual mappings of word "
    "embeddings while preserving monolingual invariance"
)
ARTETXE_2017 = (
    "Artetxe, Labaka and Agirre (ACL 2017): Learning bilingual word embeddings with (almost) no"
    " bilingual data"
)
SMITH_2017 = (
    "Smith, Turban, Hamblin and Hammerla (ICLR 2017): Offline bilingual word vectors, "
    "orthogonal transformations and the inverted softmax"
)
AAAI_2018 = (
    "Artetxe, Labaka and Agirre (AAAI 2018): Generalizing and improving bilingual word "
    "embedding mappings with a multi-step framework of linear transformations"
)
ACL_2018 = (
    "Artetxe, Labaka and Agirre (ACL 2018): A robust self-learning method for fully "
    "unsupervised cross-lingual mappings of word embeddings"
)
JOULIN_2018 = (
    "Joulin, Bojanowski, Mikolov, Jegou and Grave (EMNLP 2018): Loss in translation: learning "
    "bilingual word mapping with a retrieval criterion"
)
MICELIBARONE_2016 = (
    "Miceli Barone (RepL4NLP 2016): Towards cross-lingual distributed representations without "
    "parallel text trained with adversarial autoencoders"
)
ZHANG_2017 = (
    "Zhang, Liu, Luan and Sun (ACL 2017): Adversarial training for unsupervised bilingual "
    "lexicon induction"
)
ZHANG_2017_EMD = (
    "Zhang, Liu, Luan and Sun (EMNLP 2017): Earth mover's distance minimization for "
    "unsupervised bilingual lexicon induction"
)
CONNEAU_2018 = (
    "Conneau, Lample, Ranzato, Denoyer and Jegou (ICLR 2018): Word translation without parallel"
    " data"
)
GRAVE_2018 = (
    "Grave, Joulin and Berthet (2018): Unsupervised alignment of embeddings with Wasserstein "
    "Procrustes"
)
ALVAREZMELIS_2018 = (
    "Alvarez-Melis and Jaakkola (EMNLP 2018): Gromov-Wasserstein alignment of word embedding spaces"
)
