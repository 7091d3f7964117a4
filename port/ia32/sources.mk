# SPDX-License-Identifier: BSD-2-Clause
# The files of the IA32 port: ring 0, flat segments of 32 bits.
PORT_SOURCES := decode.c step.c emulate.c slots.c patch.c mem.c time.c vectors.c registers.c entry.S access.S
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c ../dp_scan.c
