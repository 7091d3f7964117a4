# SPDX-License-Identifier: BSD-2-Clause
# The simulated CPU, for tests and for dprobes simulate.
SIM_SOURCES := sim.c sim_exception.c sim_port.c sim_watch.c
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_scan.c
PER_FORM := sim_port.c ../dp_slots.c ../dp_patch.c ../dp_scan.c
NO_FIRMWARE := the CPU is a program of the host
