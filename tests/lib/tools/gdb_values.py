# SPDX-License-Identifier: BSD-2-Clause
"""Runs inside gdb, on a stopped board: prints the values of variables at addresses. Nothing is executed.

    gdb-multiarch -q -batch -ex 'python TASK = "file.json"' -x gdb_values.py firmware.elf

The task has `remote`, `registers` {name: value}, `memory` {address: hex}, `wanted` {address: names}. One object a line:
address, and the value of each name as a number; null: gdb has none."""
import json

import gdb


def symbol_at(address, name):
    block = gdb.block_for_pc(address) or gdb.block_for_pc(address | 0xffffffff << 32)  # MIPS: sign-extended
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.name == name and (symbol.is_argument or symbol.is_variable):
                return symbol
        if block.function is not None:
            return None
        block = block.superblock
    return None


def value(address, name):
    try:
        return int(symbol_at(address, name).value(gdb.selected_frame())) & 0xffffffff
    except (gdb.error, AttributeError, RuntimeError):
        return None


def main():
    with open(TASK, encoding="utf-8") as file:  # noqa: F821
        task = json.load(file)
    gdb.execute(f"target remote {task['remote']}", to_string=True)
    for address, data in task["memory"].items():
        gdb.selected_inferior().write_memory(int(address), bytes.fromhex(data))
    for name, number in task["registers"].items():
        gdb.execute(f"set ${name} = {number}", to_string=True)
    for address, names in task["wanted"].items():
        gdb.execute(f"set $pc = {address}", to_string=True)
        print(json.dumps({"address": int(address), "values": {name: value(int(address), name) for name in names}}), flush=True)
    gdb.execute("kill", to_string=True)


main()
