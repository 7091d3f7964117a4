# SPDX-License-Identifier: BSD-2-Clause
# What to compile into your firmware: these, protocol/sources.mk, and one port's list
# (port/CPU/sources.mk). Include paths: agent protocol port port/CPU.
AGENT_SOURCES := agent.c answer.c command.c hit.c install.c log_ring.c memory.c receive.c sites.c store.c text.c transmit.c
AGENT_VM_SOURCES := rpn_interp.c rpn_log.c rpn_verify.c object_verify.c
# Not needed where DP_WITH_NAME is 0 (dp_config.h).
TRACES_SOURCES := rpn_trace.c
MODULES_SOURCES := module.c
TEXT_SOURCES := text_crc.c
NOTICES_SOURCES := notice.c
PATROL_SOURCES := patrol.c
TABLES_SOURCES := tables.c
RESTART_SOURCES := keep.c
CONSOLE_SOURCES := console.c
OWN_TEXT_SOURCES := own_text.c
TIMES_SOURCES := clock.c
# A small agent (README.md).
SMALL_DEFINES := DP_WITH_ALL=0 DP_WITH_SYNC=1 DP_WITH_COM2=1 DP_WITH_CONSOLE=1 DP_WITH_TEXT=1 DP_WITH_IDENTITY=0 DP_WITH_LOG=1 DP_WITH_VARS=1 \
	DP_STACK_WORDS=64 DP_LOG_MAX=128 DP_MAX_PROBES=16 DP_MAX_PROGRAMS=4 DP_ARENA_BYTES=4096 DP_RING_BYTES=2048 \
	DP_GVARS=16 DP_CRC_TABLE=0
# Once per word size and byte order in a program that needs several (the host tool); else once.
PER_FORM := rpn_interp.c rpn_log.c rpn_trace.c
# What is called through the table of command.c, for the worst stack.
INDIRECT_CALLS := \
  dp_command_run:do_hello,do_limits?,do_module,do_status,do_begin,do_data,do_commit,do_remove,do_program,do_probe,do_name?,do_vars?,do_log?,do_text?
