/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the core offer one another. `agent` is the one agent of this image: the trap
 * entry has no other way to find it. */
#ifndef DP_CORE_H
#define DP_CORE_H

#include "dp_agent.h"
#include "dp_verify.h"

extern struct dp_agent *dp_the_agent; /* agent.c; null before dp_init */

/* --- text.c: what lies where in memory --- */

/* The range row that covers `bytes` from address as a whole, or null. */
const struct dp_range *dp_range_find(const struct dp_agent *agent, dp_addr address, dp_addr bytes);
/* May this address carry a probe? DP_ERR_OK, NOT_TEXT or IN_AGENT. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes);
/* Text as it was before any probe. Returns false when not readable. dp_original_at's type. */
bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count);
/* CRC-32 of memory; original: with traps taken out. False when not readable. sites may be null. */
bool dp_text_crc(const struct dp_agent *agent, dp_addr address, uint32_t bytes, bool original,
		 uint32_t *crc, uint16_t *sites);

/* --- sites.c: address -> site --- */
uint8_t dp_site_find(const struct dp_agent *agent, dp_addr address);
/* A free entry with address set, linked into its bucket; DP_NONE when full. */
uint8_t dp_site_take(struct dp_agent *agent, dp_addr address);
void dp_site_drop(struct dp_agent *agent, uint8_t site);
/* Arm and disarm, with the keep area always a step ahead of the text. */
enum dp_err dp_site_arm(struct dp_agent *agent, uint8_t site);
enum dp_err dp_site_disarm(struct dp_agent *agent, uint8_t site);
/* Disarm when no probe at the site is active any more. */
void dp_site_settle(struct dp_agent *agent, uint8_t site);

/* --- keep.c: the patch table that survives a warm restart --- */
/* Put back what a previous run left patched. Returns the sites restored. */
uint8_t dp_keep_restore(struct dp_agent *agent);
void dp_keep_note(struct dp_agent *agent, uint8_t entry, const struct dp_site *site);
void dp_keep_forget(struct dp_agent *agent, uint8_t entry);

/* --- store.c: programs and uploads in the arena --- */
uint8_t *dp_upload_bytes(struct dp_agent *agent);
uint32_t dp_arena_free(const struct dp_agent *agent);
enum dp_err dp_upload_begin(struct dp_agent *agent, uint32_t bytes, uint32_t crc);
enum dp_err dp_upload_data(struct dp_agent *agent, uint16_t transaction, uint32_t offset,
			   const uint8_t *data, uint32_t bytes);
void dp_upload_drop(struct dp_agent *agent);
/* Make the checked upload a program: variables behind it, cleared. Returns the index, or DP_NONE
 * with *error TABLE_FULL or NO_SPACE. */
uint8_t dp_store_program(struct dp_agent *agent, const struct dp_layout *layout,
			 enum dp_err *error);
/* Forget a program whose probes are gone; the arena closes up. */
void dp_store_remove(struct dp_agent *agent, uint8_t program);
/* First program of this name and id from `from` on, or DP_NONE. */
uint8_t dp_store_find(const struct dp_agent *agent, const uint8_t *name, uint8_t name_bytes,
		      uint32_t id, uint8_t from);
static inline const uint8_t *dp_program_point(const struct dp_program *program, uint8_t point)
{
	return program->object + program->probes_offset + (uint32_t)point * DP_PROBE_BYTES;
}

/* --- install.c --- */
struct dp_commit {
	uint8_t options, items;
	const uint8_t *selection; /* bitmap, msb first; bytes that are missing select */
	uint8_t selection_bytes;
};
enum {
	DP_COMMIT_ANY_OPCODE = 0x01,
	DP_COMMIT_MERGE = 0x02,
	DP_COMMIT_REPLACE = 0x04,
	DP_COMMIT_NO_IDENTITY = 0x08,
	DP_COMMIT_OPTIONS = 0x0f,
};
struct dp_installed {
	uint8_t program, armed, waiting;
};
/* Check the upload against verifier and target; install: all of it or nothing. */
enum dp_err dp_install(struct dp_agent *agent, const struct dp_commit *commit, bool install,
		       struct dp_verdict *verdict, struct dp_installed *installed);
void dp_uninstall(struct dp_agent *agent, uint8_t program);
/* The module came (base set) or goes: arm or disarm what names it. */
void dp_module_arm(struct dp_agent *agent, const struct dp_module *module);
void dp_module_disarm(struct dp_agent *agent, const struct dp_module *module);

/* --- log_ring.c --- */
struct dp_log_head {    /* as stored in the ring, before the body */
	uint16_t bytes; /* of body */
	uint8_t kind, flags, probe;
	uint8_t state; /* 0, or DP_LOG_VOID */
	uint16_t major, minor;
	uint16_t ticks_high; /* 48 bits: three days at 1 GHz */
	uint32_t ticks;
};
enum {
	DP_LOG_VOID = 1
};
/* Append a record; body pieces follow by dp_ring_put. False (and counted) when it does not fit. */
bool dp_ring_begin(struct dp_ring *ring, const struct dp_log_head *head);
void dp_ring_put(struct dp_ring *ring, const void *bytes, uint16_t count);
void dp_ring_commit(struct dp_ring *ring);
/* The displaced instruction faulted: void what is not committed, except records with keep(probe).
 */
void dp_ring_abort(struct dp_agent *agent);
bool dp_ring_peek(struct dp_ring *ring, struct dp_log_head *head); /* skips void records */
uint8_t dp_ring_byte(const struct dp_ring *ring, uint16_t index);  /* of the peeked body */
void dp_ring_next(struct dp_ring *ring);

/* --- receive.c, command.c, transmit.c --- */
/* Give up on half-received frames after 50 ms without a byte. */
void dp_receive_timeout(struct dp_agent *agent);
/* Execute the oldest request and answer it. in_hit: waits for the transmitter, and answers BUSY to
 * what is not served there. Returns false if there is none, or the line is not free. */
bool dp_command_run(struct dp_agent *agent, bool in_hit);
/* Returns false when too many notices wait already. */
bool dp_notice(struct dp_agent *agent, enum dp_notice number, const uint8_t *arguments,
	       uint8_t bytes);
/* Send what fits. wait: until everything queued is out. Returns true while work is left. */
bool dp_transmit_pump(struct dp_agent *agent, bool wait);
/* Wait until the line under way on com is out. */
void dp_transmit_flush(struct dp_agent *agent, uint8_t com);
bool dp_transmit_idle(const struct dp_agent *agent, uint8_t com);
void dp_transmit_answer(struct dp_agent *agent, uint8_t com, uint8_t seq,
			const struct dp_answer *answer, uint32_t session);
uint64_t dp_now(const struct dp_agent *agent);
uint32_t dp_tick_hz(const struct dp_agent *agent);

#endif
