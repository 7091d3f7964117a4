# SPDX-License-Identifier: BSD-2-Clause
# Between a firmware and the agent: dprobes.c goes into every agent, a firmware chooses one of the others.
GLUE_SOURCES := dprobes.c
FIRMWARE_GLUE := baremetal.c bootloader.c freertos.c freertos_hooks.h nuttx.c dprobes_settled.h dprobes_start.h
