/* SPDX-License-Identifier: BSD-2-Clause */
/* The totals of an aggregation: the host adds up what it takes from a map of the target, so the map
 * bounds the keys between two readings only. */
#ifndef DPH_TOTALS_H
#define DPH_TOTALS_H

#include "format.h"

/* Keys with a factor that divides their printed values. */
struct dph_factor {
	uint64_t keys[8];
	int64_t factor;
};

struct dph_total {
	const struct dph_format_aggregation *aggregation;
	const struct dph_formats *formats; /* the order of the rows; null: by value */
	/* Find the first address of the symbol or module around an address; the address itself
	 * where there is none. Null: the host knows no symbols. */
	uint64_t (*start)(void *context, uint64_t address, enum dph_address_text how);
	void *context;
	unsigned each, word_bytes; /* words of an entry; bytes of a word */
	uint64_t *words;           /* of all entries, sorted by keys and bucket */
	size_t count, room;        /* of entries */
	struct dph_factor *factors;
	size_t factor_count;
	uint32_t dropped; /* updates that found no place on the target */
	uint32_t told;    /* those that were printed while the program ran */
	bool printed;     /* by printa */
};

/* Add the entries of a map, each with total->each words.
 * dropped: updates that found no place since the program was installed. */
void dph_total_add(struct dph_total *total, const uint64_t *words, size_t count, uint32_t dropped);
/* The same for entries of the target: the host applies the functions of the keys first. */
void dph_total_take(struct dph_total *total, const uint64_t *words, size_t count, uint32_t dropped);
/* Add an update that the host counts.
 * keys: their words. value: of the function; of count 1. */
void dph_total_count(struct dph_total *total, const uint64_t *keys, int64_t value);
/* Has an entry the words that the aggregation needs? A damaged answer may have fewer. */
bool dph_total_fits(const struct dph_total *total);
/* The actions of D. clear: values are 0, keys stay. */
void dph_total_clear(struct dph_total *total);
/* Keep the `most` keys with the largest values; most < 0: with the smallest. */
void dph_total_trunc(struct dph_total *total, int64_t most);
/* Divide printed values of the keys that are there. factor: 1 ends that; 0 changes nothing. */
void dph_total_normalize(struct dph_total *total, int64_t factor);
/* Return the values as dph_aggregate does, divided by their factors, in the program's order. */
struct dph_aggregated *dph_total_rows(const struct dph_total *total, size_t *found);
/* Free what the total owns. */
void dph_total_free(struct dph_total *total);

#endif
