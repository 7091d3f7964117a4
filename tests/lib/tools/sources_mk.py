# SPDX-License-Identifier: BSD-2-Clause
"""Reads the sources.mk files: the one list of files and flags of a folder.

They are a small subset of make's syntax, so that somebody with another build
system can include them as they are: NAME := words (or =, or +=), # comments, a
backslash at the end continues the line, $(NAME) stands for an earlier value, and
"include PATH" takes over what another folder's file says. Relative paths begin at the top of the
repository, whatever the current folder is.
"""
import os
import re
import shlex

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*(:=|\+=|=)\s*(.*)")


class SourcesError(Exception):
    """A line that is not in the subset."""


def parse(text, name="sources.mk"):
    """NAME -> string, in the order of the file."""
    values = {}
    for number, line in _logical_lines(text):
        if line.startswith("include "):
            values.update(_read_file(os.path.join(os.path.dirname(name), line.split()[1])))
            continue
        match = _ASSIGNMENT.fullmatch(line)
        if not match:
            raise SourcesError(f"{name}:{number}: expected NAME := words, found '{line}'")
        key, operator, value = match.groups()
        value = re.sub(r"\$\((\w+)\)", lambda m: values.get(m.group(1), ""), value).strip()
        if operator == "+=" and values.get(key):
            value = f"{values[key]} {value}"
        values[key] = value
    return values


def _logical_lines(text):
    pending, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", line).rstrip()
        start = start if pending else number
        if line.endswith("\\"):
            pending += line[:-1] + " "
            continue
        line = (pending + line).strip()
        pending = ""
        if line:
            yield start, line
    if pending.strip():
        yield start, pending.strip()


def read(folder):
    """The values of folder/sources.mk; empty when there is no such file."""
    path = os.path.join(folder, "sources.mk")
    return _read_file(path) if os.path.exists(os.path.join(TOP, path)) else {}


def _read_file(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return parse(file.read(), path)


def include_folders(folder):
    """The folder and its floors (FLOORS of its sources.mk): where a compiler looks for its headers."""
    return [folder, *(os.path.join(folder, floor) for floor in words(read(folder), "FLOORS"))]


def words(values, name):
    """One value as a list, quotes as in a shell."""
    return shlex.split(values.get(name, ""))


def source_files(folder, values=None, pattern=r".*"):
    """The .c and .S files named by variables that match, as paths from the top.

    A folder without sources.mk gives every .c and .S file in it.
    A name may be relative to the folder or to the top of the repository.
    """
    values = read(folder) if values is None else values
    if not values:
        return [] if pattern != r".*" else sorted(os.path.join(folder, f) for f in _listdir(folder) if f.endswith((".c", ".S")))
    found = []
    for key in values:
        if not re.fullmatch(pattern, key):
            continue
        for word in words(values, key):
            if word.endswith((".c", ".S")):
                inside = os.path.join(folder, word)
                path = os.path.normpath(inside if os.path.exists(os.path.join(TOP, inside)) else word)
                if path not in found:
                    found.append(path)
    return found


def port_files(cpu):
    """The files of a port that a firmware is compiled from."""
    return source_files(f"port/{cpu}", pattern=r"(?!HOST_)\w+")


def firmware_ports():
    """The ports that a firmware may be compiled with, sorted: NO_FIRMWARE of sources.mk names the others."""
    return sorted(cpu for cpu in _listdir("port") if os.path.exists(os.path.join(TOP, "port", cpu, "dp_port_cpu.h"))
                  and not words(read(os.path.join(TOP, "port", cpu)), "NO_FIRMWARE"))


def _listdir(folder):
    path = os.path.join(TOP, folder)
    return os.listdir(path) if os.path.isdir(path) else []
