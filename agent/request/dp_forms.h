/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the agent finds each field of its answers, and from that the forms of all answers
 * (dp_form.h). For requests.c alone. */
#ifndef DP_FORMS_H
#define DP_FORMS_H

#include "dp_build.h"
#include "dp_exchange.h"
#include "dp_fields.h"
#include "dp_form.h"

enum {
	DP_AGENT_VERSION = 0x0001,
	/* excpt_log is not checked without these */
	DP_TRACE_MAX_TOLD = DP_WITH_LANGUAGE || DP_WITH_CHECKS ? DP_TRACE_MAX : 0xffff,
};

#define DP_OF_AGENT(wire, member)       DP_FORM_##wire(struct dp_agent, member)
#define DP_OF_AGENT_BYTES(wire, member) DP_FORM_BYTES_##wire(offsetof(struct dp_agent, member))
#define DP_OF_RING(wire, member)        DP_FORM_##wire(struct dp_ring, member)
#define DP_OF_EXCHANGE(wire, member)    DP_FORM_##wire(struct dp_exchange, member)
#define DP_OF_PROGRAM(wire, member)     DP_FORM_##wire(struct dp_program, member)
#define DP_OF_MODULE(wire, member)      DP_FORM_##wire(struct dp_module, member)
#define DP_OF_PROBE(wire, member)       DP_FORM_##wire(struct dp_probe, member)
#define DP_OF_SITE(wire, member)        DP_FORM_##wire(struct dp_site, member)
#define DP_OF_POINT(wire, offset)       DP_FORM_BYTES_##wire(offset)
#define DP_OF_TRAITS(wire, offset)      DP_FORM_BYTES_##wire(offset)

/* --- sources --- */

#define DP_hello_answer_version       DP_BUILD(DP_PROTOCOL_VERSION)
#define DP_hello_answer_boot          DP_FROM(AGENT, boot)
#define DP_hello_answer_cpu           DP_BUILD(DP_PORT_CPU)
#define DP_hello_answer_word_bytes    DP_BUILD(sizeof(dp_word))
#define DP_hello_answer_big_endian    DP_BUILD(DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE)
#define DP_hello_answer_groups        DP_BUILD(DP_PORT_GROUPS &DP_BUILD_GROUPS)
#define DP_hello_answer_phases        DP_BUILD(DP_BUILD_PHASES)
#define DP_hello_answer_coms          DP_FROM(EXCHANGE, n.hello.coms)
#define DP_hello_answer_window        DP_BUILD(DP_RX_LINES)
#define DP_hello_answer_profile       DP_BUILD(DP_PROFILE)
#define DP_hello_answer_rights        DP_ALSO(EXCHANGE, n.hello.rights)
#define DP_hello_answer_hz            DP_ALSO(EXCHANGE, n.hello.hz)
#define DP_hello_answer_ticks         DP_ALSO(EXCHANGE, n.hello.ticks)
#define DP_hello_answer_programs      DP_FROM(AGENT, programs)
#define DP_hello_answer_modules       DP_ALSO(AGENT, module_count)
#define DP_hello_answer_agent_version DP_BUILD(DP_AGENT_VERSION)
#define DP_hello_answer_parts         DP_BUILD(DP_PARTS)
#define DP_hello_answer_log_max       DP_BUILD(DP_LOG_MAX)
#define DP_hello_answer_trace_max     DP_BUILD(DP_TRACE_MAX_TOLD)
#define DP_hello_answer_nonce         DP_ALSO(AGENT_BYTES, nonce)
#define DP_hello_answer_more_parts    DP_BUILD(DP_MORE_PARTS)

#define DP_limits_answer_log              DP_BUILD(DP_LOG_MAX)
#define DP_limits_answer_trace            DP_BUILD(DP_TRACE_MAX)
#define DP_limits_answer_vars             DP_BUILD(RPN_VARS_MAX)
#define DP_limits_answer_gvars            DP_BUILD(DP_WITH_LANGUAGE ? DP_GVARS : 0)
#define DP_limits_answer_jmpmax           DP_BUILD(0xffff)
#define DP_limits_answer_stack            DP_BUILD(DP_STACK_WORDS)
#define DP_limits_answer_budget           DP_BUILD(DP_STEP_BUDGET)
#define DP_limits_answer_arena            DP_BUILD(DP_ARENA_BYTES)
#define DP_limits_answer_arena_free       DP_FROM(EXCHANGE, n.limits.arena_free)
#define DP_limits_answer_probes           DP_BUILD(DP_MAX_PROBES)
#define DP_limits_answer_probes_free      DP_ALSO(EXCHANGE, n.limits.probes_free)
#define DP_limits_answer_programs         DP_BUILD(DP_MAX_PROGRAMS)
#define DP_limits_answer_slots            DP_ALSO(EXCHANGE, n.limits.slots)
#define DP_limits_answer_slots_free       DP_ALSO(EXCHANGE, n.limits.slots_free)
#define DP_limits_answer_ring             DP_BUILD(DP_RING_BYTES)
#define DP_limits_answer_agent_bytes      DP_BUILD(sizeof(struct dp_agent))
#define DP_limits_answer_stack_high_water DP_ALSO(EXCHANGE, n.limits.stack_used)
#define DP_limits_answer_bounds           DP_FROM(AGENT, bounds)
#define DP_limits_answer_hits_per_second  DP_BUILD(DP_GOVERNOR ? DP_HITS_PER_SECOND : 0)
#if DP_WITH_ACCESS
#define DP_limits_answer_nonce_source DP_FROM(EXCHANGE, n.limits.nonce_source)
#else
#define DP_limits_answer_nonce_source DP_BUILD(0) /* without a key nobody needs to know */
#endif

#define DP_hardware_answer_kinds       DP_BUILD(DP_PORT_WATCH_KINDS)
#define DP_hardware_answer_after       DP_FROM(EXCHANGE, n.hardware.after)
#define DP_hardware_answer_shared      DP_BUILD(DP_PORT_WATCH_SHARED)
#define DP_hardware_answer_code        DP_ALSO(EXCHANGE, n.hardware.code)
#define DP_hardware_answer_code_free   DP_ALSO(EXCHANGE, n.hardware.code_free)
#define DP_hardware_answer_data        DP_ALSO(EXCHANGE, n.hardware.data)
#define DP_hardware_answer_data_free   DP_ALSO(EXCHANGE, n.hardware.data_free)
#define DP_hardware_answer_compared    DP_ALSO(EXCHANGE, n.hardware.compared)
#define DP_hardware_answer_text_writes DP_FROM(AGENT, text_writes)
#define DP_hardware_answer_lacks       DP_FROM(EXCHANGE, n.hardware.lacks)
#define DP_hardware_answer_sample_hz   DP_ALSO(EXCHANGE, n.hardware.sample_hz)
#define DP_hardware_answer_timers      DP_BUILD(DP_WITH_TIMERS ? DP_TIMERS : 0)
#define DP_hardware_answer_timers_free DP_FROM(EXCHANGE, n.hardware.timers_free)
#define DP_hardware_answer_vectors     DP_ALSO(EXCHANGE, n.hardware.vectors)
#define DP_hardware_answer_vector      DP_ALSO(EXCHANGE, n.hardware.vector)
#define DP_hardware_answer_leads_to    DP_ALSO(EXCHANGE, n.hardware.leads_to)
#define DP_hardware_answer_text_by     DP_ALSO(EXCHANGE, n.hardware.text_by)

#define DP_module_answer_type       DP_FROM(EXCHANGE, n.module.type)
#define DP_module_answer_identity   DP_ALSO(EXCHANGE, n.module.identity)
#define DP_module_answer_base       DP_FROM(MODULE, base)
#define DP_module_answer_bytes      DP_ALSO(MODULE, bytes)
#define DP_module_answer_linked     DP_FROM(EXCHANGE, n.module.linked)
#define DP_module_answer_id         DP_ALSO(EXCHANGE, n.module.id)
#define DP_module_answer_name_bytes DP_ALSO(EXCHANGE, n.module.name_bytes)
#define DP_module_answer_name       DP_ALSO(EXCHANGE, tail)

#define DP_status_answer_programs     DP_FROM(AGENT, programs)
#define DP_status_answer_probes       DP_ALSO(AGENT, probes)
#define DP_status_answer_log_target   DP_ALSO(AGENT, transmit.target)
#define DP_status_answer_log_mode     DP_ALSO(AGENT, transmit.mode)
#define DP_status_answer_sent         DP_FROM(RING, next.number)
#define DP_status_answer_dropped      DP_ALSO(RING, dropped)
#define DP_status_answer_missed       DP_ALSO(RING, missed)
#define DP_status_answer_withdrawn    DP_ALSO(RING, withdrawn)
#define DP_status_answer_strays       DP_FROM(AGENT, strays)
#define DP_status_answer_line         DP_FROM(EXCHANGE, com)
#define DP_status_answer_own_text     DP_ALSO(EXCHANGE, n.own_text)
#define DP_status_answer_text_dropped DP_FROM(AGENT, text_dropped)

#define DP_prove_answer_rights DP_FROM(EXCHANGE, n.hello.rights)

#define DP_begin_answer_transaction DP_FROM(AGENT, upload.transaction)

#define DP_data_answer_transaction DP_FROM(EXCHANGE, argument[DP_AT_data_request_transaction])
#define DP_data_answer_have        DP_FROM(AGENT, upload.received[0].end)
#define DP_data_answer_behind      DP_FROM(EXCHANGE, tail)

#define DP_check_answer_refusal DP_FROM(EXCHANGE, n.commit.verdict.refusal)
#define DP_check_answer_probe   DP_ALSO(EXCHANGE, n.commit.verdict.probe)
#define DP_check_answer_where   DP_ALSO(EXCHANGE, n.commit.verdict.where)
#define DP_check_answer_found   DP_ALSO(EXCHANGE, n.commit.verdict.found)
#if DP_WORD_BITS == 64
#define DP_check_answer_found_above  DP_FROM(EXCHANGE, n.commit.verdict.found_above)
#define DP_commit_answer_found_above DP_FROM(EXCHANGE, n.commit.verdict.found_above)
#else
#define DP_check_answer_found_above  DP_BUILD(0)
#define DP_commit_answer_found_above DP_BUILD(0)
#endif
#define DP_commit_answer_refusal DP_FROM(EXCHANGE, n.commit.verdict.refusal)
#define DP_commit_answer_probe   DP_ALSO(EXCHANGE, n.commit.verdict.probe)
#define DP_commit_answer_where   DP_ALSO(EXCHANGE, n.commit.verdict.where)
#define DP_commit_answer_found   DP_ALSO(EXCHANGE, n.commit.verdict.found)
#define DP_commit_answer_program DP_ALSO(EXCHANGE, n.commit.program)
#define DP_commit_answer_armed   DP_ALSO(EXCHANGE, n.commit.armed)
#define DP_commit_answer_waiting DP_ALSO(EXCHANGE, n.commit.waiting)

#define DP_remove_answer_removed DP_FROM(EXCHANGE, n.removed)

#define DP_stop_answer_records DP_FROM(EXCHANGE, n.records)

#define DP_program_answer_index      DP_FROM(EXCHANGE, argument[DP_AT_program_request_program])
#define DP_program_answer_id         DP_FROM(PROGRAM, view.id)
#define DP_program_answer_major      DP_ALSO(PROGRAM, view.major)
#define DP_program_answer_items      DP_ALSO(PROGRAM, items)
#define DP_program_answer_probes     DP_ALSO(PROGRAM, probes)
#define DP_program_answer_state      DP_FROM(EXCHANGE, n.program.state)
#define DP_program_answer_crc        DP_FROM(PROGRAM, crc)
#define DP_program_answer_bytes      DP_ALSO(PROGRAM, bytes)
#define DP_program_answer_vars       DP_ALSO(PROGRAM, view.vars)
#define DP_program_answer_name_bytes DP_FROM(EXCHANGE, n.program.name_bytes)
#define DP_program_answer_name       DP_ALSO(EXCHANGE, tail)

#define DP_probe_answer_number     DP_FROM(EXCHANGE, n.probe.number)
#define DP_probe_answer_state      DP_FROM(PROBE, state)
#define DP_probe_answer_minor      DP_FROM(POINT, DP_PT_MINOR)
#define DP_probe_answer_isa        DP_FROM(TRAITS, DP_TR_ISA)
#define DP_probe_answer_address    DP_FROM(SITE, address)
#define DP_probe_answer_original   DP_ALSO(SITE, original)
#define DP_probe_answer_insn_bytes DP_ALSO(SITE, insn_bytes)
#define DP_probe_answer_hits       DP_FROM(EXCHANGE, n.probe.hits)
#define DP_probe_answer_missed     DP_FROM(PROBE, missed)
#define DP_probe_answer_ignored    DP_FROM(EXCHANGE, n.probe.ignored)
#define DP_probe_answer_faulted    DP_FROM(PROBE, faulted)
#define DP_probe_answer_dropped    DP_ALSO(PROBE, dropped)
#define DP_probe_answer_point      DP_FROM(EXCHANGE, argument[DP_AT_probe_request_index])
#define DP_probe_answer_overruns   DP_FROM(PROBE, overruns_total)
#define DP_probe_answer_kind       DP_FROM(TRAITS, DP_TR_KIND)
#define DP_probe_answer_phase      DP_ALSO(TRAITS, DP_TR_PHASE)
#define DP_probe_answer_flags      DP_ALSO(TRAITS, DP_TR_FLAGS)
#define DP_probe_answer_maxhits    DP_ALSO(TRAITS, DP_TR_MAXHITS)

#define DP_site_answer_means      DP_FROM(EXCHANGE, n.site.means)
#define DP_site_answer_comparator DP_ALSO(EXCHANGE, n.site.comparator)
#define DP_site_answer_paused     DP_ALSO(EXCHANGE, n.site.paused)
#define DP_site_answer_ignored    DP_ALSO(EXCHANGE, n.site.ignored)
#define DP_site_answer_first      DP_ALSO(EXCHANGE, n.site.first)
#define DP_site_answer_covers     DP_ALSO(EXCHANGE, n.site.covers)

/* The rows stand in the answer when the form is given. */
#define DP_probes_answer_rows DP_FROM(EXCHANGE, tail)

#define DP_name_answer_name DP_FROM(EXCHANGE, tail)

#define DP_vars_answer_there DP_FROM(EXCHANGE, n.vars)
#define DP_vars_answer_words DP_ALSO(EXCHANGE, tail)

#define DP_map_answer_next    DP_FROM(EXCHANGE, n.map.next)
#define DP_map_answer_dropped DP_ALSO(EXCHANGE, n.map.dropped)
#define DP_map_answer_entries DP_ALSO(EXCHANGE, tail)

#define DP_store_answer_stored DP_FROM(EXCHANGE, n.memory.stored)

#define DP_memory_answer_failed DP_FROM(EXCHANGE, n.memory.failed)
#define DP_memory_answer_bytes  DP_ALSO(EXCHANGE, tail)

#define DP_halt_answer_why DP_FROM(EXCHANGE, n.halt.why)
#define DP_halt_answer_pc  DP_ALSO(EXCHANGE, n.halt.pc)

#define DP_step_answer_refusal DP_FROM(EXCHANGE, n.step.refusal)
#define DP_step_answer_pc      DP_ALSO(EXCHANGE, n.step.pc)
#define DP_step_answer_left    DP_ALSO(EXCHANGE, n.step.left)

#define DP_regs_answer_failed DP_FROM(EXCHANGE, n.regs.failed)
#define DP_regs_answer_words  DP_ALSO(EXCHANGE, tail)

#define DP_core_answer_covered DP_FROM(EXCHANGE, n.core.covered)
#define DP_core_answer_failed  DP_ALSO(EXCHANGE, n.core.failed)
#define DP_core_answer_runs    DP_ALSO(EXCHANGE, tail)

#define DP_flight_answer_state DP_FROM(EXCHANGE, n.flight.state)
#define DP_flight_answer_boot  DP_ALSO(EXCHANGE, n.flight.boot)
#define DP_flight_answer_size  DP_ALSO(EXCHANGE, n.flight.size)
#define DP_flight_answer_end   DP_ALSO(EXCHANGE, n.flight.end)
#define DP_flight_answer_bytes DP_ALSO(EXCHANGE, tail)

#define DP_embed_answer_state    DP_FROM(EXCHANGE, n.embed.told.state)
#define DP_embed_answer_count    DP_ALSO(EXCHANGE, n.embed.told.count)
#define DP_embed_answer_refused  DP_ALSO(EXCHANGE, n.embed.told.refused)
#define DP_embed_answer_error    DP_ALSO(EXCHANGE, n.embed.told.error)
#define DP_embed_answer_starts   DP_ALSO(EXCHANGE, n.embed.told.starts)
#define DP_embed_answer_programs DP_ALSO(EXCHANGE, n.embed.programs)
#define DP_embed_answer_flying   DP_ALSO(EXCHANGE, n.embed.flying)

#define DP_original_answer_bytes DP_FROM(EXCHANGE, tail)

#define DP_log_answer_target DP_FROM(AGENT, transmit.target)
#define DP_log_answer_mode   DP_ALSO(AGENT, transmit.mode)
#define DP_log_answer_form   DP_ALSO(AGENT, transmit.form)

#define DP_ranges_answer_start  DP_FROM(EXCHANGE, n.ranges.row.start)
#define DP_ranges_answer_bytes  DP_ALSO(EXCHANGE, n.ranges.row.bytes)
#define DP_ranges_answer_access DP_ALSO(EXCHANGE, n.ranges.row.access)
#define DP_ranges_answer_rows   DP_ALSO(EXCHANGE, n.ranges.rows)

#define DP_resend_answer_first DP_FROM(EXCHANGE, n.resend.first)
#define DP_resend_answer_count DP_ALSO(EXCHANGE, n.resend.count)
#define DP_resend_answer_next  DP_ALSO(EXCHANGE, n.resend.next)

#define DP_text_answer_crc   DP_FROM(EXCHANGE, n.text.crc)
#define DP_text_answer_sites DP_ALSO(EXCHANGE, n.text.sites)

/* --- forms --- */

/* Without HALT or HISTORY its answers have no forms. */
#define DP_FORMS_OF_HALT(...)    DP_IF(DP_WITH_HALT, __VA_ARGS__)
#define DP_FORMS_OF_HISTORY(...) DP_IF(DP_WITH_HISTORY, __VA_ARGS__)

#define DP_ONLY_answer(...)       __VA_ARGS__
#define DP_MESSAGE(message, kind) DP_ONLY_##kind(DP_CHECK_MESSAGE(message, kind))
#define DP_FIELD(message, of_kind, field, wire, meaning)                                           \
	DP_ONLY_##of_kind(DP_CHECK_FIELD(message, of_kind, field))
enum {
#define DP_OF_HALT    DP_FORMS_OF_HALT
#define DP_OF_HISTORY DP_FORMS_OF_HISTORY
#include "messages.def"
};

/* clang-format off */
/* The forms one behind the other: the number of a form is that of its command. */
#define DP_ONLY_answer(...)                                  __VA_ARGS__
#define DP_MESSAGE(message, of_kind)                         DP_ONLY_##of_kind(uint8_t message##_answer[1)
#define DP_FIELD(message, of_kind, field, wire, meaning)     DP_ONLY_##of_kind(+ DP_FORM_ROW_BYTES(message, of_kind, field, wire))
#define DP_END(message, of_kind)                             DP_ONLY_##of_kind(];)
#define DP_NOTHING(message, of_kind)                         DP_ONLY_##of_kind(uint8_t message##_answer[1];)
struct forms {
#define DP_OF_HALT    DP_FORMS_OF_HALT
#define DP_OF_HISTORY DP_FORMS_OF_HISTORY
#include "messages.def"
};

#define DP_ONLY_answer(...)                                  __VA_ARGS__
#define DP_MESSAGE(message, of_kind)                         DP_ONLY_##of_kind(.message##_answer = {)
#define DP_FIELD(message, of_kind, field, wire, meaning)     DP_ONLY_##of_kind(DP_FORM_ROW(message, of_kind, field, wire))
#define DP_END(message, of_kind)                             DP_ONLY_##of_kind(DP_FORM_END},)
#define DP_NOTHING(message, of_kind)                         DP_ONLY_##of_kind(.message##_answer = {DP_FORM_END},)
static const struct forms forms = {
#define DP_OF_HALT    DP_FORMS_OF_HALT
#define DP_OF_HISTORY DP_FORMS_OF_HISTORY
#include "messages.def"
};
/* clang-format on */

#endif
