/* SPDX-License-Identifier: BSD-2-Clause */
/* Digits of a line become records. PROTOCOL.md 4. */
#include "record_line.h"

#include <stdlib.h>
#include <string.h>

uint64_t dph_digits_number(const uint8_t *digits, unsigned count)
{
	uint64_t value = 0;

	while (count-- > 0)
		value = value << 4 | *digits++;
	return value;
}

static struct dph_kept *keep(const struct dph_kept *like, const struct dp_record *head,
			     const uint8_t *body)
{
	struct dph_kept *kept = malloc(sizeof *kept + head->bytes);

	if (kept == NULL)
		return NULL;
	*kept = *like;
	kept->head = *head;
	memcpy(kept->body, body, head->bytes);
	return kept;
}

static unsigned read_all(struct dp_record_reader *reader, enum dph_told told,
			 const struct dph_kept *like, struct dph_kept **records)
{
	uint8_t body[DP_RECORD_BODY_MAX];
	struct dp_record head;
	unsigned count = 0;
	uint64_t before = 0;

	for (; dp_record_next(reader, &head, body); before = reader->time) {
		struct dph_kept *kept = records[count] = keep(like, &head, body);
		const bool whole = count == 0 || told == DPH_TOLD_WHOLE;

		count++;
		if (kept == NULL)
			continue;
		kept->told = whole ? told : DPH_TOLD_DELTA;
		kept->time = whole ? reader->time : reader->time - before;
	}
	return count;
}

unsigned dph_line_records(const uint8_t *digits, size_t count, const struct dp_record_reader *form,
			  enum dph_told told, const struct dph_kept *like,
			  struct dph_kept **records)
{
	const unsigned time_digits =
		told == DPH_TOLD_WHOLE ? DP_TIMED_DIGITS : DP_RECORDS_TIME_DIGITS;
	struct dp_record_reader reader = {.big_endian = form->big_endian, .compact = form->compact};
	unsigned found;

	if (count < time_digits)
		return 0;
	reader.digits = digits + time_digits;
	reader.left = count - time_digits;
	reader.time = dph_digits_number(digits, time_digits);
	found = read_all(&reader, told, like, records);
	while (reader.bad && found > 0)
		free(records[--found]);
	return found;
}
