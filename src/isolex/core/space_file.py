"""The file of a space: safetensors with the words, vectors, maps and means of every language."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from isolex.core.choices import Outcome
from isolex.core.embeddings import Vectors
from isolex.core.file_errors import StrPath, refuse
from isolex.core.files import atomic
from isolex.core.language import Checksums, Language
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import FITTED, STEPS, Normaliser
from isolex.core.pair import Pair
from isolex.core.space import SPACE, Space
from isolex.core.spelling import GRADES, LENGTHS, SpellingFacts
from isolex.core.statistics import Statistics
from isolex.core.tensors import TensorFile, write_tensors
from isolex.core.verdict import Evidence, Verdict
from isolex.core.words import Words
from isolex.errors import InputError, UsageError

FORMAT, VERSION = "isolex-space", 1


def write_space(space: Space, path: StrPath) -> None:
    """Write a space; equal spaces give equal bytes.

    Neighbourhood means that are not known yet are computed, so that later look-ups need no pass
    over all words.
    """
    neighbours = space.retrieval.neighbours
    tensors: dict[str, Any] = {}
    for one, other in permutations(space.names, 2):
        tensors[f"{one}/means/{other}"] = space.direction(one, other).means(neighbours)
    for language in space:
        name, words = language.name, _encoded(language)
        tensors[f"{name}/vectors"] = language.vectors
        tensors[f"{name}/map"] = language.map.matrix
        tensors[f"{name}/words"] = words.data
        tensors[f"{name}/offsets"] = words.offsets
        for position, fitted in enumerate(language.normaliser.fitted):
            tensors[f"{name}/normalise/{position}"] = fitted
    for (one, other), pair in space.pairs.items():
        if pair.maps is not None:
            tensors[f"{one}/pair/{other}"] = pair.maps[0].matrix
            tensors[f"{other}/pair/{one}"] = pair.maps[1].matrix
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "languages": [
            {
                "name": language.name,
                "normalise": list(language.normaliser.steps),
                "checksums": language.checksums._asdict(),
            }
            for language in space
        ],
        "settings": dict(space.settings),
        "objective": space.objective,
        "temperature": space.temperature,
        "verdict": space.verdict and asdict(space.verdict.evidence) if len(space) == 2 else None,
    }
    if len(space) == 2:
        about = space.about(*space.names)
        facts["spelling"] = about.spelling and asdict(about.spelling)
        facts["counted"] = about.counted
    else:
        facts["pairs"] = [_described(names, pair) for names, pair in space.pairs.items()]
        facts["tree"] = [list(names) for names in space.tree]
    with atomic(path) as file:
        write_tensors(file, tensors, {"isolex": json.dumps(facts, sort_keys=True)})


def is_space(path: Path) -> bool:
    """Whether a file is a space, and not something else of the same name."""
    try:
        return f'"{FORMAT}"' in TensorFile(path).metadata.get("isolex", "")
    except (InputError, OSError, ValueError):
        return False


def read_space(path: StrPath) -> Space:
    """Open a space; its vectors are mapped into memory and read only when they are needed."""
    path = Path(path)
    path = path / SPACE if path.is_dir() else path
    if not path.exists():
        raise refuse(path, "no such file; give a folder that `isolex map` wrote")
    try:
        file = TensorFile(path)
        facts = json.loads(file.metadata.get("isolex", "{}"))
        if facts.get("format") != FORMAT:
            raise ValueError("not a space")
        if facts["version"] != VERSION:
            version = f"written by another version of isolex (format {facts['version']})"
            raise refuse(path, f"{version}; run `isolex map` again")
        return _space(file, facts)
    except InputError:
        raise
    except (
        UsageError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        what = "not a space that isolex wrote, or damaged; run `isolex map` again"
        raise refuse(path, what) from error


def _space(file: TensorFile, facts: dict[str, Any]) -> Space:
    languages = tuple(_language(file, about) for about in facts["languages"])
    if len({language.name for language in languages}) < max(2, len(languages)):
        raise ValueError("a space has at least two languages with different names")
    if len({language.vectors.shape[1] for language in languages}) > 1:
        raise ValueError("tensors do not fit together")
    names = tuple(language.name for language in languages)
    if len(names) == 2:
        verdict = facts["verdict"] and Verdict.of(Evidence(**facts["verdict"]))
        pairs = {
            (names[0], names[1]): Pair(
                verdict, spelling=_spelling(facts), counted=facts.get("counted", False)
            )
        }
    else:
        pairs = {tuple(about["languages"]): _pair(file, about) for about in facts.get("pairs", ())}
    tree = tuple((one, other) for one, other in facts.get("tree", ()))
    if not {*pairs, *tree} <= set(combinations(names, 2)):
        raise ValueError("a pair of languages that are not in the space, or not in its order")
    dims = languages[0].vectors.shape[1]
    maps = [one.maps for one in pairs.values() if one.maps is not None]
    if any(
        len(one.matrix) != dims or one.matrix.shape != other.matrix.shape for one, other in maps
    ):
        raise ValueError("tensors do not fit together")
    space = Space(
        languages, facts["settings"], facts["objective"], facts["temperature"], pairs, tree
    )
    neighbours = space.retrieval.neighbours
    for one in languages:
        for other in languages:
            if (key := f"{one.name}/means/{other.name}") in file:
                means = _sized(file.array(key, "F32", 1), (len(one),))
                space.statistics[one.name, other.name] = Statistics(means={neighbours: means})
    return space


def _described(names: tuple[str, str], pair: Pair) -> dict[str, Any]:
    return {
        "languages": list(names),
        "outcome": pair.verdict and pair.verdict.outcome.value,
        "evidence": pair.verdict and asdict(pair.verdict.evidence),
        "alone": pair.alone and pair.alone.value,
        "through": list(pair.through),
        "mutual": pair.mutual,
        "validation": pair.validation,
        "spelling": pair.spelling and asdict(pair.spelling),
        "counted": pair.counted,
    }


def _pair(file: TensorFile, about: dict[str, Any]) -> Pair:
    one, other = about["languages"]
    outcome, alone = about["outcome"], about["alone"]
    maps = None
    if (key := f"{one}/pair/{other}") in file:
        first, second = file.array(key, "F32", 2), file.array(f"{other}/pair/{one}", "F32", 2)
        maps = LinearMap(first), LinearMap(second)
    return Pair(
        outcome and Verdict(Outcome(outcome), Evidence(**about["evidence"])),
        alone and Outcome(alone),
        tuple(about["through"]),
        maps,
        about["mutual"],
        about["validation"],
        _spelling(about),
        about.get("counted", False),
    )


def _spelling(about: dict[str, Any]) -> SpellingFacts | None:
    """What is known about the spelling of two languages, from facts about them or the space."""
    facts = about.get("spelling")
    if facts is None:
        return None
    found = SpellingFacts.of(facts["alike"], facts["ratios"])
    if found.used and [len(row) for row in found.ratios] != [GRADES] * (len(LENGTHS) + 1):
        raise ValueError("evidence of spelling of another shape")
    return found


def _language(file: TensorFile, about: dict[str, Any]) -> Language:
    name, steps = about["name"], tuple(about["normalise"])
    if not set(steps) <= set(STEPS):
        raise ValueError("unknown normalisation")
    words = Words(file.array(f"{name}/words", "U8", 1), file.array(f"{name}/offsets", "I64", 1))
    matrix = file.array(f"{name}/map", "F32", 2)
    fitted = tuple(
        _sized(file.array(f"{name}/normalise/{place}", "F32", 1), (len(matrix) * (step in FITTED),))
        for place, step in enumerate(steps)
    )
    vectors = _sized(file.array(f"{name}/vectors", "F32", 2), (len(words), matrix.shape[1]))
    return Language(
        name,
        words,
        vectors,
        Normaliser(steps, fitted),
        LinearMap(matrix),
        Checksums(**about["checksums"]),
    )


def _sized(array: Vectors, shape: tuple[int, ...]) -> Vectors:
    if array.shape != shape:
        raise ValueError("tensors do not fit together")
    return array


def _encoded(language: Language) -> Words:
    words = language.words
    return words if isinstance(words, Words) else Words.of(words)
