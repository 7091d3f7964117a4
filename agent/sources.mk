# SPDX-License-Identifier: BSD-2-Clause
# The agent's files, for `scons release`, which makes one C file of them, protocol/sources.mk and a port's list
# (port/CPU/sources.mk). A firmware compiles that file: README.md. Here include paths are agent protocol port port/CPU.
AGENT_SOURCES := agent.c answer.c bounds.c command.c entries.c hit.c hit_log.c identity.c install.c log_ring.c memory.c move.c \
	own_text.c plan.c point.c probes.c receive.c record_line.c requests.c sites.c store.c stream_line.c text.c text_crc.c the_agent.c transmit.c wake.c work.c
AGENT_VM_SOURCES := rpn_interp.c rpn_log.c rpn_verify.c object_verify.c task.c
# Of one feature: not needed where DP_WITH_NAME is 0 (dp_config.h).
LANGUAGE_SOURCES := rpn_trace.c variables.c
INTEGRITY_SOURCES := integrity.c keep.c patrol.c seal.c site_check.c tables.c
STREAM_SOURCES := clock.c items.c notice.c owner.c resend.c ring_full.c sent.c status_lines.c
SHARED_LINE_SOURCES := console.c held_frames.c
CHECKS_SOURCES := object_rules.c ranges_request.c
MODULES_SOURCES := module.c module_arm.c module_names.c
STORM_SOURCES := governor.c storm.c
TEXT_SOURCES := text_request.c
ACCESS_SOURCES := rights.c
TYPED_SOURCES := typed.c typed_line.c
D_SOURCES := event.c map_place.c map_request.c map_rules.c rpn_bucket.c rpn_long.c rpn_map.c rpn_string.c stop.c
# A small agent (README.md).
SMALL_DEFINES := DP_WITH_ALL=0 DP_WITH_SHARED_LINE=1 DP_WITH_TEXT=1 \
	DP_STACK_WORDS=64 DP_LOG_MAX=128 DP_MAX_PROBES=16 DP_MAX_PROGRAMS=4 DP_ARENA_BYTES=4096 DP_RING_BYTES=2048 \
	DP_GVARS=16 DP_RX_LINES=4 DP_CONSOLE_BYTES=64 DP_CRC_TABLE=0
# Once per word size and byte order in a program that needs several (the host tool); else once.
PER_FORM := map_place.c rpn_bucket.c rpn_interp.c rpn_log.c rpn_long.c rpn_map.c rpn_string.c rpn_trace.c task.c
# Calls through pointers, for the worst stack: of a hit, of the tables of requests and of features.
INDIRECT_CALLS := \
  serve_requests?:dp_command_run \
  dp_execute:do_hello,do_limits,do_module,do_status,do_close,do_begin,do_data,do_commit,do_remove,do_stop,do_program,do_probe,do_log,do_probes?,dp_do_name?,dp_do_vars?,dp_do_text?,dp_do_original?,dp_do_prove?,dp_do_map?,dp_do_resend? \
  dp_init:restore?,start?,has_keep? dp_poll:patrol?,poll?,polled?,stop_due?
# Functions that return at once when a hit calls them: what they call takes no stack of a hit.
NOT_IN_HITS := dp_event_run
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS := -ffreestanding -fno-stack-protector -fno-pic -fno-pie
FLAGS_GCC := -fno-tree-loop-distribute-patterns
FLAGS_CLANG :=
