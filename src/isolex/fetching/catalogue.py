"""The files that can be downloaded, with their paths and licences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from isolex.errors import UsageError

HOST = "https://dl.fbaipublicfiles.com"
"""The server that publishes fastText and MUSE; a mirror must have the same paths."""

SOURCES = ("wiki", "crawl")
_CODE = re.compile(r"[a-z]{2,}(?:_[a-z]+)*")
_MAX_SUGGESTIONS = 8

# Languages listed at https://fasttext.cc/docs/en/pretrained-vectors.html and crawl-vectors.html.
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
# Languages listed at https://github.com/facebookresearch/MUSE: six in all pairs, others with en.
_MUSE_ALL_PAIRS = ("de", "en", "es", "fr", "it", "pt")
_MUSE_WITH_ENGLISH = """af ar bg bn bs ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt
lv mk ms nl no pl pt ro ru sk sl sq sv ta th tl tr uk vi zh"""

_FASTTEXT_LICENCE = "fastText vectors: CC BY-SA 3.0, cite {} et al. ({})"
_MUSE_LICENCE = (
    "MUSE dictionaries: CC BY-NC 4.0 (non-commercial use only), cite Conneau et al. (2018)"
)


class Kind(Enum):
    """What a file contains."""

    VECTORS = "vectors"
    MODEL = "model"
    PAIRS = "pairs"


@dataclass(frozen=True)
class Remote:
    """A file on the server.

    Attributes:
        path: Path on the host.
        kind: What the file contains.
        licence: One line with the licence and the paper to cite.
        hint: What to do if the server does not have the file.
    """

    path: str
    kind: Kind
    licence: str
    hint: str

    @property
    def name(self) -> str:
        """File name."""
        return self.path.rpartition("/")[2]

    @property
    def collection(self) -> str:
        """Folder in the cache."""
        return "muse" if self.kind == Kind.PAIRS else "fasttext"

    def url(self, mirror: str | None = None) -> str:
        """Return the URL of the file, on a mirror if one is given."""
        return f"{(mirror or HOST).rstrip('/')}/{self.path}"


def fasttext(language: str, source: str = "wiki", *, model: bool = False) -> Remote:
    """Return the fastText vectors of a language.

    Args:
        language: Language code, such as ``en``.
        source: ``wiki`` (Wikipedia, lower-cased like the MUSE dictionaries) or ``crawl`` (Common
            Crawl and Wikipedia, original case, compressed).
        model: Whether to return the binary model with sub-words, which only ``crawl`` has, instead
            of the text file.
    """
    code = _check_code(language.replace("-", "_"), "en")
    if source not in SOURCES:
        raise UsageError(f"unknown source {source!r}; choose from {', '.join(SOURCES)}")
    if source == "wiki":
        if model:
            raise UsageError("--model needs --source crawl; the wiki vectors come without models")
        path = f"fasttext/vectors-wiki/wiki.{code}.vec"
        licence = _FASTTEXT_LICENCE.format("Bojanowski", 2017)
    else:
        path = f"fasttext/vectors-crawl/cc.{code}.300.{'bin' if model else 'vec'}.gz"
        licence = _FASTTEXT_LICENCE.format("Grave", 2018)
    kind = Kind.MODEL if model else Kind.VECTORS
    return Remote(path, kind, licence, _language_hint(code, source))


def muse(pair: str) -> list[Remote]:
    """Return the dictionaries of a pair such as ``en-es``: full, training and test."""
    source, dash, target = pair.lower().partition("-")
    if not dash:
        raise UsageError(f"{pair!r} is not a language pair; write two codes, such as en-es")
    codes = [_check_code(code, "en in en-es") for code in (source, target)]
    stem = f"arrival/dictionaries/{'-'.join(codes)}"
    hint = _pair_hint(*codes)
    return [
        Remote(f"{stem}{part}.txt", Kind.PAIRS, _MUSE_LICENCE, hint)
        for part in ("", ".0-5000", ".5000-6500")
    ]


def _check_code(code: str, example: str) -> str:
    code = code.lower()
    if not _CODE.fullmatch(code):
        raise UsageError(f"{code!r} is not a language code; write a code such as {example}")
    return code


def _language_hint(code: str, source: str) -> str:
    codes = {"wiki": _WIKI.split(), "crawl": _CRAWL.split()}
    other = next(name for name in SOURCES if name != source)
    if code in codes[other] and code not in codes[source]:
        return f"{code} is available with --source {other}"
    return _suggest(code, codes[source])


def _pair_hint(source: str, target: str) -> str:
    known = _MUSE_WITH_ENGLISH.split()
    if "en" not in (source, target) and not {source, target} <= set(_MUSE_ALL_PAIRS):
        pairs = ", ".join(f"{code}-en, en-{code}" for code in (source, target) if code in known)
        return f"try pairs with English: {pairs}" if pairs else "try pairs with English"
    return _suggest(target if source in known else source, known)


def _suggest(code: str, known: list[str]) -> str:
    if code in known:
        return "the file should be there; check --mirror or try again later"
    similar = get_close_matches(code, known, n=_MAX_SUGGESTIONS, cutoff=0.5)
    similar = similar or [other for other in known if other[0] == code[0]][:_MAX_SUGGESTIONS]
    return f"unknown language {code}; similar codes: {', '.join(similar) or 'none'}"
