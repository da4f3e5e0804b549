"""The networks that ship."""

from companion.games.locomotion.networks.named import named_networks
from companion.texts.language import LANGUAGES

NAMED = named_networks()


def test_there_are_some_thirty_of_all_sizes_and_shapes() -> None:
    sizes = [len(named.pieces) for named in NAMED.values()]
    assert len(NAMED) >= 28
    assert sizes == sorted(sizes)
    assert set(sizes) >= {4, 5, 6, 8, 10, 13, 16, 20, 24, 30, 36, 45}
    assert {named.piece for named in NAMED.values()} == {"T", "X", "D"}


def test_the_rules_let_each_pass_and_no_two_are_the_same() -> None:
    seen = set()
    for named in NAMED.values():
        dots = named.network().dots
        left, top = min(x for x, _ in dots), min(y for _, y in dots)
        seen.add((named.piece, frozenset((x - left, y - top) for x, y in dots)))
    assert len(seen) == len(NAMED)


def test_each_has_a_name_of_its_own_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({named.titles[language] for named in NAMED.values()}) == len(NAMED)
