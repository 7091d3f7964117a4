/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool holds the memory of one job and frees all of it at once; a list grows. Exhausted memory
 * ends the process with a sentence: no caller could do better. */
#ifndef DPH_POOL_H
#define DPH_POOL_H

#include <stdarg.h>
#include <stddef.h>

struct dph_pool {
	struct dph_pool_piece *pieces;
	struct dph_pool_piece *spare; /* of the job before, in the order of their use */
};

/* Zeroed, aligned for any type. */
void *dph_pool_take(struct dph_pool *pool, size_t bytes);
char *dph_pool_copy(struct dph_pool *pool, const char *text, size_t bytes); /* adds a NUL */
__attribute__((format(printf, 2, 3))) char *dph_pool_print(struct dph_pool *pool,
							   const char *format, ...);
void dph_pool_free(struct dph_pool *pool);
/* Begin the next job. Its pieces use the memory of the job before, so jobs that take the same sizes
 * in the same order need no other memory. */
void dph_pool_next_job(struct dph_pool *pool);

/* malloc and friends that do not fail. */
void *dph_malloc(size_t bytes);
char *dph_strdup(const char *text);
char *dph_strndup(const char *text, size_t bytes);
char *dph_vprint(const char *format, va_list args);
__attribute__((format(printf, 1, 2))) char *dph_print(const char *format, ...);

/* Make room for one more element: list may move. Pattern:
 *   list = dph_grow(list, &capacity, count, sizeof(*list)); list[count++] = element; */
void *dph_grow(void *list, size_t *capacity, size_t count, size_t element_bytes);

/* Bytes that grow. Start with all zero; free(data) when done. */
struct dph_bytes {
	unsigned char *data;
	size_t count, capacity;
};
void dph_bytes_add(struct dph_bytes *bytes, const void *data, size_t count);
void dph_bytes_zero(struct dph_bytes *bytes, size_t count);

#endif
