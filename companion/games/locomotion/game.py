"""Locomotion as the companion sees it: all that the host asks of the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.dice.box import KINDS, Source
from companion.games.at_table.tape import Tape
from companion.games.game import Chapter, Eyes, Offer, Option, Pace, Play, Robot, Standing
from companion.games.locomotion.artwork.lying import drawing
from companion.games.locomotion.artwork.picture import network_svg
from companion.games.locomotion.play.offering import options, wish_of
from companion.games.locomotion.play.recorded_play import (
    RecordedPlay,
    begun,
    kind_of,
    resumed,
    seats_of,
    state_facts,
)
from companion.games.locomotion.printing.deck import piece_of
from companion.games.locomotion.record.agreement import agreement_in
from companion.games.locomotion.record.book import SOLO, LocomotionBook
from companion.games.locomotion.record.narration import closing, opening, taking_back, telling
from companion.games.locomotion.record.notation import dice_in
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rulebook.chapters import Table, chapters
from companion.games.locomotion.rules import Game, Mode, Phase, State, points
from companion.games.locomotion.rules.state import MOST_PLAYERS
from companion.games.locomotion.settings import NAME, own
from companion.games.locomotion.table.eyes import eyes
from companion.games.locomotion.wording import Wording
from companion.games.recorded import Replayed
from companion.games.recorded_game import Keep, Line, Moment, Rolled, Summary, by_its_rules
from companion.games.settings import Settings
from companion.record.file import Recording
from companion.record.occasion import occasion_of
from companion.screen.screen import Screen
from hardware.buttons import Button

if TYPE_CHECKING:
    from companion.virtual.hands import Hands
    from companion.virtual.world import World
    from vision.cards import Deck
    from vision.deck_pictures import DeckPictures

_DIE: Final = KINDS["d6"]


class Locomotion:
    """The shunting game by Helge Andersen (``companion.games.game.Game``)."""

    name = NAME
    title = "Locomotion"
    book = LocomotionBook()
    deck_sizes: Collection[int] = ()
    """No deck of cards is played with."""

    def offers(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Offer]:  # noqa: ARG002 - whatever cards
        """A line for each kind, below the game's name."""
        say = Wording(settings.language)
        return [Offer(NAME, kind, say(f"offers.{kind}")) for kind in self.kinds(settings)]

    def options(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Option]:  # noqa: ARG002 - as above
        """Who plays, with what, and how the rules are read."""
        return options(settings)

    def kinds(self, settings: Settings) -> Mapping[str, str]:
        """With the die, with speed cards, and alone."""
        say = Wording(settings.language)
        return {kind: say(f"kinds.{kind}") for kind in (*Mode, SOLO)}

    def rules(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Chapter]:  # noqa: ARG002 - as above
        """Those of all kinds, with the knobs of the settings."""
        part = own(settings)
        players = range(1, MOST_PLAYERS + 1)
        return chapters(Table(tuple(Mode), players, part.colours, part.knobs, is_tournament=True), settings.language)

    def pictures(self, settings: Settings, played: Deck | None = None) -> DeckPictures:
        """The pieces and vehicles of the printed game, or vehicles in the people's own paints."""
        from companion.games.locomotion.printing.drawn_pieces import drawn_pieces

        part = own(settings)
        piece = part.shape if played is None else piece_of(played)
        own_print = part.own_print if piece == part.own_piece else ""
        return drawn_pieces(piece, paints=part.paints, own_print=own_print)

    def eyes(self, pictures: DeckPictures) -> Eyes:
        """The eye for a network of dots, and what stands on it."""
        return eyes(pictures)

    def begin(self, kind: str, keep: Keep, settings: Settings, deck: DeckPictures | None, source: Source) -> Play:  # noqa: ARG002 - whatever cards
        """A game that is set up first; its record begins once it is."""
        return begun(wish_of(kind, settings), keep, settings, source)

    def resume(self, keep: Keep, settings: Settings, source: Source) -> Play:
        """The game where its record ends, with the dice that it knows."""
        return resumed(keep, settings, source)

    def standing(self, path: Path, recording: Recording) -> Standing:
        """What is played, and whether somebody has won."""
        state = RECORDS.played(path, recording).state
        return Standing(kind_of(state, agreement_in(recording.header)), state.phase is Phase.OVER)

    def told(self, path: Path, recording: Recording, language: str) -> Iterator[Moment]:
        """The story of a game, turn by turn, each step checked against the rules."""
        say = Wording(language, agreement_in(recording.header).paints)
        return by_its_rules(_told(path, recording, say), say.error)

    def summary(self, path: Path, recording: Recording) -> Summary:
        """Where several play with the points of a tournament (LTRN1), alone with the steps, the fewer the better."""
        state = RECORDS.played(path, recording).state
        agreement = agreement_in(recording.header)
        seats = seats_of(state.setup.names, agreement)
        summary = Summary(kind_of(state, agreement), *seats, is_over=state.phase is Phase.OVER)
        return summary._replace(points=_points(state), winners=_winners(state))

    def rolls(self, recording: Recording) -> Iterator[Rolled]:
        """Those that fell: again after a roll was taken back they fell only once (``Tape``)."""
        yield Rolled(_DIE, Tape.of_record(recording.lines, dice_in).dice)

    def picture(self, path: Path, recording: Recording, moment: int | None = None) -> str:
        """The network with all that stands on it, and the order that is wanted."""
        state = RECORDS.played(path, recording, moment).state
        title = " · ".join(filter(None, (self.title, ", ".join(state.setup.names), *occasion_of(recording.header))))
        return network_svg(state.setup.network, state, title, agreement_in(recording.header).paints)

    def face(self, path: Path, recording: Recording, name: str) -> str:
        """The network, a coupling, or a vehicle."""
        return drawing(RECORDS.begun(path, recording._replace(lines=[])).state.setup.network, name)

    def gallery(self, language: str) -> Iterator[tuple[str, Screen]]:
        """Every screen of the game, taken from the controller while games are played on it."""
        from companion.games.locomotion.gallery import all_screens

        yield from all_screens(language)

    def lay_out(self, play: Play, world: World, seed: int) -> None:
        """The network as it stands, or the one that is suggested."""
        from companion.games.locomotion.robot.laid_out import lay_out

        lay_out(world, _recorded(play), Random(seed))

    def deal(self, play: Play, world: World) -> None:
        """Nothing is dealt."""

    def robot(self, play: Play, hands: Hands, seed: int, press: Callable[[Button], None] | None, pace: Pace) -> Robot:
        """Lays everybody's pieces, moves their trains and presses the buttons."""
        from companion.games.locomotion.robot.robot import Robot as TrainRobot

        return TrainRobot(_recorded(play).controller, hands, seed, press, **pace._asdict())


GAME: Final = Locomotion()


def _recorded(play: Play) -> RecordedPlay:
    if not isinstance(play, RecordedPlay):
        raise TypeError(f"{play} is no game of Locomotion")
    return play


def _told(path: Path, recording: Recording, say: Wording) -> Iterator[Moment]:
    game = RECORDS.begun(path, recording)
    setup, before = game.state.setup, game.state
    paints = agreement_in(recording.header).paints
    facts = {"mode": setup.mode.value, "players": setup.names, "pieces": len(setup.network.pieces)}
    yield Moment(list(opening(before, say)), {**facts, "table": state_facts(before, paints)})
    for played in RECORDS.replay(path, recording, game):
        yield Moment(_lines(played, before, say), {**played.told, "table": state_facts(game.state, paints)})
        before = game.state
    least = agreement_in(recording.header).least
    yield Moment(list(closing(game.state, say, least)), _end_facts(game.state))


def _lines(played: Replayed[Game], before: State, say: Wording) -> list[Line]:
    after = played.game.state
    if played.taken_back:
        return list(taking_back(after, played.taken_back, say))
    return list(telling(before, played.game.steps[-1], after, say))


def _end_facts(state: State) -> dict[str, Any]:
    return {
        "finished": state.phase is Phase.OVER,
        "turns": state.turns,
        "points": (_points(state) or None) if state.setup.players > 1 else None,
        "winners": _winners(state) or None,
    }


def _points(state: State) -> tuple[int, ...]:
    if state.phase is not Phase.OVER:
        return ()
    return points(state) if state.setup.players > 1 else (state.steps,)


def _winners(state: State) -> tuple[str, ...]:
    return () if state.winner is None else (state.setup.names[state.winner],)
