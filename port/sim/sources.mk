# SPDX-License-Identifier: BSD-2-Clause
# The port that runs the agent inside a Linux process.
PORT_SOURCES := sim.c sim_port.c sim_exception.c
# What depends on word size and byte order.
PER_FORM := sim_port.c
