# SPDX-License-Identifier: BSD-2-Clause
"""The knobs of each port, and the values with which `scons test` compiles, for its target, what a knob changes: knob_builds of
the CPU's row. A knob is a name DP_CPU_NAME that a header of port/CPU defines where the user has not."""
import os
import re

import cpus
import sources_mk

BUILDS = tuple(build for row in cpus.rows() for build in row.knob_builds)
NUMBERS = {name for row in cpus.rows() for name in row.knob_numbers}


def name(cpu, values):
    """The folder of a row's objects: build/knobs/NAME."""
    return "-".join([cpu, *(knob.split("_", 2)[2].lower() for knob in values)])


def _text(path):
    with open(os.path.join(sources_mk.TOP, path), encoding="utf-8") as file:
        return file.read()


def headers(port):
    """The headers of a port, and of port/thumb, which two ports share."""
    found = [os.path.join("port", folder, file) for folder in (port, "thumb") for file in os.listdir(os.path.join(sources_mk.TOP, "port", folder))]
    return sorted(file for file in found if file.endswith(".h"))


def knobs(port):
    own = {word for file in headers(port) for word in re.findall(r"^#ifndef (DP_\w+)\b.*\n#(?:define \1\b|if )", _text(file), re.M)}
    return {word for word in own if not word.startswith("DP_PORT_") and not word.endswith("_H")}


def _depends(text, names):
    """The macros that a header defines by one of these names, or in a part that depends on one."""
    inside, found = [], set()
    for line in re.sub(r"\\\n", " ", text).splitlines():
        hit = bool(names & set(re.findall(r"\w+", line)))
        if line.startswith("#if"):
            inside.append(hit)
        elif line.startswith("#endif"):
            inside.pop()
        elif (defined := re.match(r"#define (\w+)", line)) and (hit or any(inside)):
            found.add(defined[1])
    return found


def changed(port, values):
    """The files of the port that name one of the knobs, or what depends on it."""
    names, before = set(values), set()
    while names != before:
        before = set(names)
        names |= {word for file in headers(port) for word in _depends(_text(file), names)}
    return [file for file in sources_mk.port_files(port) if names & set(re.findall(r"\w+", _text(file)))]
