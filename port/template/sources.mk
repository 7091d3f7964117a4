# SPDX-License-Identifier: BSD-2-Clause
# The files of this port. decode.c, when there is one, is compiled on the host too; list under
# EXTERNALS what the firmware's link must supply (nothing, if it can be).
PORT_SOURCES := port.c
HOST_SOURCES :=
