"""Every clause of the rules has a test that names it, and is a clause of the shared text."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from companion.games.loknroll.rules.clauses import CLAUSES

TESTS = Path(__file__).parents[3]
RULES = Path(__file__).parents[5] / "shared" / "rules" / "loknroll.md"


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


@pytest.mark.parametrize("clause", CLAUSES)
def test_the_clause_has_a_test(clause: str) -> None:
    assert clause in {marked for marked, _ in marked_clauses()}


def test_marks_name_only_clauses_that_there_are() -> None:
    assert [f"{place}: {clause}" for clause, place in marked_clauses() if clause not in CLAUSES] == []


@pytest.mark.skipif(not RULES.is_file(), reason="the rules' text ../shared/rules/loknroll.md is not here")
def test_the_clauses_are_those_of_the_rules_text() -> None:
    ids = re.findall(r"^\| ([A-Z]+\d+) \|", RULES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(ids) == len(set(ids))
    assert set(ids) == set(CLAUSES)
