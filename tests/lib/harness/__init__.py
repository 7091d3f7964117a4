# SPDX-License-Identifier: BSD-2-Clause
"""What the tests share: where things are, child processes, QEMU, the tool."""
