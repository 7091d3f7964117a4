/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of the flight recorder becomes records: what of its bytes can be proved to be a record.
 * protocol/dp_flight_ring.h */
#ifndef DPH_STREAM_FLIGHT_H
#define DPH_STREAM_FLIGHT_H

#include <dprobes/records.h>

/* The bytes as they were read, while the firmware may have gone on. */
struct dph_flight_bytes {
	const uint8_t *bytes;
	uint32_t size;   /* of the ring: a power of two */
	uint32_t end;    /* position behind the newest record when the reading began */
	uint32_t latest; /* and when it ended */
};

struct dph_flight_record {
	uint32_t at;      /* position */
	uint32_t whole;   /* bytes, with the head */
	uint32_t program; /* CRC-32 of its object */
	uint16_t boot;
	uint8_t point, items;
	uint64_t ticks;
	struct dp_record head;
	const uint8_t *body; /* in the bytes */
};

struct dph_flight {
	struct dph_flight_record *list; /* intact ones, the oldest first */
	size_t count;
	unsigned gaps;      /* between intact records, where bytes are of no intact record */
	uint32_t gap_at;    /* position of the first one */
	uint32_t gap_bytes; /* of all */
	size_t gap_behind;  /* intact records before the first one */
	bool begun;         /* a record behind the newest one was begun, and is not whole */
	bool older;         /* older records were overwritten */
};

/* Find the records. Every record of the list has the right check and position, and no two share a
 * byte. dph_flight_free frees the list. */
void dph_flight_find(const struct dph_flight_bytes *ring, struct dph_flight *flight);
void dph_flight_free(struct dph_flight *flight);

/* The meaning of a record, for the listener. */
typedef void dph_flight_meaning(void *context, const struct dph_flight_record *record,
				struct dp_probe_meaning *meaning);
/* Hand the records from the first on to the listener, as a stream does. Returns false when there is
 * no memory. */
bool dph_flight_tell(const struct dph_flight_record *list, size_t count, unsigned word_bytes,
		     bool big_endian, const struct dp_records_listener *listener,
		     dph_flight_meaning *meaning);

#endif
