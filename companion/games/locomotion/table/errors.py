"""What can be wrong with what lies and stands on the table."""

from __future__ import annotations

from typing import Final

from companion.games.locomotion.rules import Dot, RuleError
from companion.games.locomotion.wording import Kind, Shift

UNSURE: Final = "unsure-pieces"
"""It is not sure how some pieces lie: people say so."""
PIECES_DIFFER: Final = {"other-network", "piece-missing", "piece-too-many", "piece-turned"}
"""Pieces lie otherwise than they are wanted."""
PLACES_FOR_COLOURS: Final = "places-for-colours"
"""Its code where vehicles may have other colours than the known ones, and nobody has said where each is to stand."""
OTHER_COLOURS: Final = "other-colours"
"""The same, where that is said and not all stand there yet."""
NEW_COLOURS: Final = "new-colours"
"""The same, where all stand there: their ``paints`` can be learnt."""
COLOURS_ALIKE: Final = "colours-alike"
"""They cannot, for two of them look alike: the ``first`` and ``second`` number."""
ODD_COLOUR: Final = "odd-colour"
"""They cannot, for a vehicle has another colour than the others of its number."""
OF_COLOURS: Final = {OTHER_COLOURS, NEW_COLOURS, COLOURS_ALIKE, ODD_COLOUR}
"""All of these where each vehicle has its place."""
STEPS_TO_GO: Final = "steps-to-go"
"""Its code where nothing is wrong: at a speed a train may be seen on its way, after ``steps`` of ``left`` ones."""

TEXTS: Final[dict[str, tuple[str, str]]] = {
    # code: (what is wrong, what to do)
    "no-network": ("No network in sight.", "Lay the pieces where the camera sees all of them."),
    UNSURE: ("Do the pieces lie like this? Unsure: {count}.", "If not, turn them on the page."),
    "other-network": ("This is another network.", "Lay it as shown on the map."),
    "piece-missing": ("Pieces missing: {count}.", "Lay one at the mark."),
    "piece-too-many": ("Pieces too many: {count}.", "Take the marked one away."),
    "piece-turned": ("A piece lies the wrong way round.", "Turn the marked one round."),
    "stray": ("Vehicles off the dots: {count}.", "Put each on a dot."),
    "missing": ("{vehicle}: missing.", "Put it on its dot."),
    "not-there-yet": ("{vehicle}: missing.", "Put it on any free dot."),
    PLACES_FOR_COLOURS: ("Other colours?", "The map shows where to put them."),
    OTHER_COLOURS: ("Other colours?", "Put all on the dots shown."),
    NEW_COLOURS: ("New colours?", "Learn them as they stand now?"),
    COLOURS_ALIKE: ("{first} and {second} look alike.", "More light, or other vehicles."),
    ODD_COLOUR: ("One number, one colour.", "Swap the marked vehicle."),
    "too-many": ("{vehicle}: one too many.", "Take it away."),
    "misplaced": ("{vehicle}: {shift}.", "Put it there."),
    "others-train": ("{vehicle}: not your train.", "Back: {shift}."),
    "moved-alone": ("{vehicle}: moved on its own.", "Back: {shift}."),
    "too-many-steps": ("{steps} steps, but only {left} left.", "Move back a little."),
    STEPS_TO_GO: ("{steps} of {left} steps so far.", "Go on: use the full speed."),
    "round-a-corner": ("{vehicle}: corner, not arc.", "Follow the track."),
    "in-the-way": ("{vehicle}: in the way.", "Stop before it, or go round it."),
    "twice": ("{vehicle}: twice in the train.", "Leave one behind first."),
    "to-and-fro": ("The train changed direction.", "Only one direction per turn."),
    "on-the-front": ("{vehicle}: at the front.", "Couple it at the back."),
    "no-way": ("{vehicle}: no way to get there.", "Back: {shift}."),
}


class Mismatch(RuleError):
    """What is seen is not what should be there, or cannot have come about.

    Among its details are the ``vehicle`` (Kind), the ``dot`` (x, y) or the ``cells`` that it is about, and the dot
    ``to`` which it belongs, as far as they are known: to be marked on a map.
    """

    texts = TEXTS

    def word(self, value: object) -> str:
        """A detail as people read it."""
        if isinstance(value, Kind):
            return f"{'Locomotive' if value.is_locomotive else 'Wagon'} of colour {value.colour}"
        return f"{value.right} to the right, {value.down} down" if isinstance(value, Shift) else super().word(value)


def places_in(error: RuleError) -> set[Dot]:
    """The cells that an error is about."""
    told = error.details
    cells = told.get("cells")
    places = [told.get("dot"), told.get("to"), *(cells if isinstance(cells, list | tuple) else ())]
    return {place for place in places if isinstance(place, tuple)}
