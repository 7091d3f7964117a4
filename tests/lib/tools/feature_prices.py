#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What each feature of protocol/features.def costs: the text of an agent with all of them, less that of one
without this one; and each knob of a port, on and off. feature_prices.py --output FILE --port PORT --cc CC FLAGS..."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import agent_features
import sources_mk
import tables

CORE = (*sources_mk.include_folders("agent"), "protocol")


def port_knobs(port):
    """The knobs of a port's own: DP_CPU_WITH_NAME."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(pathlib.Path("port", port).glob("*.h")))
    return sorted(set(re.findall(r"^#ifndef (DP_[A-Z]+_WITH_\w+)$", text, re.M)))


def includes(port):
    return [f"-I{folder}" for folder in (*CORE, "port", f"port/{port}")]


def core_files(define):
    """The files that an agent with these -DNAME=VALUE needs."""
    gone = agent_features.files_without(agent_features.values_of(define))
    files = [file for file in sources_mk.source_files("agent", pattern=r"\w+_SOURCES") if file not in gone]
    return files + sources_mk.source_files("protocol", pattern="PROTOCOL_SOURCES")


def text_bytes(compiler, port, files, define):
    """Bytes of text of the files, constants with it."""
    with tempfile.TemporaryDirectory() as folder:
        objects = [os.path.join(folder, file.replace("/", "_") + ".o") for file in files]
        for file, made in zip(files, objects):
            subprocess.run([*compiler, *define, *includes(port), "-c", file, "-o", made], check=True)
        size = re.sub(r"gcc$", "size", compiler[0])
        listing = subprocess.run([size, *objects], check=True, capture_output=True, text=True).stdout
    return sum(int(row.split()[0]) for row in listing.splitlines()[1:])


def report(port, compiler):
    features = dict(tables.rows("protocol/features.def", "DP_FEATURE"))
    port_files = sources_mk.port_files(port)

    def core_bytes(define):
        return text_bytes(compiler, port, core_files(define), define)

    def port_bytes(define):
        return text_bytes(compiler, port, port_files, define)

    rows = [(core_bytes, f"DP_WITH_{name}", sentence) for name, sentence in features.items()]
    rows += [(port_bytes, name, f"of port/{port}") for name in port_knobs(port)]
    by_default = agent_features.knobs([name for measure, name, _ in rows if measure is core_bytes], {})
    # An agent that only reads has none of the features that change what the firmware does.
    rights = [[] if by_default.get(name, 1) else ["-DDP_PROFILE=DP_PROFILE_FULL"] for _, name, _ in rows]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        whole = pool.submit(core_bytes, [])
        # A knob of a port may be off by default.
        there = [whole if measure is core_bytes and not full else pool.submit(measure, [*full, *([] if full else [f"-D{name}=1"])])
                 for (measure, name, _), full in zip(rows, rights)]
        left = [pool.submit(measure, [*full, f"-D{name}=0"]) for (measure, name, _), full in zip(rows, rights)]
        for (measure, name, sentence), bytes_there, bytes_left in zip(rows, there, left):
            saved = bytes_there.result() - bytes_left.result()
            if saved <= 0:
                sys.exit(f"-D{name}=0 saves {saved} bytes of text: not a feature that is worth a knob")
            yield f"{saved:8}  {name:20}{sentence}"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--output", required=True)
    options.add_argument("--title", required=True)
    options.add_argument("--port", required=True)
    options.add_argument("--cc", nargs=argparse.REMAINDER, required=True)
    options = options.parse_args()
    rows = "\n".join(report(options.port, options.cc))
    pathlib.Path(options.output).write_text(
        f"== {options.title}: bytes of text that leaving out one feature saves ==\n{rows}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
