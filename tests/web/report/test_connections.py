"""The matrix of pairs, the tree that connects the languages, and the runs of pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from isolex.core.choices import Outcome
from isolex.core.history import IterationRecord
from isolex.core.pair import Pair
from isolex.web.report.connections import Node, description, matrix, pair_runs, rounds, trees
from tests.web.explorer.several import four, space_of, verdict
from tests.web.report.several import connected


def shape(node: Node) -> tuple[str, list]:  # type: ignore[type-arg]
    """The names of a tree."""
    return node.name, [shape(child) for child in node.children]


def test_the_matrix_has_every_pair_in_both_orders() -> None:
    space = four()
    rows = matrix(space)
    assert [name for name, _ in rows] == list(space.names)
    for row, (one, cells) in enumerate(rows):
        for column, (other, cell) in enumerate(zip(space.names, cells, strict=True)):
            if row == column:
                assert cell is None
            else:
                assert cell is not None
                assert cell[0] is space.about(one, other)
                assert cell[1].startswith(f"{one} and {other}: {cell[0].verdict.outcome}.")  # type: ignore[union-attr]


def test_a_description_says_everything_that_is_known() -> None:
    pair = Pair(verdict(Outcome.DOUBTFUL), Outcome.FAILED, ("es", "de"), None, 0.391, 29.54)
    assert description("en", "pl", pair) == (
        "en and pl: doubtful. Retrained on a few of its own pairs, it recovers 30% of the rest "
        "(chance: 0%). 39% of frequent words have a mutual best translation. Precision@1 on "
        "validation pairs: 29.5%. Run on their own: failed. Connected through es and de."
    )
    assert description("en", "pl", Pair()) == "en and pl: no verdict."


def test_the_tree_starts_at_the_first_language_and_keeps_the_order_of_reliability() -> None:
    edges = (("c", "d"), ("a", "e"), ("b", "c"), ("a", "c"))
    space = replace(space_of("abcde", {}), tree=edges)
    [root] = trees(space)
    assert shape(root) == ("a", [("e", []), ("c", [("d", []), ("b", [])])])
    assert root.pair is None
    assert root.children[1].children[0].pair is space.about("c", "d")


def test_groups_have_trees_of_their_own_and_unconnected_languages_none() -> None:
    space = connected("abcde", "ad", "be")
    assert [shape(root) for root in trees(space)] == [("a", [("d", [])]), ("b", [("e", [])])]
    assert trees(connected("abc")) == []


def test_an_edge_that_failed_is_not_drawn() -> None:
    space = replace(connected("abc", "ab"), tree=(("a", "b"), ("b", "c")))
    assert [shape(root) for root in trees(space)] == [("a", [("b", [])])]


def test_a_chain_of_languages_is_drawn_to_its_end() -> None:
    names = [f"l{number}" for number in range(20)]
    edges = tuple(pairwise(names))
    [node] = trees(replace(space_of(names, {}, words=20), tree=edges))
    depth = 0
    while node.children:
        [node] = node.children
        depth += 1
    assert (depth, node.name) == (19, "l19")


def test_runs_of_pairs_are_not_mixed() -> None:
    steps = (("en-pl", 0.1), ("en-pl", 0.2), ("en-xx", 0.5), ("all", 0.7), ("all", 0.8))
    history = tuple(
        IterationRecord(number, 1.0, 100, objective, 0.0, None, pair)
        for number, (pair, objective) in enumerate(steps, start=1)
    )
    space = replace(four(), history=history)
    found = [(run.label, run.iterations, run.objective) for run in pair_runs(space)]
    assert found == [
        ("en-pl", 2, 0.2),
        ("en-xx", 1, 0.5),
        ("es-xx", 0, None),
        ("pl-xx", 0, None),
    ]
    assert [record.objective for record in rounds(space)] == [0.7, 0.8]
