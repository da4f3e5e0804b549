"""Whole games that nobody planned, in every edition and mode."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from companion.games.loknroll.rules import (
    AnyStep,
    Game,
    Mode,
    State,
    edition_names,
    load_edition,
    set_up,
    with_knobs,
)
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import AutomaticPlayer, GreedyPlayer, RandomPlayer
from vision.cards import standard_deck

NAMES = ("Ann", "Ben", "Cem", "Dan")


class Plan(NamedTuple):
    """A game to be played: the same plan always gives the same game."""

    edition: str
    mode: Mode
    knobs: dict[str, str]
    rails: bool
    players: tuple[type[AutomaticPlayer], ...]
    seed: int

    def dealer(self) -> Dealer:
        edition = with_knobs(load_edition(self.edition), self.knobs)
        start = set_up(edition, standard_deck(edition.deck), self.mode, NAMES[: self.mode.persons], rails=self.rails)
        return Dealer(Game(start), [player() for player in self.players], Random(self.seed))

    def played(self) -> Game:
        dealer = self.dealer()
        for _ in dealer.play():
            pass
        return dealer.game


class Change(NamedTuple):
    """A step of a game, with the states around it."""

    before: State
    step: AnyStep
    after: State


KNOBS = st.fixed_dictionaries(
    {},
    optional={
        "dead_end": st.sampled_from(["free", "warn", "forbid"]),
        "loops": st.sampled_from(["allowed", "forbidden"]),
        "broken_on_pass": st.sampled_from(["true", "false"]),
        "setup_difference_rule": st.sampled_from(["true", "false"]),
        "automaton_starts": st.sampled_from(["true", "false"]),
    },
)


def plans(edition: str, mode: Mode, rails: st.SearchStrategy[bool]) -> st.SearchStrategy[Plan]:
    players = st.tuples(*[st.sampled_from([RandomPlayer, GreedyPlayer])] * mode.persons)
    return st.builds(Plan, st.just(edition), st.just(mode), KNOBS, rails, players, st.integers(0, 2**32 - 1))


def draw_plan(data: st.DataObject, edition: str, mode: str, *, rails: bool | None = None) -> Plan:
    return data.draw(plans(edition, Mode(mode), st.booleans() if rails is None else st.just(rails)))


def changes(game: Game) -> list[Change]:
    return [Change(*around) for around in zip(game.states, game.steps, game.states[1:], strict=False)]


def in_every_edition_and_mode(test: Callable[..., None]) -> Callable[..., None]:
    """A property, for each edition and mode with a share of the examples: together they are games enough."""
    all_of_them = [(name, mode.value) for name in edition_names() for mode in load_edition(name).modes]
    few = settings(max_examples=settings.default.max_examples // 3)
    return pytest.mark.parametrize(("edition", "mode"), all_of_them)(few(test))
