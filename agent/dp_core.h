/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the core offer one another. `agent` is the one agent of this image: the trap
 * entry has no other way to find it. */
#ifndef DP_CORE_H
#define DP_CORE_H

#include <stdarg.h>

#include "dp_agent.h"
#include "dp_bytes.h"
#include "dp_parts.h"
#include "dp_verify.h"

enum {
	DP_BUILD_GROUPS = DP_PROFILE == DP_PROFILE_FULL ? RPN_GROUP_ALL
							: RPN_GROUP_ALL & ~RPN_GROUP_DESTRUCTIVE,
	DP_AGENT_PHASES = DP_WITH_PHASES ? DP_PORT_PHASES : DP_PORT_PHASES & 1u << DP_PHASE_BEFORE
};

extern struct dp_agent *dp_the_agent; /* agent.c; null before dp_init */

/* --- text.c: what lies where in memory --- */

/* May this address carry a probe? DP_ERR_OK, NOT_TEXT or IN_AGENT. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes);
/* own_text.c: do the board's ranges let code be probed that runs in every hit? One function speaks
 * for each folder, since linker scripts place by folder, and the transmit functions for themselves.
 */
bool dp_text_own(const struct dp_agent *agent);
/* Text as it was before any probe. Returns false when not readable. dp_original_at's type. */
bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count);
/* text_crc.c: CRC-32 of memory; original: with traps taken out. False when not readable. sites may
 * be null. */
bool dp_text_crc(const struct dp_agent *agent, dp_addr address, uint32_t bytes, bool original,
		 uint32_t *crc, uint16_t *sites);

/* The tables lie deep in the agent: with the address of an entry in a register of its own, not
 * computed anew from the agent's, its members are in reach of short instructions. */
#define DP_NEAR(pointer) __asm__("" : "+r"(pointer))

/* --- sites.c: address -> site --- */
static inline unsigned dp_site_bucket(dp_addr address)
{
	return (unsigned)((address >> 1) ^ (address >> 7)) & (DP_MAX_PROBES - 1);
}
/* The site at the address, or null. dp_site_find is the same out of line. */
static inline __attribute__((always_inline)) struct dp_site *dp_site_lookup(struct dp_agent *agent,
									    dp_addr address)
{
	unsigned i = agent->bucket[dp_site_bucket(address)];

	while (i != DP_NONE) {
		struct dp_site *site = &agent->site[i];

		DP_NEAR(site);
		if (site->address == address)
			return site;
		i = agent->site_next[i];
	}
	return NULL;
}
struct dp_site *dp_site_find(struct dp_agent *agent, dp_addr address);
/* Put the site into the bucket of its address. */
void dp_site_link(struct dp_agent *agent, unsigned index);
/* A free entry with address set, linked into its bucket; null when full. */
struct dp_site *dp_site_take(struct dp_agent *agent, dp_addr address);
void dp_site_drop(struct dp_agent *agent, struct dp_site *site);
/* Arm and disarm, with the keep area always a step ahead of the text. */
enum dp_err dp_site_arm(struct dp_agent *agent, struct dp_site *site);
void dp_site_disarm(struct dp_agent *agent, struct dp_site *site);
/* Is there a trap that could not be taken out, with no probe any more? */
bool dp_site_stuck(const struct dp_agent *agent);
/* Which phases the active probes at the site have; disarm when there are none. */
void dp_site_settle(struct dp_agent *agent, struct dp_site *site);

/* --- keep.c: the patch table that survives a warm restart --- */
/* Put back what a previous run left patched. Returns how many traps were found and replaced. */
uint8_t dp_keep_restore(struct dp_agent *agent);
/* Note what the site is now, its `armed` included. */
void dp_keep_note(struct dp_agent *agent, const struct dp_site *site);
/* The armed site again as it was noted, as far as it was. */
void dp_keep_recall(struct dp_agent *agent, struct dp_site *site);

/* --- hit.c --- */
/* A callback of a hit faulted, and the firmware did not let it go on: what is left of the hit ends
 * here, before dp_poll does anything else. Thread, interrupts masked. */
void dp_hit_recover(struct dp_agent *agent);

/* --- patrol.c --- */
/* Look whether the firmware overwrote traps or programs: a little of them at each call. */
void dp_patrol(struct dp_agent *agent);

/* --- tables.c --- */
/* The armed site, its slot and the probes of its chain are right now: note a checksum of what does
 * not change by hits, and of `phases`, in which dp_site_settle keeps it up. */
void dp_site_seal(struct dp_agent *agent, struct dp_site *site);
/* If they are no longer what was sealed, every probe and program ends as damaged, the text is the
 * original again, and a notice says so. Thread, interrupts masked. */
void dp_tables_check(struct dp_agent *agent, struct dp_site *site);

/* --- store.c: programs and uploads in the arena --- */
static inline uint32_t dp_arena_free(const struct dp_agent *agent)
{
	return DP_ARENA_BYTES - agent->arena_used;
}
static inline uint8_t *dp_upload_bytes(struct dp_agent *agent)
{
	return agent->arena + agent->arena_used;
}
enum dp_err dp_upload_begin(struct dp_agent *agent, uint32_t bytes, uint32_t crc);
enum dp_err dp_upload_data(struct dp_agent *agent, unsigned transaction, uint32_t offset,
			   const uint8_t *data, uint32_t bytes);
/* What the checked upload will be as a program. */
void dp_store_describe(struct dp_agent *agent, struct dp_program *program,
		       const struct dp_layout *layout);
/* Make the described upload an installed program: variables behind it, cleared. *index is its
 * place. Returns DP_ERR_OK, TABLE_FULL or NO_SPACE. */
enum dp_err dp_store_program(struct dp_agent *agent, const struct dp_program *program,
			     uint8_t *index);
/* Forget a program whose probes are gone; the arena closes up: now, or, when a request executes
 * that reads it, in dp_command_close. */
void dp_store_remove(struct dp_agent *agent, uint8_t program);
static inline bool dp_program_there(const struct dp_program *program)
{
	return program->object && !(DP_WITH_STORM && program->gone);
}
/* First program with the name and id of `like` from `from` on, or DP_NONE. */
uint8_t dp_store_find(const struct dp_agent *agent, const struct dp_program *like, unsigned from);
static inline const uint8_t *dp_program_point(const struct dp_program *program, unsigned point)
{
	return program->object + program->points + point * DP_PROBE_BYTES;
}

/* The row of the module that the point is in. */
static inline const uint8_t *dp_program_module(const struct dp_program *program,
					       const uint8_t *point)
{
	return program->object + program->modules +
	       dp_get_u16(point + DP_PT_MODULE) * DP_MODULE_BYTES;
}

/* Entries of the tables by index; out of line, so that what follows works on short offsets. */
struct dp_program *dp_program_at(struct dp_agent *agent, unsigned index);
/* Null for DP_NONE, the end of a chain. */
struct dp_site *dp_site_at(struct dp_agent *agent, unsigned index);
struct dp_probe *dp_probe_at(struct dp_agent *agent, unsigned index);
/* The next one in the chain of its site, or null. */
static inline struct dp_probe *dp_probe_behind(struct dp_agent *agent, const struct dp_probe *probe)
{
	return DP_WITH_CHAINS ? dp_probe_at(agent, probe->next) : NULL;
}

/* --- install.c: all with interrupts masked --- */
/* What CHECK and COMMIT ask for, and what came of it. */
struct dp_commit {
	uint8_t options, items;
	bool install; /* COMMIT */
	uint8_t selection_bytes;
	const uint8_t *selection; /* bitmap, msb first; bytes that are missing select */
	struct dp_verdict verdict;
	union {
		struct {
			uint8_t program, armed, waiting; /* installed: its index, and probes */
		};
		uint32_t installed; /* the three */
	};
};
enum {
	DP_COMMIT_ANY_OPCODE = 0x01,
	DP_COMMIT_MERGE = 0x02,
	DP_COMMIT_REPLACE = 0x04,
	DP_COMMIT_NO_IDENTITY = 0x08,
	DP_COMMIT_OPTIONS = 0x0f,
};
/* Check the upload against verifier and target; install: all of it or nothing. In *commit, verdict
 * and what is installed begin as those of a refusal that found nothing. */
void dp_install(struct dp_agent *agent, struct dp_commit *commit);
void dp_uninstall(struct dp_agent *agent, uint8_t program);
/* Unchain the probe; its site goes with the last one. What has ended (state) does not begin again.
 */
void dp_probe_disarm(struct dp_agent *agent, struct dp_probe *probe);
/* patrol.c: if the firmware overwrote the trap of an armed site: the probes there end with a notice
 * each, and the text is left as found. First dp_tables_check. */
void dp_site_check(struct dp_agent *agent, struct dp_site *site);
/* The probe of a program behind `after`, or its first (null). Null: there are no more. */
struct dp_probe *dp_probe_next(struct dp_agent *agent, unsigned program, struct dp_probe *after);
/* A probe that waits is armed, if its module is there. */
enum dp_err dp_probe_arm(struct dp_agent *agent, struct dp_probe *probe,
			 struct dp_verdict *verdict);
/* Take the probe out of its site's chain; the site goes with the last one. */
void dp_probe_unchain(struct dp_agent *agent, struct dp_probe *probe);
/* A site that no probe is chained to goes: text first, then slot, then entry. */
void dp_site_drop_bare(struct dp_agent *agent, struct dp_site *site);
/* The announced module an object's module row means, or null while it is not there. */
#if DP_WITH_MODULES
const struct dp_module *dp_module_of(const struct dp_agent *agent, const struct dp_program *program,
				     const uint8_t *row);
#else
static inline const struct dp_module *
dp_module_of(const struct dp_agent *agent, const struct dp_program *program, const uint8_t *row)
{
	(void)program;
	(void)row;
	return agent->module;
}
#endif
/* Is it known by a build-id? The image is, where nothing else will do: dp_init has seen to it. */
static inline bool dp_module_stamped(const struct dp_module *module)
{
#if DP_WITH_IDENTITY || DP_WITH_MODULES
	return module->build_id != NULL && module->build_id_bytes != 0;
#else
	(void)module;
	return true;
#endif
}
/* Is the module what the row of the program says it was built against? */
bool dp_module_matches(const struct dp_agent *agent, const struct dp_program *program,
		       const uint8_t *row, const struct dp_module *module);
/* text_crc.c: CRC and length of a module's text, 8 bytes: what it is known by without a build-id.
 * False when it is not readable. */
bool dp_module_identity(const struct dp_agent *agent, const struct dp_module *module, uint8_t *id);
/* module.c: the announced module of that name, or null; never the image. */
const struct dp_module *dp_module_find(const struct dp_agent *agent, const void *name,
				       unsigned bytes);

/* --- log_ring.c --- */
/* Append a record with room for a body of `bytes`. Returns its head, of which only `bytes` is set;
 * null (and counted) when it does not fit. */
struct dp_record *dp_ring_begin(struct dp_ring *ring, unsigned bytes);
/* Where the body of a record just begun goes, for dp_ring_put. */
static inline uint32_t dp_ring_body(const struct dp_ring *ring, const struct dp_record *record)
{
	return (uint32_t)((const uint8_t *)(record + 1) - ring->bytes);
}
/* Write a piece of a body. Returns where the next one goes. */
uint32_t dp_ring_put(struct dp_ring *ring, uint32_t at, const void *bytes, unsigned count);
static inline void dp_ring_commit(struct dp_ring *ring)
{
	ring->committed = ring->head;
}
/* The displaced instruction faulted: void what is not committed, except records of probes with
 * logonfault. */
void dp_ring_abort(struct dp_agent *agent);
/* The oldest record that is not void, where it stands in the ring; null: there is none. */
const struct dp_record *dp_ring_peek(struct dp_ring *ring);
uint8_t dp_ring_byte(const struct dp_ring *ring, unsigned index); /* of the peeked body */
/* The peeked record has been sent. */
void dp_ring_next(struct dp_ring *ring, const struct dp_record *record);

/* --- answer.c: numbers in wire order --- */
/* Widths of numbers in bytes, a digit each, at most 7: DP_WIDTHS(148) is u8, u32, u64. In 16 bits,
 * which an instruction holds: two for each number, the first lowest, and a 1 above the last. */
#define DP_WIDTHS(digits) DP_WIDTHS_OF(0x##digits, sizeof(#digits) - 1)
#define DP_WIDTHS_OF(all, n)                                                                       \
	(uint16_t)((all) == 0 ? 1                                                                  \
			      : 1u << 2 * (n) | DP_WIDTH(all, n, 0) | DP_WIDTH(all, n, 1) |        \
					DP_WIDTH(all, n, 2) | DP_WIDTH(all, n, 3) |                \
					DP_WIDTH(all, n, 4) | DP_WIDTH(all, n, 5) |                \
					DP_WIDTH(all, n, 6))
#define DP_WIDTH(all, n, i)                                                                        \
	((i) < (n) ? DP_WIDTH_CODE((all) >> 4 * ((i) < (n) ? (n)-1 - (i) : 0) & 15) << 2 * (i) : 0)
#define DP_WIDTH_CODE(bytes) ((bytes) == 8 ? 3u : (unsigned)(bytes) / 2u)
void dp_give_bytes(struct dp_answer *answer, const void *bytes, unsigned count);
/* Append a number that stands in `width` bytes of memory. */
void dp_give_number(struct dp_answer *answer, const void *number, unsigned width);
/* Append what the form (dp_form.h) says, out of the structs it names by number. */
void dp_give(struct dp_answer *answer, const uint8_t *form, const void *const *bases);

/* --- receive.c, command.c, transmit.c --- */
/* What is held of a line was text after all. */
void dp_receive_flush(struct dp_agent *agent, unsigned com);
/* console.c: give up on half-received frames after 50 ms without a byte. With TIMES. */
void dp_receive_timeout(struct dp_agent *agent);
/* Execute the oldest request of each line and answer it. in_hit: waits for the transmitter, and
 * answers BUSY to what is not served there. Returns false if there are none, or their lines are not
 * free. */
bool dp_command_run(struct dp_agent *agent, bool in_hit);
/* Between these a request is at something long that changes nothing: interrupts may come and their
 * hits run. In a storm of hits those serve other requests: a REMOVE moves nothing in the arena
 * before dp_command_close, and a HELLO closes the upload; the one that executes is then not
 * answered. */
static inline void dp_command_open(struct dp_agent *agent)
{
	if (DP_WITH_STORM)
		agent->executing = agent->link.last.payload[0];
	dp_port_unmask(agent->link.irq);
}
void dp_command_resume(struct dp_agent *agent); /* for dp_command_close */
static inline void dp_command_close(struct dp_agent *agent)
{
	dp_port_mask();
	if (DP_WITH_STORM)
		dp_command_resume(agent);
}
/* Say something nobody asked for. Numbers of width 8 are passed as uint64_t, all others as 32 bits.
 * Returns false when too many notices wait already. */
#define dp_notice(...)                                                                             \
	do {                                                                                       \
		if (DP_WITH_NOTICES)                                                               \
			dp_notice_put(__VA_ARGS__);                                                \
	} while (0)
bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths, ...);
/* A notice that waits, or a free entry; null: there is none. */
struct dp_notice_out *dp_notice_find(struct dp_agent *agent, bool waiting);
/* Send what fits. wait: until everything queued is out. Returns true while work is left. */
bool dp_transmit_pump(struct dp_agent *agent, bool wait);
/* Send a character; waits for the transmitter. Returns false when that is dead. */
bool dp_transmit_put(const struct dp_com *com, uint8_t byte);
/* Wait until the line under way on com is out. False: the transmitter is dead; the rest of the line
 * stays to be sent. */
bool dp_transmit_flush(struct dp_agent *agent, unsigned com);

/* --- clock.c: the part TIMES; without it the ticks are 0, and so is their rate --- */
uint64_t dp_clock_ticks(const struct dp_agent *agent);
uint32_t dp_clock_hz(const struct dp_agent *agent);
static inline uint64_t dp_now(const struct dp_agent *agent)
{
	return DP_WITH_TIMES ? dp_clock_ticks(agent) : 0;
}
static inline uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	return DP_WITH_TIMES ? dp_clock_hz(agent) : 0;
}

#endif
