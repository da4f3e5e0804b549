"""Every clause of every game's rules has a test that names it, and is a clause of the shared text."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from companion.games.locomotion.rules import clauses as locomotion
from companion.games.loknroll.rules import clauses as loknroll

TESTS = Path(__file__).parents[2]
RULES = Path(__file__).parents[4] / "shared" / "rules"
CLAUSES = {"loknroll": loknroll.CLAUSES, "locomotion": locomotion.CLAUSES}
ALL = sorted({clause for clauses in CLAUSES.values() for clause in clauses})


@cache
def marked_clauses() -> tuple[tuple[str, str], ...]:
    """The clause ids on the marks of all test functions and classes, each with the place of its mark."""
    marked: list[tuple[str, str]] = []
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
                        place = f"{file.relative_to(TESTS)}:{decorator.lineno}"
                        marked += [(ast.literal_eval(argument), place) for argument in decorator.args]
    return tuple(marked)


@pytest.mark.parametrize("clause", ALL)
def test_the_clause_has_a_test(clause: str) -> None:
    assert clause in {marked for marked, _ in marked_clauses()}


def test_marks_name_only_clauses_that_there_are() -> None:
    assert [f"{place}: {clause}" for clause, place in marked_clauses() if clause not in ALL] == []


def test_no_clause_is_in_two_games() -> None:
    assert len(ALL) == sum(map(len, CLAUSES.values()))


@pytest.mark.parametrize("game", CLAUSES)
def test_the_clauses_are_those_of_the_rules_text(game: str) -> None:
    text = RULES / f"{game}.md"
    if not text.is_file():
        pytest.skip(f"the rules' text ../shared/rules/{game}.md is not here")
    ids = re.findall(r"^\| ([A-Z]+\d+) \|", text.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(ids) == len(set(ids))
    assert set(ids) == set(CLAUSES[game])
