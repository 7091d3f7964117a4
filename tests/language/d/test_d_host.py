# SPDX-License-Identifier: BSD-2-Clause
"""What the host computes from a record: json(), addresses of the network, the time of day, a stack inside a text."""
import calendar
import json
import re
import time

import d_cases
import pytest
from test_d_values import FORMS, IDS

TEXT = '{"a": {"b": [1, "x y", {"c": -2.5e3}], "": 0}, "t": true, "q\\"": "\\\\n"}'
# A path, and what json() finds there.
FOUND = [
    ("a.b[0]", "1"), ("a.b[1]", "x y"), ("a.b[2].c", "-2.5e3"), ("t", "true"), ("a.b[2]", '{"c": -2.5e3}'), ("a.b[3]", ""), ("a.c", ""),
    ("t.x", ""), ("a.b.c", ""), ("a[0]", ""), ("a.b[1", ""), ("a.b[x]", ""), ("", TEXT), ('q\\"', "\\\\n"),
]


def said(dprobes, folder, text, *more):
    (folder / "t.d").write_text(text, encoding="utf-8")
    result = dprobes("simulate", "--cpu", "sim", *more, "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return json.loads(result.stdout.splitlines()[0])["text"]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_json(dprobes, tmp_path):
    for path, value in FOUND:
        assert said(dprobes, tmp_path, f"addr:::0x1000 {{ trace(json({quoted(TEXT)}, {quoted(path)})); }}\n") == "  " + value, path


@pytest.mark.parametrize("text", ['{"a": 1', '{"a" 1}', '{a: 1}', "[1, 2", '{"a": }', "", '{"a": "x', "[" * 100 + "]" * 100])
def test_text_that_is_no_json(dprobes, tmp_path, text):
    path = "a" if text.startswith("{") else "[0]"
    assert said(dprobes, tmp_path, f"addr:::0x1000 {{ printf(\"<%s>\", json({quoted(text)}, {quoted(path)})); }}\n") in ("<>", "<1>")


@pytest.mark.parametrize("bits,order", FORMS, ids=IDS)
def test_json_of_the_firmware(dprobes, tmp_path, bits, order):
    """A text of the target, and a number made of what was found."""
    memory = b'{"n": [7, 40]}\0'.hex()
    assert said(dprobes, tmp_path, 'addr:::0x1000 { printf("%d", strtoll(json((char *)0x2000, "n[1]")) + 2); }\n', "--word", bits,
                "--endian", order, "--mem", f"0x2000={memory}") == "42"


def test_addresses_of_the_network(dprobes, tmp_path):
    memory = bytes([192, 168, 0, 1]).hex() + "00" * 11 + "01"
    program = 'addr:::0x1000 { printf("%s %s", inet_ntop(AF_INET, (void *)0x2000), inet_ntop(AF_INET6, (void *)0x2000)); }\n'
    assert said(dprobes, tmp_path, program, "--mem", f"0x2000={memory}") == "192.168.0.1 c0a8:1::1"


def test_time_of_day(ask, monkeypatch):
    """A record has the host's time. %Y and %T are local times; arithmetic is the host's too."""
    monkeypatch.setenv("TZ", "UTC")
    before = time.time()
    found = ask("-n", 'hot:entry { printf("%Y|%T|%d|%d", walltimestamp, walltimestamp, walltimestamp, walltimestamp / 1000000000); exit(0); }', "-q")
    after = time.time()
    assert found.status == 0, found.stderr
    day, mail, exact, seconds = found.stdout.split("|")
    assert re.fullmatch(r"\d{4} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d", day)
    at = int(exact) / 1e9
    assert before - 1 <= at <= after + 1 and int(seconds) == int(exact) // 10**9
    assert calendar.timegm(time.strptime(day, "%Y %b %d %H:%M:%S")) == int(seconds)
    assert mail == time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime(int(seconds)))


def test_time_of_day_is_not_known(dprobes, tmp_path):
    """The simulator has no clock."""
    program = 'addr:::0x1000 { printf("%Y|%T|%d|%d", walltimestamp, walltimestamp, walltimestamp, walltimestamp / 1000); trace(walltimestamp); }\n'
    assert said(dprobes, tmp_path, program) == "?|?|?|?  ?"


def test_a_stack_in_a_text(dprobes, tmp_path):
    """%k prints what stack() prints, between the other values. The values of the record do not have the stack's registers."""
    d_cases.firmware(tmp_path)
    (tmp_path / "t.d").write_text('take:entry { printf("a %d %k b %s", n, stack(3), "end"); stack(3); }\n', encoding="utf-8")
    result = dprobes("simulate", "--elf", "arm.elf", "--reg", "r1=40", "--reg", "sp=0x20000", "--mem", "0x20000=" + "00" * 0x200,
                     "--format", "json", "t.d", cwd=tmp_path)
    assert result.status == 0, result.stderr
    hit = json.loads(result.stdout.splitlines()[0])
    first, second = re.fullmatch(r"a 40 (\n.*) b end(\n.*)", hit["text"], re.S).groups()
    assert first == second and " take (" in first
    assert [(one.get("name"), one["value"]) for one in hit["args"]] == [("n", 40), (None, "end")]
