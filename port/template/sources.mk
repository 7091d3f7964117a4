# SPDX-License-Identifier: BSD-2-Clause
# The files of this port. decode.c, when there is one, is compiled on the host too; list under
# EXTERNALS what the firmware's link must supply (nothing, if it can be).
PORT_SOURCES := port.c
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c
HOST_SOURCES :=
# Why no firmware is compiled with the port; remove the line from a port for firmware.
NO_FIRMWARE := the CPU is empty
