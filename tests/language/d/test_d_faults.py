# SPDX-License-Identifier: BSD-2-Clause
"""A fault ends its clause alone. The clause's data is not sent, the fault is told with its place, and ERROR clauses run
behind the hit."""
import json
import re

import pytest
from test_d_values import FORMS, IDS

HERE = "addr:::0x1000"


@pytest.fixture(params=FORMS, ids=IDS)
def hit(request, dprobes, tmp_path):
    """One hit of a program, in one form."""
    bits, order = request.param

    def run(text, *more):
        (tmp_path / "t.d").write_text(text, encoding="utf-8")
        memory = (5).to_bytes(4, order).hex() + b"text\0".hex() + "00" * 1100
        result = dprobes("simulate", "--cpu", "sim", "--word", bits, "--endian", order, "--mem", f"0x2000={memory}", *more,
                         "--format", "json", "t.d", cwd=tmp_path)
        assert result.status == 0, result.stderr
        first, *_ = [json.loads(line) for line in result.stdout.splitlines()]
        return first

    return run


def told(fault, part, line, column, point=1):
    return f"error on enabled probe ID {point} (addr:firmware::0x1000): {fault} in {part}, t.d:{line}:{column}\n"


def test_the_next_clause_runs(hit):
    """What the clause has recorded before the fault is not sent; its variables keep what they got."""
    found = hit(f"{HERE} {{ trace(1); }}\n{HERE} {{ n = 7; trace(2); trace(*(int *)0x10); trace(3); }}\n"
                f'{HERE} {{ printf("|%d %d|", n, *(int *)0x2000); }}\n')
    assert (found["end"], found["text"]) == ("exit", "  1" + told("invalid address (0x10)", "action", 2, 40) + "|7 5|")


def test_a_predicate_that_faults_is_false(hit):
    found = hit(f"int zero;\n{HERE} /5 / zero/ {{ trace(1); }}\n{HERE} /zero == 0/ {{ trace(2); }}\n")
    assert found["text"] == told("division by zero", "predicate", 2, 16) + "  2"


def test_predicate_and_action_of_one_clause(hit):
    program = f"{HERE} / *(char *)at/ {{ trace(*(int *)0x10); }}\n{HERE} {{ trace(4); }}\n"
    first, second = (hit(program.replace("at/", f"{at}/")) for at in ("0x2004", "0x20"))
    assert first["text"] == told("invalid address (0x10)", "action", 1, 42) + "  4"
    assert second["text"] == told("invalid address (0x20)", "predicate", 1, 17) + "  4"


def test_strings_and_memory(hit):
    """A text or bytes that cannot be read leave no part in the data."""
    found = hit(f"{HERE} {{ trace(1); trace(stringof((char *)0x10)); }}\n{HERE} {{ tracemem(0x20, 8); }}\n"
                f"{HERE} {{ trace(stringof((char *)0x2004)); }}\n")
    assert found["text"] == (told("invalid address (0x10)", "action", 1, 42) + told("invalid address (0x20)", "action", 2, 26) +
                             "  text")


def test_the_left_operand_faults_first(hit):
    """Also where a constant key stands in front of the one that faults, and the agent wants the right operand first."""
    for operator in (">>", "-", ">"):
        found = hit(f"int64_t a[int, int];\n{HERE} {{ x = a[1, *(int *)0x10] {operator} a[1, *(int *)0x20]; }}\n")
        assert found["text"] == told("invalid address (0x10)", "action", 2, 26), operator


def test_one_clause(hit):
    """Its exception ends the handler, with the place of the fault."""
    found = hit(f"{HERE} {{ trace(1); trace(*(int *)0x10); }}\n")
    assert (found["end"], found["text"]) == ("exception", told("invalid address (0x10)", "action", 1, 33))
    silent = hit(f"{HERE} {{ n = *(int *)0x14; }}\n")
    assert (silent["end"], silent["text"]) == ("exception", told("invalid address (0x14)", "action", 1, 21))
    asked = hit(f"{HERE} / *(int *)0x18/ {{ n++; }}\n")
    assert (asked["end"], asked["text"]) == ("exception", told("invalid address (0x18)", "predicate", 1, 17))


def test_too_much_data_is_a_fault(hit):
    """The length of a text is known at the hit only. Without this the rest of the record would be of another clause."""
    long = "trace(stringof((char *)0x9000)); "
    found = hit(f"int n;\n{HERE} {{ tracemem(0x2000, 900); }}\n{HERE} /n == 0/ {{ {long}{long} trace(1); }}\n", "--mem",
                f"0x9000={'61' * 64}")
    assert "the data is longer than 1024 bytes in action, t.d:3:" in found["text"]


def test_clauses_that_exclude_each_other(hit):
    """Their data need not fit one record together."""
    found = hit(f"int n;\n{HERE} /n == 1/ {{ tracemem(0x2000, 900); }}\n{HERE} /n++ == 0/ {{ tracemem(0x2000, 901); }}\n")
    assert found["end"] == "exit" and found["text"].splitlines()[-1].split()[:2] == ["380:", "00"]


def test_the_budget_is_told(hit):
    """All data of the hit is dropped."""
    found = hit(f"int n;\n{HERE} {{ trace(1); {'n += 2; ' * 3900} }}\n")
    assert (found["end"], found["text"]) == (
        "budget", "error on enabled probe ID 1 (addr:firmware::0x1000): the step budget ended the handler; its data is dropped\n")


ERROR = f"""int zero;
{HERE} {{ trace(1 / zero); }}
{HERE} {{ trace(*(int *)0x10); }}
{HERE} {{ trace(3); }}
ERROR {{ printf("|%s %s %d %d %d %d %d|", probeprov, probename, arg1, arg2, arg3, arg4 == DTRACEFLT_DIVZERO, arg5); }}
dtrace:::ERROR /arg4 == DTRACEFLT_BADADDR/ {{ trace("bad address"); }}
"""


# The sign § stands before the expression that faults.
PLACES = [
    "{ trace(*(int *)0x2000); trace(*(int *)0x2000 + §*(int *)0x10); trace(*(int *)0x2000); }",
    "{ trace(*(int *)0x2000);\n  x = 3 +\n    §*(int *)0x10; }",
    '{ printf("%d %d %s", *(int *)0x2000, 5, stringof(§(char *)0x10)); trace(*(int *)0x10); }',
    "{ trace(x ? *(int *)0x10 : §*(int *)0x10); trace(*(int *)0x2000); }",
    "{ trace(!x ? §*(int *)0x10 : *(int *)0x10); trace(*(int *)0x2000); }",
    "{ trace(x && *(int *)0x10); trace(§*(int *)0x10); trace(*(int *)0x2000); }",
    "{ if (x) { trace(*(int *)0x10); } else { trace(*(int *)0x2000); } trace(§*(int *)0x10); }",
    "/ *(int *)0x2000 == 5 && §*(int *)0x10 / { trace(*(int *)0x2000); }",
    "{ @[*(int *)0x2000] = sum(§*(int *)0x10); a[*(int *)0x2000] = 4; }",
    "{ a[*(int *)0x2000] = 4; a[§*(int *)0x10]++; }",
    "{ this->p = (int *)0x2000; trace(this->p[0]); trace(§this->p[-0x7fc]); }",
    "{ tracemem(0x2000, 4); tracemem(§0x10, 4); trace(*(int *)0x2000); }",
]


@pytest.mark.parametrize("clause", PLACES)
@pytest.mark.parametrize("errors", ["", "ERROR { printf(\"|%d|\", arg1); }\n"])
def test_the_expression_is_told(hit, clause, errors):
    """Line and column, by whichever way control comes there; with and without ERROR clauses, which get the clause's number."""
    where = clause.index("§")
    line, column = clause.count("\n", 0, where) + 2, where - (clause.rfind("\n", 0, where) + 1) + 1
    column += len(f"{HERE} ") if line == 2 else 0
    found = hit(f"int x;\n{HERE} {clause.replace('§', '')}\n{errors}")
    part = "predicate" if clause.startswith("/") else "action"
    assert found["text"] == told("invalid address (0x10)", part, line, column) + ("|1|" if errors else ""), found["text"]


def test_error_runs_once(hit):
    """Behind all clauses, with the first fault; the agent does not say its instruction."""
    found = hit(ERROR)
    assert found["text"] == (told("division by zero", "action", 2, 23) + told("invalid address (0x10)", "action", 3, 23) +
                             "  3|dtrace ERROR 1 0 0 1 0|")
    second = hit(ERROR.replace("1 / zero", "*(int *)0x24"))
    assert second["text"].endswith("  3|dtrace ERROR 1 0 0 0 36|  bad address")


def test_error_without_a_fault(hit):
    assert hit(ERROR.replace("1 / zero", "1").replace("0x10", "0x2000"))["text"] == "  1  5  3"
    assert hit(f"{HERE} {{ n++; }}\nERROR {{ trace(1); }}\n")["end"] == "abort"


def test_error_runs_behind_an_exit(hit):
    """No later clause runs, and the status is the last one said."""
    found = hit(f"{HERE} {{ trace(*(int *)0x10); }}\n{HERE} {{ exit(1); }}\n{HERE} {{ trace(2); }}\nERROR {{ trace(4); }}\n")
    assert found["text"] == told("invalid address (0x10)", "action", 1, 23) + "  4"


def test_a_fault_in_error(hit):
    """It is told, and ERROR does not run for it."""
    found = hit(f"{HERE} {{ trace(*(int *)0x10); }}\nERROR {{ trace(*(int *)0x14); }}\nERROR {{ trace(5); }}\n")
    assert found["text"] == (told("invalid address (0x10)", "action", 1, 23) + told("invalid address (0x14)", "action", 2, 15) +
                             "  5")


def test_steps_of_a_guard(hit):
    """A clause without memory and division has no guard. Another one pays two steps."""
    assert hit(f"{HERE} {{ n = 5; }}\n")["steps"] == 3
    unsigned = hit(f"{HERE} {{ n = *(unsigned *)0x2000; }}\n")
    assert unsigned["steps"] == 4 + 2  # push, push mem, pop lv, abort; sx, jmp


def test_an_agent_without_exception_handlers(sim_target, dprobes, tmp_path):
    """The program runs, the host says what is lost; ERROR is refused before anything changes."""
    target = sim_target("--hits", 50, "--build-id", profile="small")
    words = ("--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    run = dprobes("-n", "hot:entry { trace(*(int *)0x10); }", "--count", 1, *words)
    assert run.status == 0 and "an exception ended the handler" in run.stdout, run.stderr
    assert "a fault in a clause ends the whole hit" in run.stderr
    run = dprobes("-n", "hot:entry { trace(*(int *)0x10); } ERROR { trace(1); }", "--count", 1, *words)
    assert run.status == 1 and "was built without exception handlers, which ERROR needs" in run.stderr
    assert target.text_is_original()


@pytest.mark.parametrize("statement,place,what,feature", [
    ("x = 5; @ = quantize(x)", 20, "64-bit numbers, times and distributions", "D"), ("x[1] = 5", 13, "counts, sums", "COUNTS"),
    ("self->x = 5", 13, "counts, sums", "COUNTS"), ("@ = count()", 13, "counts, sums", "COUNTS"), ("trace(timestamp + 1)", 19, "64-bit numbers", "D")])
def test_an_agent_without_maps(sim_target, dprobes, statement, place, what, feature):
    """The expression is pointed at, before anything changes."""
    target = sim_target("--hits", 50, "--build-id", profile="small")
    run = dprobes("-n", f"hot:entry {{ {statement}; }}", "--for", "1s", "--port", target.url(), "--sym", target.map,
                  "--dont-verify-opcodes")
    first, line, caret, *_ = run.stderr.splitlines()
    assert run.status == 1 and f"this agent was built without {what}" in first and first.endswith(f"DP_WITH_{feature}"), run.stderr
    assert first.startswith(f"<command line>:1:{place}: error: ") and caret.index("^") == place - 1, run.stderr
    assert target.text_is_original()


def test_more_points_than_the_agent_has(sim_target, dprobes):
    """The compiler learns the agent's number, and nothing is changed."""
    target = sim_target("--hits", 50, "--build-id")
    clauses = "".join(f"addr:::0x{0x1000 + 4 * n:x}, " for n in range(64)) + "hot:entry"
    run = dprobes("-n", f"{clauses} {{ x++; }}", "--for", "1s", "--port", target.url(), "--sym", target.map, "--dont-verify-opcodes")
    assert run.status == 1 and re.search(
        r"^<command line>:1:\d+: error: the descriptions match 65 probe points, and this agent has room for 64; say which$",
        run.stderr, re.M), run.stderr
    assert target.text_is_original()
