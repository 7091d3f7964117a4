#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What the agent costs on one CPU in one configuration: code, memory, worst stack."""
import argparse
import os
import subprocess
import sys

import sources_mk
import stack_usage


def section_sizes(cross, objects):
    """(text, data, bss) over the objects; text includes constants, as size -B counts."""
    if not objects:
        return 0, 0, 0
    listing = subprocess.run([f"{cross}size", *objects], capture_output=True, text=True, check=True)
    rows = [line.split()[:3] for line in listing.stdout.splitlines()[1:]]
    return tuple(sum(int(row[column]) for row in rows) for column in range(3))


def symbol_sizes(cross, objects):
    """name -> size of the symbols size_NAME in the probe object (tests/lib/tools/size_probe.c)."""
    if not objects:
        return {}
    listing = subprocess.run([f"{cross}nm", "-S", *objects], capture_output=True, text=True,
                             check=True)
    rows = [line.split() for line in listing.stdout.splitlines()]
    return {row[3][len("size_"):]: int(row[1], 16) for row in rows
            if len(row) == 4 and row[3].startswith("size_")}


def hook_sizes(cross, objects):
    """What a hook of three arguments adds to a function, and one whose exits can be called (tests/lib/tools/hook_probe.c)."""
    listing = subprocess.run([f"{cross}nm", "-S", *objects], capture_output=True, text=True, check=True)
    code = {row[3]: int(row[1], 16) for row in map(str.split, listing.stdout.splitlines()) if len(row) == 4}
    listing = subprocess.run([f"{cross}size", "-A", *objects], capture_output=True, text=True, check=True)
    row_bytes = next(int(row[1]) for row in map(str.split, listing.stdout.splitlines()) if row[:1] == ["dprobes_hooks"])
    dormant = code["hook_dormant"] - code["hook_none"]
    cold = code["hook_call"] - code["hook_none"] - dormant
    return f"hook of 3 arguments, bytes: dormant {dormant}; of DPROBES_HOOK_CALL: row {row_bytes}, cold block {cold}"


def call_graph(objects, declared):
    graph = stack_usage.Graph()
    for name in objects:
        path = os.path.splitext(name)[0] + ".ci"
        if os.path.exists(path):  # assembly has none
            graph.read(path)
    for text in declared:
        try:
            graph.declare(text)
        except KeyError as error:
            print(f"INDIRECT_CALLS '{text}': {error.args[0]}", file=sys.stderr)
            sys.exit(1)
    return graph


def private_stack(graph, sizes, not_in_hits):
    """What a hit takes of the private stack: the deepest path from the exception, in it a callback
    of the board and a nested hit that is stepped over; each with its frame. The functions not_in_hits
    return at once in a hit."""
    hit, path = graph.worst(next(f for f in graph.roots() if "dp_agent_trap" in graph.reached(f)), not_in_hits)
    entry = path[:next(i for i, f in enumerate(path) if f.startswith("dp_agent_")) + 1]
    nested = sum(graph.stack[f] for f in entry) + graph.worst("dp_port_step")[0]
    frame, callback = sizes["hit_frame"], sizes["callback_room"]
    total = hit + callback + nested + 2 * frame
    return (f"private stack, bytes: hit {hit} + callback {callback} + nested hit {nested} + "
            f"2 frames {2 * frame} = {total} of {sizes['private_stack']}")


def report(options):
    yield f"== {options.title} =="
    yield f"  {'':12}{'text':>8}{'data':>8}{'bss':>8}"
    for name in ("core", "port"):
        sizes = section_sizes(options.cross, getattr(options, name))
        yield f"  {name:12}" + "".join(f"{size:8}" for size in sizes)
    sizes_of = symbol_sizes(options.cross, options.probe)
    for name, size in sizes_of.items():
        yield f"  {name.replace('_', ' '):24}{size:12} bytes"
    if options.hook:
        yield hook_sizes(options.cross, options.hook)
    yield "worst stack, bytes:"
    declared = [text for folder in options.folder
                for text in sources_mk.words(sources_mk.read(folder), "INDIRECT_CALLS")]
    graph = call_graph(options.core + options.port, declared)
    not_in_hits = [name for folder in options.folder
                   for name in sources_mk.words(sources_mk.read(folder), "NOT_IN_HITS")]
    yield from stack_usage.report(graph, not_in_hits=not_in_hits)
    yield private_stack(graph, sizes_of, not_in_hits)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cross", required=True)
    parser.add_argument("--title", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--folder", nargs="*", default=[], help="where INDIRECT_CALLS are declared")
    for name in ("core", "port", "probe", "hook"):
        parser.add_argument(f"--{name}", nargs="*", default=[])
    options = parser.parse_args(arguments)
    text = "\n".join(report(options)) + "\n"
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
