/* SPDX-License-Identifier: BSD-2-Clause */
/* The feature HISTORY: what starts in a row keep, and the programs that the image carries. */
#include "dp_work.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_embed.h"
#include "dp_exchange.h"
#include "dp_flight.h"
#include "dp_install.h"
#include "dp_memory.h"
#include "dp_store.h"

#if DP_WITH_HISTORY
/* --- starts --- */

/* What tells the programs of one image from those of another. */
static uint32_t programs_check(const struct dp_agent *agent)
{
#if DP_EMBED_BYTES > 0
	const uint8_t *section = agent->board->embedded;

	if (section && agent->board->embedded_bytes >= DP_EMBED_HEADER_BYTES)
		return dp_get_u32(section + DP_EMBED_CRC);
#else
	(void)agent;
#endif
	return 0;
}

static void set_starts(struct dp_agent *agent, uint32_t starts)
{
	struct dp_history *h = &agent->keep->history;

	h->starts = starts;
	h->starts_check = ~starts ^ programs_check(agent);
	dp_port_keep_written(&h->starts, 2 * sizeof(h->starts));
}

/* After power-on, and with other programs, the numbers are any. */
static void count_start(struct dp_agent *agent)
{
	const struct dp_history *h = &agent->keep->history;
	uint32_t before = h->starts_check == (~h->starts ^ programs_check(agent)) ? h->starts : 0;

	if (before > DP_EMBED_STARTS_MAX)
		before = DP_EMBED_STARTS_MAX;
	agent->embed.starts = (uint8_t)before;
	set_starts(agent, before + 1);
}

static enum dp_err has_history(const struct dp_memory *memory)
{
	return memory->keep && memory->keep_bytes >= DP_KEEP_BYTES ? DP_ERR_OK : DP_ERR_NO_SPACE;
}

static void start_history(struct dp_agent *agent)
{
	count_start(agent);
	dp_flight_start(agent);
}

/* Programs that are off stay off: the starts without them prove nothing. */
static void reached_poll(struct dp_agent *agent)
{
	if (agent->embed.polled)
		return;
	agent->embed.polled = 1;
	if (agent->embed.state != DP_EMBED_OFF)
		set_starts(agent, 0);
}

const struct dp_feature dp_feature_history = {
	.accept = has_history, .start = start_history, .poll = reached_poll};

/* --- programs --- */

#if DP_EMBED_BYTES > 0
_Static_assert(DP_EMBED_BYTES >= DP_EMBED_HEADER_BYTES, "the section has room for its header");

static uint32_t padded(uint32_t bytes)
{
	return (bytes + 3) & ~3u;
}

/* returns: whether the section has programs; *end: where they end. */
static bool is_filled(struct dp_agent *agent, const uint8_t **end)
{
	const uint8_t *section = agent->board->embedded;
	uint32_t bytes;

	if (!section || agent->board->embedded_bytes < DP_EMBED_HEADER_BYTES ||
	    !dp_equal(section, DP_EMBED_MAGIC, 4))
		return false;
	agent->embed.state = DP_EMBED_DAMAGED;
	bytes = dp_get_u32(section + DP_EMBED_BYTES_AT);
	if (bytes < DP_EMBED_HEADER_BYTES || (bytes & 3) != 0 ||
	    dp_get_u32(section + DP_EMBED_COUNT) > UINT8_MAX ||
	    bytes > agent->board->embedded_bytes)
		return false;
	*end = section + bytes;
	return dp_crc32(0, section + DP_EMBED_BYTES_AT, bytes - DP_EMBED_BYTES_AT) ==
	       dp_get_u32(section + DP_EMBED_CRC);
}

/* Upload and commit, as a host does. The program may not change the firmware: no session has the
 * right to write yet. */
static enum dp_err install(struct dp_agent *agent, const uint8_t *head)
{
	uint32_t bytes = dp_get_u32(head + DP_EMBEDDED_BYTES);
	struct dp_commit commit;
	enum dp_err error = dp_upload_begin(agent, bytes, dp_get_u32(head + DP_EMBEDDED_CRC));

	if (error == DP_ERR_OK)
		error = dp_upload_data(agent, agent->upload.transaction, 0,
				       head + DP_EMBEDDED_HEAD_BYTES, bytes);
	if (error != DP_ERR_OK)
		return error;
	dp_clear(&commit, sizeof(commit));
	commit.options = head[DP_EMBEDDED_OPTIONS] & (DP_COMMIT_FAULTS | DP_COMMIT_FLIGHT);
	commit.items = head[DP_EMBEDDED_ITEMS];
	commit.install = true;
	commit.program = DP_NONE;
	dp_install(agent, &commit);
	agent->upload.open = 0;
	if (commit.program != DP_NONE)
		agent->program[commit.program].embedded = 1;
	return commit.verdict.error;
}

/* The bytes are trusted no further than the section. */
static void install_all(struct dp_agent *agent, const uint8_t *at, const uint8_t *end)
{
	struct dp_embed *embed = &agent->embed;
	uint32_t left = (uint32_t)(end - at);
	unsigned index = 0;

	for (; left >= DP_EMBEDDED_HEAD_BYTES; index++) {
		uint32_t bytes = dp_get_u32(at + DP_EMBEDDED_BYTES);
		enum dp_err error;

		/* A section of whole words has room for the padding too. */
		left -= DP_EMBEDDED_HEAD_BYTES;
		if (bytes > left)
			break;
		left -= padded(bytes);
		error = install(agent, at);
		if (error != DP_ERR_OK && embed->state == DP_EMBED_ARMED) {
			embed->state = DP_EMBED_REFUSED;
			embed->refused = (uint8_t)index;
			embed->error = (uint8_t)error;
		}
		at += DP_EMBEDDED_HEAD_BYTES + padded(bytes);
	}
	if (index != embed->count)
		embed->state = DP_EMBED_DAMAGED;
}

void dp_embed_arm(struct dp_agent *agent)
{
	struct dp_embed *embed = &agent->embed;
	const uint8_t *section = agent->board->embedded, *end;

	if (!is_filled(agent, &end))
		return;
	embed->count = (uint8_t)dp_get_u32(section + DP_EMBED_COUNT);
	embed->state = embed->starts < DP_EMBED_STARTS_MAX ? DP_EMBED_ARMED : DP_EMBED_OFF;
	if (embed->state == DP_EMBED_OFF || !dp_work_begin(agent, DP_CMD_COMMIT))
		return;
	install_all(agent, section + DP_EMBED_HEADER_BYTES, end);
	dp_work_end(agent);
}
#endif

/* --- the request --- */

enum dp_err dp_do_embed(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	(void)a;
	dp_copy(&ex->n.embed.told, &agent->embed, sizeof(agent->embed));
	ex->n.embed.programs = ex->n.embed.flying = 0;
	for (unsigned i = 0; i < DP_MAX_PROGRAMS && i < 32; i++) {
		const struct dp_program *program = &agent->program[i];

		if (!dp_program_there(program))
			continue;
		ex->n.embed.programs |= (uint32_t)program->embedded << i;
		ex->n.embed.flying |= (uint32_t)dp_program_flies(program) << i;
	}
	return DP_ERR_OK;
}
#endif
