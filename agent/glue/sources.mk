# SPDX-License-Identifier: BSD-2-Clause
# Between a firmware and the agent. dprobes.c goes into every firmware; the others are compiled with the
# firmware that they are for.
GLUE_SOURCES := dprobes.c
