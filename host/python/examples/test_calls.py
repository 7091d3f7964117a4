# SPDX-License-Identifier: BSD-2-Clause
"""Example: the firmware calls its function `hot`, and a variable of the program counts the calls."""

PROGRAM = """
name = calls
vars = 1
offset = hot
inc lv, 0
push lv, 0
log 1
"""


def test_hot_is_called(dprobes_board):
    program = dprobes_board.insert(PROGRAM)
    numbers = []
    for record in dprobes_board.records(timeout=60):
        numbers.append(record.words[0])
        if len(numbers) == 3:
            break
    assert numbers == [1, 2, 3]
    assert program.variables()[0] >= 3
