"""What is offered and can be set before a game, and what a kind of game comes to."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.games.locomotion.game import GAME
from companion.games.locomotion.play.offering import wish_of
from companion.games.locomotion.rules import Mode
from companion.games.locomotion.settings import own, with_own
from companion.games.settings import Settings
from companion.texts.language import LANGUAGES

MOST_CHOICES = 60


def titles(settings: Settings) -> list[str]:
    return [option.title for option in GAME.options(settings, None)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_is_offered_by_a_name_of_its_own(language: str) -> None:
    offers = GAME.offers(Settings(language), None)
    assert [offer.kind for offer in offers] == ["die", "speed", "solo"]
    assert len({offer.title for offer in offers}) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_goes_through_all_that_can_be_set_and_comes_back(language: str) -> None:
    first = with_own(Settings(language), network="by-lot")
    for line in range(len(titles(first))):
        settings, seen = first, {titles(first)[line]}
        for _ in range(MOST_CHOICES):
            settings = GAME.options(settings, None)[line].settings
            assert 2 <= own(settings).people + len(own(settings).automatic) <= 4 or own(settings).people == 1
            if own(settings) == own(first) or titles(settings)[:line] != titles(first)[:line]:
                break
            seen.add(titles(settings)[line])
        assert own(settings) == own(first), titles(first)[line]
        assert len(seen) >= 2


def test_people_sit_first_and_automatic_players_have_names_of_their_own() -> None:
    settings = with_own(Settings("de", names=("Ann", "Ben")), people=2, automatic=("good", "good"))
    wish = wish_of("speed", settings)
    assert (wish.names, wish.mode) == (("Ann", "Ben", "Lokführer 1", "Lokführer 2"), Mode.SPEED)
    assert wish.agreement.automatic == ("", "", "good", "good")


def test_one_person_who_does_not_play_alone_plays_against_somebody() -> None:
    wish = wish_of("die", with_own(Settings(), people=1))
    assert wish.agreement.automatic == ("", "good")
    assert len(wish_of("solo", with_own(Settings(), people=3)).names) == 1


def test_what_cannot_be_set_is_as_usual() -> None:
    told = {"people": 9, "automatic": ["good", "best"], "colours": 1, "piece": "Q", "network": "moon", "gap": "none"}
    settings = Settings(games={"locomotion": told})
    part = own(settings)
    assert (part.people, part.automatic, part.colours) == (3, ("good",), 2)
    assert (part.piece, part.network, part.gap) == ("T", "as-it-lies", "on_the_dots")
    assert own(Settings(games={"locomotion": {"people": "two"}})) == own(Settings())


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="chess"):
        wish_of("chess", Settings())


def test_the_only_person_is_told_against_whom_and_each_press_changes_that() -> None:
    settings = with_own(Settings(), people=1)
    seen = []
    for _ in range(4):
        line = next(option for option in GAME.options(settings, None) if option.title.startswith("Against"))
        seen.append(line.title)
        settings = line.settings
    assert "Against: nobody" not in seen
    assert all(one != other for one, other in pairwise(seen))
