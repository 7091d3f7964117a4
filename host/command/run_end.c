/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables, counters and aggregations of a program that has stopped. */
#include "run_end.h"

#include "base/pool.h"
#include "dp_object.h"
#include "tables/timers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void dph_run_end_add(struct dph_run_end *end, const struct dp_probe_answer *probe)
{
	end->probes = dph_grow(end->probes, &end->capacity, end->count, sizeof *end->probes);
	end->probes[end->count++] = *probe;
}

void dph_run_end_free(struct dph_run_end *end)
{
	free(end->probes);
}

static void tell_counts(struct dp_sink *sink, const struct dph_run_end *end)
{
	for (size_t i = 0; i < end->count; i++) {
		const struct dp_counts_view view = {end->name, &end->probes[i], end->names};

		dp_sink_reading(sink, DP_READING_COUNTS, &view);
	}
}

static void tell_variables(const struct dph_stream *stream, const struct dph_run_end *end)
{
	for (size_t i = 0; i < end->word_count; i++) {
		const struct dp_variable_view view = {
			.program = end->name,
			.index = (unsigned)i,
			.value = end->words[i],
			.word_bytes = stream->style.word_bytes,
			.names = end->names,
		};

		dp_sink_reading(stream->sink, DP_READING_VARIABLE, &view);
	}
}

bool dph_run_end_named(const struct dph_stream *stream)
{
	return stream->formats != NULL && !stream->style.bare && !stream->cli->quiet;
}

void dph_run_end_tell_named(const struct dph_stream *stream, const struct dph_run_end *end)
{
	dp_formats_tell_variables(stream->formats, end->name, end->words, end->word_count,
				  stream->sink);
}

/* An empty output may mean that nothing runs there, or that the place is another one. */
static void tell_no_hit(const struct dph_run_end *end)
{
	size_t points = 0;

	for (size_t i = 0; i < end->count; i++) {
		const struct dp_probe_answer *probe = &end->probes[i];

		if (probe->kind == DP_PROBE_EVENT || probe->kind == DP_PROBE_TIMER)
			continue;
		if (probe->hits > 0 || probe->missed > 0)
			return;
		points++;
	}
	if (points > 0)
		fprintf(stderr, "dprobes: no hit of the %zu probe point(s) of %s\n", points,
			end->name);
}

/* A timer that came late, or never, explains other numbers than the program's author expects. */
static void tell_timers(const struct dph_run_end *end, bool quiet)
{
	for (size_t i = 0; i < end->count; i++) {
		const struct dp_probe_answer *probe = &end->probes[i];
		const bool sampled = probe->address & DP_TIMER_SAMPLED;
		char name[DPH_TIMER_ROOM];

		if (probe->kind != DP_PROBE_TIMER)
			continue;
		dph_timer_name(probe->address, probe->original, name);
		if (probe->missed > 0)
			fprintf(stderr,
				"dprobes: %s was late: it ran %" PRIu32 " time(s), and %" PRIu32
				" period(s) were left out: %s\n",
				name, probe->hits, probe->missed,
				sampled ? "the interrupt came less often, or during a hit"
					: "the firmware polls the agent less often");
		else if (probe->hits == 0 && !quiet)
			fprintf(stderr, "dprobes: %s did not run: %s\n", name,
				sampled ? "the firmware did not call dprobes_sample so long, or "
					  "the run was too short"
					: "the run was shorter than its period");
	}
}

static uint64_t missed_periods(const struct dph_run_end *end)
{
	uint64_t missed = 0;

	for (size_t i = 0; i < end->count; i++)
		if (end->probes[i].kind == DP_PROBE_TIMER)
			missed += end->probes[i].missed;
	return missed;
}

void dph_run_end_tell(struct dph_stream *stream, const struct dph_run_end *end)
{
	if (stream->formats == NULL)
		tell_variables(stream, end);
	if (stream->formats == NULL || stream->cli->verbose)
		tell_counts(stream->sink, end);
	if (stream->formats == NULL)
		return;
	if (!stream->cli->quiet)
		tell_no_hit(end);
	if (stream->teller == NULL) /* else the command tells it */
		tell_timers(end, stream->cli->quiet);
	dp_formats_ran(stream->formats, (double)end->ran_ms / 1000);
	dph_stream_tell_totals(stream, end->ran_ms, missed_periods(end));
}
