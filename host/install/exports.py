# SPDX-License-Identifier: BSD-2-Clause
"""The version script of libdprobes.so: the names that the headers of host/include/dprobes declare, and no other.

    exports.py OUTPUT HEADER...
"""
import pathlib
import re
import sys

_NOT_DECLARED = re.compile(r'/\*.*?\*/|^#[^\n]*(?:\\\n[^\n]*)*|extern "C" \{|^static inline.*?^\}', re.S | re.M)
_FUNCTION = re.compile(r"^(?!typedef)[\w\s*()\",]*?\b(dp_\w+)\s*\([^;{]*\)\s*;", re.M)
_OBJECT = re.compile(r"^extern [^;(]*?\b(dp_\w+)(?:\[\])?;", re.M)


def declared(text):
    """Functions and objects of a header; inline functions and members of structures are none."""
    text = _NOT_DECLARED.sub("", text)
    text = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"\{[^{}]*\}", "{}", text))
    return sorted({*_FUNCTION.findall(text), *_OBJECT.findall(text)})


def script(names):
    """A version script of the linker."""
    return "{\nglobal:\n" + "".join(f"\t{name};\n" for name in names) + "local:\n\t*;\n};\n"


def main():
    names = [name for path in sys.argv[2:] for name in declared(pathlib.Path(path).read_text(encoding="utf-8"))]
    pathlib.Path(sys.argv[1]).write_text(script(sorted(names)), encoding="utf-8")


if __name__ == "__main__":
    main()
