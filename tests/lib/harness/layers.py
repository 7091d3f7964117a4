# SPDX-License-Identifier: BSD-2-Clause
"""Checks a table of layers against what files include and against what their objects link to.

A table is a dict, from the bottom up: layer -> the layers that it may know. Layers that have no row (those of another
folder) may be named and are not checked themselves. `violations` returns sentences; an empty list is a clean house."""
import dataclasses
import os
import re
import subprocess

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', re.M)
_UNDEFINED = ("U", "w", "v")


@dataclasses.dataclass(frozen=True, order=True)
class Edge:
    """One file knows another: `how` is the include or the symbol."""

    source: str
    target: str
    how: str


def include_edges(paths, folders, top="."):
    """An Edge for each #include that resolves: beside the file, else in the first of `folders` that has it."""
    for path in map(str, paths):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            names = _INCLUDE.findall(file.read())
        for name in names:
            for folder in (os.path.dirname(path), *folders):
                target = os.path.normpath(os.path.join(folder, name))
                if os.path.exists(os.path.join(top, target)):
                    yield Edge(path, target, f"includes {name}")
                    break


def _symbols(objects, nm):
    """(object, symbol, kind) of each global symbol."""
    listed = subprocess.run([nm, "-A", "-P", "-g", *objects], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        name, symbol, kind, *_ = line.split()
        yield name.rstrip(":"), symbol, kind


def defined_symbols(objects, nm="nm"):
    """(source, symbol) of each global symbol that an object defines. objects: path -> path of its source."""
    known = {str(path): source for path, source in objects.items()}
    for path, symbol, kind in _symbols(sorted(known), nm):
        if kind not in _UNDEFINED:
            yield known[path], symbol


def wanted_symbols(objects, nm="nm"):
    """The symbols that an object needs of another one."""
    return {symbol for _, symbol, kind in _symbols(sorted(map(str, objects)), nm) if kind in _UNDEFINED}


def link_edges(objects, nm="nm"):
    """An Edge for each symbol that an object needs and another one defines. objects: path -> path of its source."""
    known = {str(path): str(source) for path, source in objects.items()}
    symbols = list(_symbols(sorted(known), nm))
    defined = {}
    for path, symbol, kind in symbols:
        if kind not in _UNDEFINED:
            defined.setdefault(symbol, set()).add(known[path])
    for path, symbol, kind in symbols:
        if kind in _UNDEFINED:
            for target in defined.get(symbol, ()):
                yield Edge(known[path], target, f"uses {symbol}")


def _order(table):
    """A row names rows above it only: then no two layers know each other, not even through a third."""
    rows = list(table)
    for place, layer in enumerate(rows):
        for other in table[layer]:
            if other in rows[place:]:
                yield f"table: {layer} may know {other}, whose row is not above its own"


def _forbidden(table, layer_of, edges):
    for edge in edges:
        here, there = layer_of(edge.source), layer_of(edge.target)
        if here in table and here != there and there not in table[here]:
            yield f"{edge.source} {edge.how} of {there}; {here} may know {', '.join(sorted(table[here])) or 'nobody'}"


def _unused(table, layer_of, files, edges):
    used = {(layer_of(edge.source), layer_of(edge.target)) for edge in edges}
    there = {layer_of(path) for path in files}
    for layer, others in table.items():
        if layer not in there:
            yield f"table: {layer} has a row and no file"
        for other in sorted(others):
            if (layer, other) not in used:
                yield f"table: {layer} may know {other}, and no file of it does"


def violations(table, layer_of, files, edges):
    """What is wrong, a sentence each. layer_of(path): the layer of a file. files: those that need a row.
    edges: of include_edges and link_edges together, so that a row is in use when either uses it."""
    files, edges = [str(path) for path in files], sorted(set(edges))
    found = [f"{path} is of {layer_of(path)}, which has no row in the table"
             for path in files if layer_of(path) not in table]
    return found + [*_order(table), *dict.fromkeys(_forbidden(table, layer_of, edges)),
                    *_unused(table, layer_of, files, edges)]
