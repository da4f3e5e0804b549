"""What Locomotion says: complete, alike in each language, and used."""

import re
from random import Random

import pytest

from companion.games.locomotion.record.narration import closing, opening, telling
from companion.games.locomotion.rules import (
    Couple,
    EndTurn,
    NotAllowed,
    NotNow,
    Phase,
    PlacedPiece,
    Roll,
    Uncouple,
    lay,
    legal_steps,
    load_piece,
    set_up,
)
from companion.games.locomotion.rules.errors import NOWHERE, STEP_WORDS
from companion.games.locomotion.rules.errors import TEXTS as TEXTS_OF_THE_RULES
from companion.games.locomotion.table.errors import TEXTS as TEXTS_AT_THE_TABLE
from companion.games.locomotion.wording import Wording
from companion.games.recorded_game import Tone
from companion.texts.language import LANGUAGES
from tests.companion.games.locomotion.rules.networks import LINE, game_on
from tests.companion.games.locomotion.rules.test_random_games import new_game
from tests.companion.texts.message_files import details, message_file, sentences, source_of

TEXTS = TEXTS_OF_THE_RULES | TEXTS_AT_THE_TABLE


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_error_and_step_is_translated_with_the_same_details(language: str) -> None:
    told = message_file("games/locomotion", language)
    assert told["steps"].keys() == STEP_WORDS.keys()
    assert not TEXTS_OF_THE_RULES.keys() & TEXTS_AT_THE_TABLE.keys()
    assert told["errors"].keys() == TEXTS.keys()
    for code, (message, allowed) in TEXTS.items():
        assert details(told["errors"][code]["message"]) == details(message), code
        assert details(told["errors"][code]["allowed"]) == details(allowed), code


def test_no_english_word_is_left_in_what_is_objected_to() -> None:
    say = Wording("de")
    with pytest.raises(NotAllowed) as colours:
        set_up(lay(load_piece("T"), [PlacedPiece((0, 0), "E")]), ["Ann"], [(0, 0)], [[(2, 0)]])
    assert say.error(colours.value) == "Wagenfarben: 1. Gespielt wird mit 2 bis 4. (LSET7)"
    stuck = NotAllowed("LCPL3", "gap-needs-a-dot", allowed=NOWHERE)
    assert say.reason(stuck)[1] == "Es geht nach: keinem Punkt."


def test_every_sentence_is_used_somewhere() -> None:
    patterns = [
        re.compile(re.sub(r"\{[^}]*\}", "[a-z0-9-]+", text))
        for text in re.findall(r'"([a-z-]+\.[^"\n]+)"', source_of("games/locomotion", "commands/locomotion"))
    ]
    # ``counted`` looks for the forms of a sentence by itself.
    keys = {key: re.sub("-(one|none)$", "", key) for key in sentences("games/locomotion", "en")}
    # Those of the small screen are asked for without their section.
    keys = {key: used for key, used in keys.items() if not key.startswith("play.")}
    assert [key for key, used in keys.items() if not any(pattern.fullmatch(used) for pattern in patterns)] == []


def test_an_error_reads_in_each_language() -> None:
    game = game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)]])
    with pytest.raises(NotNow) as refused:
        game.do(Couple(1))
    assert {language: Wording(language).error(refused.value) for language in LANGUAGES} == {
        "en": "Not possible now: couple. Now: roll. (LDIE2)",
        "de": "Das geht jetzt nicht: ankuppeln. Jetzt möglich: würfeln. (LDIE2)",
        "es": "Ahora no se puede: enganchar. Ahora se puede: tirar el dado. (LDIE2)",
    }


def told(language: str) -> list[str]:
    game = game_on(LINE, [(0, 0), (3, 0)], [[(4, 0), (7, 0)], [(5, 0), (8, 0)]], order=(1, 2))
    for step in (Roll(3), EndTurn(), Roll(6), Couple(2), Uncouple(1), Couple(2), Couple(4)):
        game.do(step)
    say, states = Wording(language), game.states
    lines = list(opening(states[0], say))
    for before, step, state in zip(states, game.steps, states[1:], strict=False):
        lines += telling(before, step, state, say)
    return [line.text for line in (*lines, *closing(game.state, say))]


def test_a_game_is_told() -> None:
    assert told("en") == [
        "Locomotion with the die on 3 pieces of rail: Ann, Ben",
        "Ann has the red locomotive",
        "Ben has the yellow locomotive",
        "From the locomotive: red – yellow",
        "Rolling to begin: Ann 6, Ben 1",
        "Ann begins.",
        "Turn 1: Ann",
        "rolls 3",
        "ends the turn: 3 steps are lost",
        "Ann: –   Ben: –",
        "Turn 2: Ben",
        "rolls 6",
        "couples red",
        "leaves behind: red",
        "couples red",
        "couples yellow",
        "All wagons are in order, with 2 steps left.",
        "Result",
        "Ben wins in turn 2, after 4 steps by all trains.",
    ]
    assert told("de")[-1] == "Ben gewinnt in Zug 2, nach insgesamt 4 Schritten."
    assert told("es")[-1] == "Ben gana en el turno 2, tras 4 pasos de todos los trenes."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_any_game_is_told(language: str) -> None:
    say = Wording(language)
    for seed in range(6):
        random = Random(seed)
        game = new_game(random)
        while game.state.phase is not Phase.OVER and len(game.steps) < 40:
            before, step = game.state, random.choice(list(legal_steps(game.state)))
            lines = list(telling(before, step, game.do(step), say))
            assert [line for line in lines if line.tone is not Tone.TABLE]
            assert not any("{" in line.text for line in lines)
