"""What can be fetched, where it lies and under which licence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from isolex.errors import UsageError

HOST = "https://dl.fbaipublicfiles.com"
"""Where fastText and MUSE are published; a mirror has the same paths."""

SOURCES = ("wiki", "crawl")
_CODE = re.compile(r"[a-z]{2,}(?:_[a-z]+)*")
_LONGEST_LIST = 8

# The languages of https://fasttext.cc/docs/en/pretrained-vectors.html and crawl-vectors.html.
_WIKI = """aa ab ace ady af ak als am an ang ar arc arz as ast av ay az azb ba bar bat_smg bcl be bg
bh bi bjn bm bn bo bpy br bs bug bxr ca cbk_zam cdo ce ceb ch cho chr chy ckb co cr crh cs csb cu cv
cy da de diq dsb dv dz ee el eml en eo es et eu ext fa ff fi fiu_vro fj fo fr frp frr fur fy ga gag
gan gd gl glk gn gom got gu gv ha hak haw he hi hif ho hr hsb ht hu hy hz ia id ie ig ii ik ilo io
is it iu ja jam jbo jv ka kaa kab kbd kg ki kj kk kl km kn ko koi kr krc ks ksh ku kv kw ky la lad
lb lbe lez lg li lij lmo ln lo lrc lt ltg lv mai map_bms mdf mg mh mhr mi min mk ml mn mo mr mrj ms
mt mus mwl my myv mzn na nah nap nds nds_nl ne new ng nl nn no nov nrm nso nv ny oc olo om or os pa
pag pam pap pcd pdc pfl pi pih pl pms pnb pnt ps pt qu rm rmy rn ro roa_rup roa_tara ru rue rw sa
sah sc scn sco sd se sg sh si simple sk sl sm sn so sq sr srn ss st stq su sv sw szl ta tcy te tet
tg th ti tk tl tn to tpi tr ts tt tum tw ty tyv udm ug uk ur uz ve vec vep vi vls vo wa war wo wuu
xal xh xmf yi yo za zea zh zh_classical zh_min_nan zh_yue zu"""
_CRAWL = """af als am an ar arz as ast az azb ba bar bcl be bg bh bn bo bpy br bs ca ce ceb ckb co
cs cv cy da de diq dv el eml en eo es et eu fa fi fr frr fy ga gd gl gom gu gv he hi hif hr hsb ht
hu hy ia id ilo io is it ja jv ka kk km kn ko ku ky la lb li lmo lt lv mai mg mhr min mk ml mn mr
mrj ms mt mwl my myv mzn nah nap nds ne new nl nn no nso oc or os pa pam pfl pl pms pnb ps pt qu rm
ro ru sa sah sc scn sco sd sh si sk sl so sq sr su sv sw ta te tg th tk tl tr tt ug uk ur uz vec vi
vls vo wa war xmf yi yo zea zh"""
# The languages of https://github.com/facebookresearch/MUSE: six in every direction, others with en.
_MUSE_ALL = ("de", "en", "es", "fr", "it", "pt")
_MUSE_ENGLISH = """af ar bg bn bs ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv mk
ms nl no pl pt ro ru sk sl sq sv ta th tl tr uk vi zh"""

_FASTTEXT_LICENCE = "fastText vectors: CC BY-SA 3.0, cite {} et al. ({})"
_MUSE_LICENCE = (
    "MUSE dictionaries: CC BY-NC 4.0, not for commercial use, cite Conneau et al. (2018)"
)


class Kind(Enum):
    """What a file holds."""

    VECTORS = "vectors"
    MODEL = "model"
    PAIRS = "pairs"


@dataclass(frozen=True)
class Remote:
    """A file on the server.

    Attributes:
        path: Where it lies, under the host.
        kind: What it holds.
        licence: A line on its licence and whom to cite.
        hint: What to do where the server has no such file.
    """

    path: str
    kind: Kind
    licence: str
    hint: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.rpartition("/")[2]

    @property
    def collection(self) -> str:
        """A folder of the cache."""
        return "muse" if self.kind == Kind.PAIRS else "fasttext"

    def url(self, mirror: str | None = None) -> str:
        """The address of the file."""
        return f"{(mirror or HOST).rstrip('/')}/{self.path}"


def fasttext(language: str, source: str = "wiki", *, model: bool = False) -> Remote:
    """Vectors of a language by fastText.

    Args:
        language: Its code, such as ``en``.
        source: ``wiki`` (Wikipedia, lower-cased, as MUSE's dictionaries are) or ``crawl``
            (Common Crawl and Wikipedia, case kept, compressed).
        model: The whole model with the parts of words, which only ``crawl`` has, instead of text.
    """
    code = _checked(language.replace("-", "_"), "a language is a code such as en")
    if source not in SOURCES:
        raise UsageError(f"unknown source {source!r}: choose from {', '.join(SOURCES)}")
    if source == "wiki":
        if model:
            raise UsageError("whole models come with --source crawl only")
        name = f"fasttext/vectors-wiki/wiki.{code}.vec"
        licence = _FASTTEXT_LICENCE.format("Bojanowski", 2017)
    else:
        name = f"fasttext/vectors-crawl/cc.{code}.300.{'bin' if model else 'vec'}.gz"
        licence = _FASTTEXT_LICENCE.format("Grave", 2018)
    kind = Kind.MODEL if model else Kind.VECTORS
    return Remote(name, kind, licence, _hint_language(code, source))


def muse(pair: str) -> list[Remote]:
    """The dictionaries of a pair such as ``en-es``: whole, training part and test part."""
    src, dash, trg = pair.lower().partition("-")
    if not dash:
        raise UsageError(f"{pair!r} is no pair of languages: write two codes, such as en-es")
    codes = [_checked(code, "a pair is two codes such as en-es") for code in (src, trg)]
    stem = f"arrival/dictionaries/{'-'.join(codes)}"
    hint = _hint_pair(*codes)
    return [
        Remote(f"{stem}{part}.txt", Kind.PAIRS, _MUSE_LICENCE, hint)
        for part in ("", ".0-5000", ".5000-6500")
    ]


def _checked(code: str, what: str) -> str:
    code = code.lower()
    if not _CODE.fullmatch(code):
        raise UsageError(f"{code!r} is no language code: {what}")
    return code


def _hint_language(code: str, source: str) -> str:
    codes = {"wiki": _WIKI.split(), "crawl": _CRAWL.split()}
    other = next(name for name in SOURCES if name != source)
    if code in codes[other] and code not in codes[source]:
        return f"{code} is there with --source {other}"
    return _near(code, codes[source])


def _hint_pair(src: str, trg: str) -> str:
    known = _MUSE_ENGLISH.split()
    if "en" not in (src, trg) and not {src, trg} <= set(_MUSE_ALL):
        english = [code for code in (src, trg) if code in known]
        pairs = ", ".join(f"{code}-en, en-{code}" for code in english)
        return f"try pairs with English: {pairs}" if pairs else "try pairs with English"
    code = trg if src in known else src
    return _near(code, known)


def _near(code: str, codes: list[str]) -> str:
    if code in codes:
        return "it should be there: check the mirror, or try later"
    near = get_close_matches(code, codes, n=_LONGEST_LIST, cutoff=0.5)
    near = near or [known for known in codes if known[0] == code[0]][:_LONGEST_LIST]
    return f"no language {code} is known there; near ones: {', '.join(near) or 'none'}"
