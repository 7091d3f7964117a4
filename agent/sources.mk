# SPDX-License-Identifier: BSD-2-Clause
# What to compile into your firmware: these, protocol's two shared files, and one port's list
# (port/CPU/sources.mk). Include paths: agent protocol port port/CPU.
AGENT_SOURCES := agent.c command.c hit.c install.c keep.c log_ring.c receive.c sites.c store.c text.c transmit.c
AGENT_VM_SOURCES := object_verify.c rpn_interp.c rpn_log.c rpn_trace.c rpn_verify.c
# What depends on word size and byte order; the host compiles it for each.
PER_FORM := rpn_interp.c rpn_log.c rpn_trace.c
PROTOCOL_SOURCES := dp_crc.c dp_frame.c dp_record.c
