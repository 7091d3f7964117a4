# SPDX-License-Identifier: BSD-2-Clause
# What to compile into your firmware: these, protocol/sources.mk, and one port's list
# (port/CPU/sources.mk). Include paths: agent protocol port port/CPU.
AGENT_SOURCES := agent.c command.c hit.c install.c keep.c log_ring.c receive.c sites.c store.c text.c transmit.c
AGENT_VM_SOURCES := rpn_interp.c rpn_log.c rpn_trace.c rpn_verify.c object_verify.c
# Once per word size and byte order in a program that needs several (the host tool); else once.
PER_FORM := rpn_interp.c rpn_log.c rpn_trace.c
# caller:callee,callee of calls through pointers, for the worst stack.
INDIRECT_CALLS := dp_verify_object:check_header,check_sections,check_limits,check_names,check_modules,check_points,dp_check_code,check_entries,check_groups
