# SPDX-License-Identifier: BSD-2-Clause
"""Example: the first call of `hot` on a target of labgrid, and a command of its console. usage: labgrid_calls.py ENVIRONMENT.yaml"""
import sys

from labgrid import Environment

import dprobes.labgrid_driver  # noqa: F401 registers the driver

board = Environment(sys.argv[1]).get_target("main")
driver = board.get_driver("DprobesDriver")
driver.insert("name = calls\nvars = 1\noffset = hot\ninc lv, 0\npush lv, 0\nlog 1\n")
print(next(driver.records(timeout=60)).words)
console = board.get_driver("ConsoleProtocol")  # as ShellDriver gets it: the same driver
console.sendline("sum")
print(console.expect(r"text (\w+),", timeout=60)[2].group(1).decode())
board.deactivate(driver)
