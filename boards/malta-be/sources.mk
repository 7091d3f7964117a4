# SPDX-License-Identifier: BSD-2-Clause
# malta, big-endian.
include ../malta/sources.mk
CROSS = mips-linux-gnu-
NEWLIB = mips-elf
QEMU = qemu-system-mips
