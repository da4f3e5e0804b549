"""LOK'n'ROLL as the companion sees it: all that the host asks of the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.dice.box import Die, Source
from companion.games.at_table.tape import Tape
from companion.games.game import Chapter, Eyes, Offer, Option, Pace, Play, Robot, Standing
from companion.games.loknroll.play.recorded_play import EMMA, RecordedPlay, begun, notes_beside, resumed, state_facts
from companion.games.loknroll.record import notation
from companion.games.loknroll.record.narration import closing, opening, table, telling
from companion.games.loknroll.record.recorded_game import RECORDS, recorded_start, replay
from companion.games.loknroll.record.solo_scores import curve_for, keep_score_of, solo_scores_in
from companion.games.loknroll.rulebook.chapters import Table, chapters
from companion.games.loknroll.rules import (
    Edition,
    Game,
    Mode,
    Phase,
    RuleError,
    State,
    edition_names,
    load_edition,
    result,
    set_up,
)
from companion.games.loknroll.rules.railway.railway import middle_of_track
from companion.games.loknroll.rules.state import Setup
from companion.games.loknroll.rules.variant import variant
from companion.games.loknroll.settings import NAME, own, with_own
from companion.games.loknroll.wording import Wording
from companion.games.recorded import Replayed
from companion.games.recorded_game import Keep, Line, Moment, Rolled, Score, Summary, Tone, by_its_rules
from companion.games.settings import Settings, nameless, player_names
from companion.record.file import Recording
from companion.record.occasion import occasion_of
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Deck, standard_deck

if TYPE_CHECKING:
    from companion.virtual.hands import Hands
    from companion.virtual.world import World
    from vision.deck_pictures import DeckPictures

_FACE_PX_PER_MM: Final = 4.0
"""Finer faces would only take more memory: a camera sees them at about 2 px/mm."""


class SoloBook:
    """The scores of solo games (``companion.games.recorded_game.Book``)."""

    def keep_result(self, keep: Keep) -> None:
        """Keeps the score of a solo game that is over (SOLO1)."""
        keep_score_of(keep.record, solo_scores_in(keep.books), nameless())

    def scores(self, keep: Keep) -> Sequence[Score]:
        """Those of solo games."""
        return [
            Score(score.player, score.mode, score.edition, score.points, score.is_lost, score.game)
            for score in solo_scores_in(keep.books).all()
        ]

    def rules_called(self, rules: str, language: str) -> str:
        """The edition, and whether its cards or rules are others."""
        return Wording(language).rules(rules)


class LokNRoll:
    """The railway card game by Michiel de Wit (``companion.games.game.Game``)."""

    name = NAME
    title = "LOK'n'ROLL"
    book = SoloBook()

    def offers(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Offer]:
        """A line for each mode of the edition."""
        edition, say = _edition(settings, deck), Wording(settings.language)
        return [Offer(NAME, mode.value, _mode_called(mode, edition, say)) for mode in edition.modes]

    def options(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Option]:
        """The edition, where there is a choice of them."""
        names = _playable_editions(deck)
        if len(names) < 2:
            return []
        now = own(settings).edition if own(settings).edition in names else names[0]
        say = Wording(settings.language)
        title = say("offers.edition", edition=say(f"offers.edition-{now.replace('_', '-')}"))
        following = names[(names.index(now) + 1) % len(names)]
        return [Option(title, with_own(settings, edition=following, knobs={}))]

    def kinds(self, settings: Settings) -> Mapping[str, str]:
        """All modes, whether the edition of the settings has them or not."""
        edition, say = own(settings).rules(), Wording(settings.language)
        return {mode.value: _mode_called(mode, edition, say) for mode in Mode}

    def rules(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Chapter]:
        """Those of the edition, in all its modes."""
        edition = _edition(settings, deck)
        cards = _deck(edition, deck)
        return chapters(Table(edition, cards, edition.modes, cards.has_rails), settings.language)

    @property
    def deck_sizes(self) -> Collection[int]:
        """Those of its editions."""
        return {load_edition(name).cards for name in edition_names()}

    def pictures(self, settings: Settings, played: Deck | None = None) -> DeckPictures:  # noqa: ARG002 - always the same
        """Our own deck, as the edition wants it."""
        from companion.games.loknroll.artwork.drawn_deck import drawn_deck

        return drawn_deck(own(settings).rules().deck, _FACE_PX_PER_MM)

    def eyes(self, pictures: DeckPictures) -> Eyes:
        """The eye for cards in a row, and Emma on them."""
        from companion.games.loknroll.table.eyes import CardEyes

        return CardEyes(pictures)

    def begin(self, kind: str, keep: Keep, settings: Settings, deck: DeckPictures | None, source: Source) -> Play:
        """A new game of a mode, by the rules of the settings."""
        mode, edition = Mode(kind), _edition(settings, deck)
        start = set_up(edition, _deck(edition, deck), mode, player_names(settings, mode.persons))
        notes_beside(keep.record).forget()
        return begun(keep.record, start, settings, source, partial(_curve, keep), clock=keep.clock)

    def resume(self, keep: Keep, settings: Settings, source: Source) -> Play:
        """The game where its record ends, with the dice that it knows."""
        return resumed(keep.record, settings, source, partial(_curve, keep), clock=keep.clock)

    def standing(self, path: Path, recording: Recording) -> Standing:
        """The mode, and whether the score sheet is up."""
        state = RECORDS.played(path, recording).state
        return Standing(state.setup.mode.value, state.phase is Phase.OVER)

    def told(self, path: Path, recording: Recording, language: str) -> Iterator[Moment]:
        """The story of a game, turn by turn, each step checked against the rules."""
        say = Wording(language)
        return by_its_rules(_told(path, recording, say), say.error)

    def summary(self, path: Path, recording: Recording) -> Summary:
        """The score sheet."""
        state = RECORDS.played(path, recording).state
        setup, outcome = state.setup, result(state)
        summary = Summary(setup.mode.value, setup.names, setup.mode.persons, state.phase is Phase.OVER)
        if outcome is None:
            return summary
        winners = tuple(setup.names[number] for number in outcome.winners)
        return summary._replace(points=tuple(score.points for score in outcome.scores), winners=winners)

    def rolls(self, recording: Recording) -> Iterator[Rolled]:
        """The wheels on its dice: those that fell again after a roll was taken back fell only once (``Tape``)."""
        edition = notation.begun(recording.header).state.setup.edition
        yield Rolled(Die("wheel", edition.die), Tape.of_record(recording.lines, notation.dice_in).dice)

    def picture(self, path: Path, recording: Recording, moment: int | None = None) -> str:
        """The railway, and Emma on it; without rails there is none, as without cards."""
        from companion.games.loknroll.printing.railway_picture import railway_svg

        state = RECORDS.played(path, recording, moment).state
        setup, railway = state.setup, state.railway
        cards = [(card.face, card.pose) for card in railway.cards if card.pose is not None]
        if not cards or not setup.rails:
            return ""
        emma = None if state.emma is None else middle_of_track(railway.cards[state.emma])
        title = " · ".join(filter(None, (self.title, ", ".join(setup.names), *occasion_of(recording.header))))
        return railway_svg(cards, emma, title, is_our_deck=not variant(setup).has_other_deck)

    def face(self, path: Path, recording: Recording, name: str) -> str:
        """A card with rails, in our drawing or, of another deck, as an outline; and Emma."""
        from companion.games.loknroll.printing.railway_picture import card_svg, emma_svg

        setup = recorded_start(path, recording._replace(lines=[])).state.setup
        if name == EMMA:
            return emma_svg()
        if name not in setup.deck or not setup.deck[name].has_rails:
            return ""
        return card_svg(setup.deck[name], is_our_deck=not variant(setup).has_other_deck)

    def gallery(self, language: str) -> Iterator[tuple[str, Screen]]:
        """Every screen of the game, taken from the controller while games are played on it."""
        from companion.games.loknroll.gallery import all_screens

        yield from all_screens(language)

    def lay_out(self, play: Play, world: World, seed: int) -> None:
        """A shuffled pile for a new game; for one that goes on, its table, and at random what nobody has seen."""
        from companion.games.loknroll.robot.laid_out import lay_out

        game = _recorded(play).controller.game
        setup = game.state.setup
        if game.steps:
            lay_out(world, game.state, Random(seed))
        else:
            world.begin(setup.deck, setup.names, setup.mode.persons, seed)

    def deal(self, play: Play, world: World) -> None:
        """Removes cards and deals hands as the edition says (SET6, SET7)."""
        setup = _recorded(play).controller.game.state.setup
        world.deal(setup.edition.removed[setup.mode], setup.edition.hand_cards)

    def robot(self, play: Play, hands: Hands, seed: int, press: Callable[[Button], None], pace: Pace) -> Robot:
        """Lays everybody's cards, moves Emma and presses the buttons."""
        from companion.games.loknroll.robot.robot import Robot as CardRobot

        return CardRobot(_recorded(play).controller, hands, seed, press, **pace._asdict())


GAME: Final = LokNRoll()


def can_be_played(edition: Edition, deck: Deck) -> bool:
    """Whether an edition's game can be played with a deck."""
    try:
        set_up(edition, deck, edition.modes[0], [""] * edition.modes[0].persons)
    except RuleError:
        return False
    return True


def _recorded(play: Play) -> RecordedPlay:
    if not isinstance(play, RecordedPlay):
        raise TypeError(f"{play} is no game of LOK'n'ROLL")
    return play


def _deck(edition: Edition, deck: DeckPictures | None) -> Deck:
    return standard_deck(edition.deck) if deck is None else deck.deck


def _mode_called(mode: Mode, edition: Edition, say: Wording) -> str:
    return say(f"offers.mode-{mode.value}", automaton=edition.automaton)


def _playable_editions(deck: DeckPictures | None) -> Sequence[str]:
    """The editions that can be played with the deck; all of our own if there is no other."""
    names = edition_names()
    if deck is None:
        return names
    return [name for name in names if can_be_played(load_edition(name), deck.deck)] or names


def _edition(settings: Settings, deck: DeckPictures | None) -> Edition:
    """The edition of the settings, or the first that can be played with the deck."""
    names = _playable_editions(deck)
    return own(settings).rules() if own(settings).edition in names else load_edition(names[0])


def _curve(keep: Keep, start: State) -> tuple[int, ...]:
    return curve_for(solo_scores_in(keep.books), start, nameless())


def _told(path: Path, recording: Recording, say: Wording) -> Iterator[Moment]:
    game = recorded_start(path, recording)
    setup, before = game.state.setup, game.state
    yield Moment(list(opening(before, say)), _start_facts(setup))
    for played in replay(path, recording, game):
        yield Moment(_lines(played, before, say), {**played.told, "table": _table_facts(game.state)})
        before = game.state
    yield Moment(list(closing(game.state, say)), _end_facts(game.state))


def _lines(played: Replayed[Game], before: State, say: Wording) -> list[Line]:
    if played.taken_back:
        told = say("turn.taken-back", count=played.taken_back)
        return [Line(Tone.EVENT, told), Line(Tone.TABLE, table(played.game.state, say))]
    return list(telling(before, played.game.steps[-1], played.game.state, say))


def _start_facts(setup: Setup) -> dict[str, Any]:
    differs = variant(setup)
    facts = {"mode": setup.mode.value, "players": setup.names}
    return {**facts, "other_deck": differs.has_other_deck, "other_rules": differs.knobs}


_OF_THE_TABLE: Final = (
    "phase", "turn", "active", "railway", "emma", "draw_pile", "hands", "piles", "points", "cards", "figures",
)  # fmt: skip
"""Of a state's facts, what tells how the table lies."""


def _table_facts(state: State) -> dict[str, Any]:
    facts = state_facts(state)
    return {name: facts[name] for name in _OF_THE_TABLE if name in facts}


def _end_facts(state: State) -> dict[str, Any]:
    outcome, names = result(state), state.setup.names
    return {
        "finished": outcome is not None,
        "points": [score.points for score in outcome.scores] if outcome else None,
        "winners": [names[number] for number in outcome.winners] if outcome else None,
    }
