# SPDX-License-Identifier: BSD-2-Clause
# The ARM port: A32, Thumb and Thumb-2, ARMv5TE to ARMv7-A. Compile the C files for ARM state on
# cores without Thumb-2; include path: port, agent, protocol and this folder.
PORT_SOURCES := decode.c step.c emulate.c slots.c scan.c patch.c mem.c time.c vectors.c registers.c \
	entry.S access.S
