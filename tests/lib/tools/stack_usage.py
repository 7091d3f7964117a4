#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Worst stack of each entry: the longest path through gcc's call graph files.

    stack_usage.py [--calls CALLER:CALLEE[,CALLEE]...]... FILE.ci...

The .ci files come from gcc -fcallgraph-info=su (gcc 10 or later). What cannot be
known from them is listed, never assumed away: calls through pointers, functions
without information (assembly, libraries), recursion, sizes known only at run
time. --calls says what a function calls through pointers.
"""
import argparse
import re
import sys

_FIELD = re.compile(r'(\w+)\s*:\s*"((?:[^"\\]|\\.)*)"')
_BYTES = re.compile(r"(\d+) bytes \((\w+(?:,\w+)?)\)")
INDIRECT = "__indirect_call"
# An entry that calls one of these is that of a hit, or of a sample, which serves requests as a hit does.
IN_HITS = {"dp_agent_trap", "dp_hit_serve"}


class Graph:
    """Functions with their stack and their calls, over many object files."""

    def __init__(self):
        self.stack = {}  # function -> bytes
        self.calls = {}  # function -> set of functions
        self.dynamic = set()  # stack not bounded at compile time

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                fields = dict(_FIELD.findall(line))
                if line.startswith("node:"):
                    self._node(fields)
                elif line.startswith("edge:"):
                    self.calls.setdefault(fields["sourcename"], set()).add(fields["targetname"])

    def _node(self, fields):
        match = _BYTES.search(fields.get("label", ""))
        if match:
            self.stack[fields["title"]] = int(match.group(1))
            if match.group(2) == "dynamic":
                self.dynamic.add(fields["title"])

    def declare(self, text):
        """CALLER:CALLEE[,CALLEE] stands for CALLER's calls through pointers. A function with a
        question mark is of a part that may have been left out."""
        caller, _, callees = text.partition(":")
        if caller.endswith("?") and self.absent(caller[:-1]):
            return
        caller = self.find(caller.rstrip("?"))
        calls = self.calls.setdefault(caller, set())
        calls.discard(INDIRECT)
        calls.update(self.find(name.rstrip("?")) for name in callees.split(",")
                     if name and not (name.endswith("?") and self.absent(name[:-1])))

    def absent(self, name):
        return not any(title == name or title.endswith(":" + name) for title in self.stack)

    def find(self, name):
        """A function's title: static functions carry their file's name in front."""
        if name in self.stack:
            return name
        titles = [title for title in self.stack if title.endswith(":" + name)]
        if len(titles) != 1:
            raise KeyError(f"'{name}' is the name of {len(titles)} functions")
        return titles[0]

    def roots(self):
        """Functions that nothing here calls."""
        called = {callee for callees in self.calls.values() for callee in callees}
        return sorted(f for f in self.stack if f not in called)

    def worst(self, function, without=()):
        """(bytes, path) of the deepest chain, with nothing below the named functions; raises Recursion."""
        left_out = {title for title in self.stack if title.split(":")[-1].split(".")[0] in without}
        return self._worst(function, {title: (self.stack[title], [title]) for title in left_out}, [])

    def _worst(self, function, done, active):
        if function in active:
            raise Recursion(active[active.index(function):] + [function])
        if function not in done:
            active.append(function)
            deepest = (0, [])
            for callee in sorted(self.calls.get(function, ())):
                if callee in self.stack:
                    deepest = max(deepest, self._worst(callee, done, active), key=lambda d: d[0])
            active.pop()
            done[function] = (self.stack[function] + deepest[0], [function, *deepest[1]])
        return done[function]

    def reached(self, function):
        """All functions with a stack that it calls, directly or not."""
        found, ahead = set(), [function]
        while ahead:
            for callee in self.calls.get(ahead.pop(), ()):
                if callee in self.stack and callee not in found:
                    found.add(callee)
                    ahead.append(callee)
        return found

    def unknown(self):
        """Called functions without information."""
        called = {callee for callees in self.calls.values() for callee in callees}
        return sorted(called - set(self.stack) - {INDIRECT})

    def indirect(self):
        """Functions that call through a pointer nobody declared."""
        return sorted(f for f, callees in self.calls.items() if INDIRECT in callees)


class Recursion(Exception):
    """A chain of calls that returns to itself: no bound."""


def short(function):
    return function.rsplit(":", 1)[-1]


def report(graph, entries=None, not_in_hits=()):
    """The lines to print: entries deepest first, then what is not known. The functions not_in_hits return at once in a
    hit."""
    found, lines = [], []
    for entry in entries if entries is not None else graph.roots():
        try:
            hit = IN_HITS & graph.reached(entry)
            found.append((*graph.worst(entry, not_in_hits if hit else ()), entry))
        except Recursion as loop:
            lines.append(f"  no bound: {short(entry)}: " + " > ".join(map(short, loop.args[0])))
    for total, path, _ in sorted(found, key=lambda f: (-f[0], f[2])):
        steps = " > ".join(f"{short(f)} {graph.stack[f]}" for f in path)
        lines.append(f"  {total:6}  {steps}")
    for title, names in (("size known at run time only", sorted(graph.dynamic)),
                         ("calls through pointers, not counted", graph.indirect()),
                         ("no information (assembly, library), not counted", graph.unknown())):
        if names:
            lines.append(f"  {title}: {', '.join(map(short, names))}")
    return lines


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", action="append", default=[])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    graph = Graph()
    for path in options.files:
        graph.read(path)
    for text in options.calls:
        graph.declare(text)
    print("\n".join(report(graph)))


if __name__ == "__main__":
    main(sys.argv[1:])
