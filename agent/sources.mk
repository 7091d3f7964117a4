# SPDX-License-Identifier: BSD-2-Clause
# The agent's files, for `scons release`, which makes one C file of them, protocol/sources.mk and a port's list
# (port/CPU/sources.mk). A firmware compiles that file: README.md. Here include paths are agent, its floors, protocol port port/CPU.
# The floors, from the ground up: a file may use files of lower floors (tests/agent/test_layers_agent.py).
FLOORS := base vm line sites hit request
AGENT_SOURCES := base/lock.c base/memory.c \
	line/answer.c line/log_ring.c line/receive.c line/record_line.c line/stream_line.c line/transmit.c line/wake.c \
	sites/bounds.c sites/break.c sites/draft.c sites/entries.c sites/exit_site.c sites/identity.c sites/move.c sites/plan.c sites/point.c sites/probes.c sites/returned.c sites/sites.c sites/store.c sites/text.c sites/text_crc.c sites/watch_check.c sites/watches.c \
	hit/handlers.c hit/hit.c hit/hit_end.c hit/hit_log.c hit/own_text.c hit/stepped.c hit/watched.c \
	request/agent.c request/command.c request/exits.c request/install.c request/requests.c request/work.c
AGENT_VM_SOURCES := vm/object_verify.c vm/plan_code.c vm/rpn_interp.c vm/rpn_log.c vm/rpn_verify.c vm/task.c
# Of one feature: not needed where DP_WITH_NAME is 0 (dp_config.h).
LANGUAGE_SOURCES := vm/rpn_access.c vm/rpn_trace.c request/variables.c
INTEGRITY_SOURCES := sites/keep.c sites/site_sum.c sites/site_check.c sites/tables.c request/integrity.c request/patrol.c
STREAM_SOURCES := base/clock.c line/items.c line/notice.c line/owner.c line/ring_full.c line/sent.c line/status_lines.c request/resend.c
COMPACT_SOURCES := line/compact_line.c
SHARED_LINE_SOURCES := line/console.c line/held_frames.c
CHECKS_SOURCES := vm/object_rules.c request/ranges_request.c request/hardware_request.c
MODULES_SOURCES := sites/module_names.c request/module.c request/module_arm.c
STORM_SOURCES := sites/governor.c hit/storm.c
TEXT_SOURCES := request/text_request.c
ACCESS_SOURCES := request/rights.c request/sealed.c request/secret.c
MEMORY_SOURCES := request/memory_request.c
HALT_SOURCES := hit/halt.c hit/halt_place.c hit/halt_step.c request/halt_request.c
HISTORY_SOURCES := vm/rpn_spec.c hit/core_log.c hit/flight.c hit/speculate.c request/core_request.c request/embed.c request/flight_request.c
TYPED_SOURCES := line/typed_line.c request/typed.c
TIMERS_SOURCES := sites/timers.c hit/timer_run.c
COUNTS_SOURCES := vm/map_place.c vm/map_rules.c vm/rpn_map.c request/map_request.c
D_SOURCES := vm/rpn_bucket.c vm/rpn_long.c vm/rpn_string.c hit/event.c request/stop.c
# Once per word size and byte order in a program that needs several (the host tool); else once.
PER_FORM := vm/map_place.c vm/plan_code.c vm/rpn_access.c vm/rpn_bucket.c vm/rpn_interp.c vm/rpn_log.c vm/rpn_long.c vm/rpn_map.c vm/rpn_spec.c vm/rpn_string.c vm/rpn_trace.c vm/task.c
# Calls through pointers, for the worst stack: of a hit, of the tables of requests and of features.
INDIRECT_CALLS := \
  dp_hit_serve?:dp_command_run serve_stopped?:dp_command_run serve_sample?:dp_command_run \
  dp_execute:do_hello,do_limits,do_module,do_status,do_close,do_begin,do_data,do_commit,do_remove,do_stop,do_program,do_probe,do_log,do_probes?,dp_do_name?,dp_do_vars?,dp_do_text?,dp_do_original?,dp_do_prove?,dp_do_map?,dp_do_resend?,dp_do_hardware?,dp_do_site?,dp_do_memory?,dp_do_store?,dp_do_halt?,dp_do_regs?,dp_do_resume?,dp_do_core?,dp_do_flight?,dp_do_embed?,dp_do_step? \
  dp_point_check?:dp_break_check?,check_event?,dp_timer_check?,dp_watch_check? dp_probe_arm?:arm_at_site?,arm_event?,dp_timer_arm? dp_probe_disarm?:leave_site?,disarm_event?,dp_timer_disarm? \
  dp_init:restore?,start?,has_keep?,start_history? do_work:patrol?,poll?,polled?,reached_poll?,send_due?,stop_due?,ticks_due?
# Functions that return at once when a hit calls them: what they call takes no stack of a hit.
NOT_IN_HITS := dp_event_run
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
# They take back a firmware's sanitizers and profilers, whose functions a hit must not call; -pg cannot be taken back.
FLAGS := -ffreestanding -fno-stack-protector -fno-pic -fno-pie -fno-sanitize=all -fno-profile-generate
FLAGS_GCC := -fno-tree-loop-distribute-patterns -fno-instrument-functions
FLAGS_CLANG :=
