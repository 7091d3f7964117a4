# SPDX-License-Identifier: BSD-2-Clause
# What to compile into your firmware: these, protocol's two shared files, and one port's list
# (port/CPU/sources.mk). Include paths: agent protocol port port/CPU.
AGENT_SOURCES := agent.c command.c hit.c install.c keep.c log_ring.c receive.c sites.c store.c text.c transmit.c
AGENT_VM_SOURCES := rpn_interp.c rpn_verify.c
PROTOCOL_SOURCES := dp_crc.c dp_frame.c dp_record.c
