"""Every screen that people can meet: those of the lobby, of aiming, teaching and dice, and those of each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import get_args

from msgspec.structs import replace

from companion.device.between_games.dice_table import FALL_SECONDS, DiceTable
from companion.device.between_games.keeping.parts import KeepingError, Refusal
from companion.device.between_games.load_question import LoadQuestion
from companion.device.between_games.lobby import Lobby
from companion.device.between_games.page_address import address_screen
from companion.device.visitors import BEFORE, Answer, Knock, Trial, knock_screen, trial_screen
from companion.doctor.hints import Hint, every_hint
from companion.games.events import Fault, Pressed, Tick
from companion.games.game import Game
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.teaching.emma_steps import EMMA_HINTS, EmmaShown, EmmaWanted, drawn_emma
from companion.teaching.lesson import CardFacts, Photographed
from companion.teaching.steps import (
    HINTS,
    LEAST_CARDS,
    Anew,
    Counting,
    Doubtful,
    Finished,
    GoOn,
    Learning,
    Offered,
    Step,
    Twin,
    Waiting,
    WhichRails,
    WhichValue,
    twin_choices,
)
from companion.teaching.taught_deck import CardDoubt, Reason, TaughtDeck
from companion.teaching.told import Told
from companion.texts.language import Texts
from hardware.buttons import Button
from vision.cards import Deck, Edge, Face, Kind, Port

Shots = Iterator[tuple[str, Screen]]


def all_screens(language: str, games: Sequence[Game]) -> list[tuple[str, Screen]]:
    """Every screen in a language with a name of its own; no screen is there twice."""
    settings = Settings(language=language)
    shots: dict[str, Screen] = {}
    for shown in (
        _lobby(settings, games),
        _load_question(settings),
        _aiming(settings),
        _teaching(settings, games),
        _dice_box(settings),
        _visitors(settings),
        *(game.gallery(language) for game in games),
    ):
        for name, screen in shown:
            if screen not in shots.values():
                shots[name] = screen
    return list(shots.items())


def _visitors(settings: Settings) -> Shots:
    """Where the page is found, and somebody on it wants to do more than watch."""
    knock = Knock("", "192.168.178.123", "804172", 0.0)
    say = Texts(settings.language)
    yield "visitor-digits", knock_screen(say, knock)
    yield "page-address", address_screen(say, ["companion.local:8055", "192.168.178.123:8055"])
    yield "page-without-network", address_screen(say, [])
    asks = knock._replace(answer=Answer.PEOPLE)
    yield "visitor-asks", knock_screen(say, asks)
    yield "visitor-version", knock_screen(say, asks._replace(version="0.12.3"))
    yield "visitor-version-before", knock_screen(say, asks._replace(version=BEFORE))
    yield "trial", trial_screen(say, Trial(0.0, frozenset({Button.PASS})))
    yield "trial-ends", trial_screen(say, Trial(0.0, frozenset(Button)))


def _lobby(settings: Settings, games: Sequence[Game]) -> Shots:
    """The list of games, names, and what can go wrong there."""
    shown = Lobby(settings, games, can_resume=True, can_aim=True, can_teach=True, has_page=True, has_own_deck=True)
    for game in games:
        while shown.screen().chosen:
            shown.handle(Pressed(Button.UP))
        for entry in shown.entries:
            yield f"lobby-{game.name}-{entry}", shown.screen()
            shown.handle(Pressed(Button.DOWN))
        shown.handle(Pressed(Button.PASS))
    for game in games:
        yield from _options(settings, game)
    named = _at("names", Lobby(replace(settings, names=("Anna", "Ben")), games))
    named.handle(Pressed(Button.ROLL))
    yield "names", named.screen()
    named.handle(Pressed(Button.ROLL))
    yield "name", named.screen()
    named.handle(Pressed(Button.DOWN))
    yield "name-letter", named.screen()
    for _ in range(5):
        named.handle(Pressed(Button.BACK))
    yield "name-empty", named.screen()
    printed = Lobby(replace(settings, own_deck=False), games, has_own_deck=True)
    yield "lobby-deck-printed", _at("deck", printed).screen()
    shown.handle(Fault("buttons", "up"))
    yield "lobby-fault", shown.screen()
    for trouble in ("record", "program", "read-only", "left"):
        yield f"lobby-{trouble}", Lobby(settings, games, trouble=trouble).screen()


def _load_question(settings: Settings) -> Shots:
    """What is asked on a fresh memory card, and what can come of the answer."""
    for day in ("2026-11-30", ""):
        yield f"load-saved-on-{day or 'any-day'}", LoadQuestion(settings, day, lambda: None).screen()
    for reason in get_args(Refusal):
        question = LoadQuestion(settings, "", partial(_refuse, reason))
        question.handle(Pressed(Button.ROLL))
        loading = question.screen()
        yield "load-loading", loading
        while question.screen() == loading:
            question.handle(Tick(0.0))
        yield f"load-refused-{reason}", question.screen()


def _refuse(reason: Refusal) -> None:
    raise KeepingError(reason)


def _options(settings: Settings, game: Game) -> Shots:
    """Each of a game's own lines, as it goes round."""
    for number, option in enumerate(game.options(settings, None)):
        seen: set[str] = set()
        while option.title not in seen:
            seen.add(option.title)
            at = _at(f"{game.name}-{number + 1}", Lobby(settings, [game]))
            yield f"lobby-{game.name}-{number + 1}-{len(seen)}", at.screen()
            settings = option.settings
            option = game.options(settings, None)[number]  # noqa: PLW2901 - the same line, gone on


def _at(entry: str, lobby: Lobby) -> Lobby:
    for _ in range(lobby.entries.index(entry)):
        lobby.handle(Pressed(Button.DOWN))
    return lobby


def _aiming(settings: Settings) -> Shots:
    """All that is told while the camera is aimed."""
    say = Texts(settings.language)
    for hint in every_hint():
        yield f"aiming-{hint.key}", hint.screen(say)
    yield "aiming-no-camera", Hint("looking").screen(say, say("aiming.no-camera"))


def _teaching(settings: Settings, games: Sequence[Game]) -> Shots:
    """Each step of teaching, and what can go wrong there."""
    import numpy as np

    from vision.deck_pictures import EmmaPicture
    from vision.teaching.lone_card import LoneCard

    say = Texts(settings.language)
    left, straight = (Port(Edge.S), Port(Edge.W)), (Port(Edge.S), Port(Edge.N))
    aside = (Port(Edge.S, 10), Port(Edge.N, -10))
    cards = [CardFacts(3, Kind.TRACK, left), CardFacts(1, Kind.CHAOS), *[CardFacts(2, Kind.TRACK, aside)] * LEAST_CARDS]
    told = Told(say, cards)
    new = Photographed(b"", LoneCard(np.zeros((4, 2)), 0.0), np.zeros((1, 1, 3), np.uint8))
    broken = CardFacts(4, Kind.BROKEN, left)
    faces = tuple(Face(str(at), one.value, one.kind, 2, one.ports) for at, one in enumerate((*cards, broken)))
    sizes = {size for game in games for size in game.deck_sizes}
    taught = TaughtDeck(Deck("own", faces), {}, ())
    rails = CardDoubt(0, Reason.RAILS, edges=(Edge.N, Edge.E))
    doubts = (CardDoubt(0, Reason.LOST), rails, CardDoubt(0, Reason.ALIKE, 2), CardDoubt(0, Reason.EXCHANGED, 2))
    colours = np.zeros((100, 56, 3), np.uint8)
    colours[8:92, 8:48], colours[60:88, 12:44], colours[18:30, 20:36] = 60, 160, 230
    emma = EmmaPicture(colours, (18.7, 33.3))
    ways = (left, straight, (Port(Edge.W), Port(Edge.E)), aside, (Port(Edge.W), Port(Edge.N)), ())
    steps: dict[str, Step] = {
        "before": GoOn(),
        "anew": Anew(),
        "last": Offered(0, cards[0]),
        **{f"waiting-{hint or 'now'}": Waiting(hint) for hint in ("", *HINTS)},
        "was-taught": Waiting(last=broken),
        "offered": Offered(new, CardFacts(3, Kind.TRACK, straight)),
        "offered-chaos": Offered(new, cards[1]),
        "value": WhichValue(new, CardFacts(1, Kind.TRACK, aside)),
        **{f"rails-{at}": WhichRails(new, cards[0], ways, "seen", at) for at in (0, len(ways) - 1)},
        **{f"twin-{at}": Twin(new, cards[0], 0, twin_choices(cards[0], cards[0]), at) for at in range(4)},
        "emma": EmmaWanted(makes=True),
        **{f"emma-{hint}": EmmaWanted(makes=False, hint=hint) for hint in EMMA_HINTS},
        "emma-shown": EmmaShown(makes=True, emma=emma, drawing=drawn_emma(emma)),
        "learning": Learning(3, 7),
        **{f"doubt-{doubt.reason}": Doubtful(taught, doubts, at) for at, doubt in enumerate(doubts)},
        "counting": Counting(taught, sizes, 2),
        "counted": Counting(taught, {*sizes, taught.deck.size}, 5),
        "finished": Finished(55, 26),
    }
    for name, step in steps.items():
        yield f"teaching-{name}", step.screen(told)
    yield "teaching-first", Waiting().screen(Told(say, []))
    yield "teaching-no-camera", Waiting().screen(Told(say, cards, say("teaching.no-camera")))
    yield "teaching-dark", Waiting().screen(Told(say, cards, say("teaching.dark")))


def _dice_box(settings: Settings) -> Shots:
    """The dice for any game."""
    table = DiceTable(settings, Random(4))
    yield "dice-ready", table.screen()
    for name, buttons in (("wheels", ()), ("mixed", (Button.PASS, Button.PASS, Button.UP, Button.UP))):
        for button in (*buttons, Button.ROLL):
            table.handle(Pressed(button))
        yield f"dice-{name}-tumbling", table.screen()
        table.handle(Tick(FALL_SECONDS + 10 * len(buttons)))
        yield f"dice-{name}", table.screen()
    for button in (Button.PASS,) * 4:
        table.handle(Pressed(button))
    table.handle(Pressed(Button.ROLL))
    table.handle(Tick(1000.0))
    yield "dice-twenty", table.screen()
