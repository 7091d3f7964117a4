# SPDX-License-Identifier: BSD-2-Clause
"""What holds for the object of every conformance case: its disassembly compiles to it again, and no hit
takes more steps or logs more bytes than `dprobes check` says."""
import json
import os
import pathlib

from . import conformance, ppdf, tool


class _Wrong(Exception):
    pass


def _run(program, *words, cwd=None, status=0):
    found, stdout, stderr = tool.run(program, list(map(str, words)), cwd=cwd)
    if found != status:
        raise _Wrong(f"dprobes {' '.join(map(str, words))}: status {found}\n{stderr}")
    return stdout


def _travelling(path):
    made = ppdf.Ppdf(path.read_bytes())
    return made.data[:made.travelling]


def _disassembly(case, program, target, stem):
    first, text, again = (stem.with_suffix(suffix) for suffix in (".ppdf", ".again.dp", ".again.ppdf"))
    source, folder = stem.with_suffix(".dp"), None
    if "path" in case.values:
        source = pathlib.Path(case.values["path"])
        folder = source.parent
    else:
        source.write_text(case.program(), encoding="utf-8")
    _run(program, "build", *target, *case.values.get("args", "").split(), "-o", first, source, cwd=folder)
    printed = _run(program, "disasm", first)
    text.write_text(printed, encoding="utf-8")
    _run(program, "build", *target, "-o", again, text)
    if _travelling(first) != _travelling(again):
        raise _Wrong(f"it compiles to other bytes:\n{printed}")
    return first


def _bounds(case, program, target, path, form):
    verdict = json.loads(_run(program, "check", "--write", "--gvars-max", "256", "--format", "json", path))
    words = []
    for key in ("mem", "mem-ro", "reg", "hits"):
        for value in case.values.get(key, []):
            words += [f"--{key}", conformance.expand(value, *form)]
    hits = _run(program, "simulate", "--format", "json", *target[:6], *words, path)
    for hit in map(json.loads, hits.splitlines()):
        if hit["steps"] > verdict["steps_max"] or len(hit["data"]) // 2 > verdict["log_max"]:
            raise _Wrong(f"hit {hit['hit']}: {hit['steps']} steps, {len(hit['data']) // 2} bytes; check said {verdict}")


def wrong(case, program, stem, word, endian):
    """What is wrong with one form of a case, or None. stem: where files may be made."""
    target = ["--cpu", case.values.get("cpu", "sim"), "--word", str(word), "--endian", endian, "--write",
              "--dont-verify-opcodes"]
    try:
        _bounds(case, program, target, _disassembly(case, program, target, pathlib.Path(stem)), (word, endian))
    except _Wrong as reason:
        return f"{case.file}:{case.line}: {case.name} ({word}-bit, {endian})\n{reason}"
    finally:
        for suffix in (".dp", ".ppdf", ".again.dp", ".again.ppdf"):
            if os.path.exists(f"{stem}{suffix}"):
                os.unlink(f"{stem}{suffix}")
    return None
