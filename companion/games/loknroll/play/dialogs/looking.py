"""What can be looked at at any time: the last instruction, the piles, the odds, and the settings."""

from __future__ import annotations

from companion.games.at_table.lists import ListEntry, Page, open_settings
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.sentences import odds_line
from companion.games.loknroll.rules import Phase
from companion.games.loknroll.rules.building import dice_to_roll
from companion.games.loknroll.rules.scoring import scores
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings

_PER_PAGE = 8


def look(desk: Desk) -> None:
    """Opens the list of what can be looked at."""
    names = desk.state.setup.names
    entries = [desk.word("last-instruction"), *(desk.word("pile-of", player=name) for name in names)]
    if desk.state.phase is Phase.BUILDING:
        entries.append(desk.word("odds-entry"))
    entries.append(desk.word("settings"))
    desk.open(ListEntry(desk.word("title-look"), entries, _chosen))


def _chosen(desk: Desk, index: int) -> None:
    names = desk.state.setup.names
    if index == 0:
        last_instruction(desk)
    elif index <= len(names):
        show_pile(desk, index - 1)
    elif index == len(names) + 1 and desk.state.phase is Phase.BUILDING:
        desk.open(Page(desk.name, odds_line(desk.word, desk.state, dice_to_roll(desk.state))))
    else:
        settings(desk)


def last_instruction(desk: Desk) -> None:
    """Shows once more what the last drive did."""
    if desk.story is None:
        desk.open(Page(desk.word("last-instruction"), desk.word("nothing-yet")))
        return
    first, *rest = desk.story.lines or ("",)
    desk.open(Page(desk.story.heading, first, tuple(rest)))


def show_pile(desk: Desk, number: int) -> None:
    """Shows a discard pile from its top, and what it is worth."""
    player, score = desk.state.players[number], scores(desk.state)[number]
    faces = [desk.word.face(face) for face in reversed(player.pile)]
    pages = [", ".join(faces[at : at + _PER_PAGE]) for at in range(0, len(faces), _PER_PAGE)]
    if pages:
        pages[0] = desk.word("pile-from-top", cards=pages[0])
    name = desk.state.setup.names[number]
    is_automatons = number == desk.state.setup.automaton
    key, count = ("cards", score.cards) if is_automatons else ("points", score.points)
    main = desk.word(key, count=count)
    desk.open(Page(desk.word("pile-of", player=name), main, tuple(pages) or (desk.word("pile-empty"),)))


def settings(desk: Desk, chosen_at: int = 0) -> None:
    """Opens the list of settings, at one of them."""
    is_real = desk.own.real_dice
    title = desk.word("set-real-dice", value=desk.word.yes_or_no(is_real))
    real = (title, with_own(desk.settings, real_dice=not is_real))
    open_settings(desk, [real, *_penalty_and_place(desk)], settings, chosen_at)


def _penalty_and_place(desk: Desk) -> list[tuple[str, Settings]]:
    """Who decides where penalty cards and the automaton's cards go; the automaton only where it plays."""
    now, own, setup = desk.settings, desk.own, desk.state.setup
    way = desk.word("puts-best" if own.puts_by_itself else "puts-asks")
    changes = [(desk.word("set-puts", value=way), with_own(now, puts_by_itself=not own.puts_by_itself))]
    if setup.automaton is not None:
        way = desk.word("place-yours" if own.people_place else "place-hers")
        name = desk.word("set-place", player=setup.names[setup.automaton], value=way)
        changes.append((name, with_own(now, people_place=not own.people_place)))
    return changes
