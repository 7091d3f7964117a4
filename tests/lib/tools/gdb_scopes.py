# SPDX-License-Identifier: BSD-2-Clause
"""Runs inside gdb: prints as JSON what gdb knows of the variables in scope at addresses.

    gdb-multiarch -q -batch -ex 'python ADDRESSES = "file"' -x gdb_scopes.py firmware.elf

One object a line: address, line and file, function of the innermost block, the variables of the blocks up to it
(name, type, parameter), and what `info scope` says of each."""
import json

import gdb


def described(address):
    """(name, text) of each symbol that `info scope` prints, in its order; None: it refuses."""
    found = []
    try:
        lines = gdb.execute(f"info scope *{address}", to_string=True).splitlines()
    except gdb.error:
        return None
    for line in lines:
        if line.startswith("Symbol ") and " is " in line:
            found.append(line[len("Symbol "):].split(" is ", 1))
        elif found:
            found[-1][1] += "\n" + line
    return found


def in_scope(address):
    """(name, type, parameter) of each symbol, from the innermost block to the function's."""
    block, found = gdb.block_for_pc(address), []
    while block is not None and not block.is_global and not block.is_static:
        found += [(symbol.name, str(symbol.type), symbol.is_argument) for symbol in block
                  if symbol.is_argument or symbol.is_variable or
                  (symbol.is_constant and symbol.type.code != gdb.TYPE_CODE_ENUM)]
        if block.function is not None:
            return found, block.function.print_name
        block = block.superblock
    return found, None


def scope(number):
    gdb.block_for_pc(number)  # reads the unit's symbols
    # gdb sign-extends addresses of some CPUs: tests/lib/tools/cpus.py.
    address = number | 0xffffffff00000000 if SIGN_EXTENDS and number >> 31 else number
    variables, function = in_scope(address)
    sal = gdb.find_pc_line(address)
    return {"address": number, "function": function, "line": sal.line,
            "file": sal.symtab.filename if sal.symtab else None, "variables": variables,
            "described": described(address) if function else []}


with open(ADDRESSES, encoding="ascii") as addresses:  # noqa: F821
    for text in addresses.read().split():
        print(json.dumps(scope(int(text, 0))))
