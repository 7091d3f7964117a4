/* SPDX-License-Identifier: BSD-2-Clause */
/* The pool allocates memory that one call frees at the end of a job. */
#define _GNU_SOURCE
#include "pool.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dph_pool_piece {
	struct dph_pool_piece *next;
	size_t room;
	alignas(max_align_t) unsigned char data[];
};

static void *checked(void *memory)
{
	if (memory)
		return memory;
	fputs("dprobes: error: out of memory\n", stderr);
	exit(1);
}

void *dph_malloc(size_t bytes)
{
	return checked(calloc(1, bytes ? bytes : 1));
}

char *dph_strndup(const char *text, size_t bytes)
{
	char *copy = dph_malloc(bytes + 1);
	memcpy(copy, text, bytes);
	return copy;
}

char *dph_strdup(const char *text)
{
	return dph_strndup(text, strlen(text));
}

char *dph_vprint(const char *format, va_list args)
{
	char *text = NULL;
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	return checked(text);
}

char *dph_print(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	return text;
}

/* The next spare piece, zeroed, where it is not too small; else a new piece. */
static struct dph_pool_piece *piece_of(struct dph_pool *pool, size_t bytes)
{
	struct dph_pool_piece *piece = pool->spare;
	if (piece)
		pool->spare = piece->next;
	if (piece && piece->room >= bytes) {
		memset(piece->data, 0, bytes);
		return piece;
	}
	free(piece);
	piece = dph_malloc(sizeof(*piece) + bytes);
	piece->room = bytes;
	return piece;
}

void *dph_pool_take(struct dph_pool *pool, size_t bytes)
{
	struct dph_pool_piece *piece = piece_of(pool, bytes);
	piece->next = pool->pieces;
	pool->pieces = piece;
	return piece->data;
}

char *dph_pool_copy(struct dph_pool *pool, const char *text, size_t bytes)
{
	char *copy = dph_pool_take(pool, bytes + 1);
	memcpy(copy, text, bytes);
	return copy;
}

char *dph_pool_print(struct dph_pool *pool, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	char *copy = dph_pool_copy(pool, text, strlen(text));
	free(text);
	return copy;
}

static void free_all(struct dph_pool_piece *piece)
{
	while (piece) {
		struct dph_pool_piece *next = piece->next;
		free(piece);
		piece = next;
	}
}

void dph_pool_free(struct dph_pool *pool)
{
	free_all(pool->pieces);
	free_all(pool->spare);
	*pool = (struct dph_pool){0};
}

void dph_pool_next_job(struct dph_pool *pool)
{
	while (pool->pieces) {
		struct dph_pool_piece *piece = pool->pieces;
		pool->pieces = piece->next;
		piece->next = pool->spare;
		pool->spare = piece;
	}
}

void *dph_grow(void *list, size_t *capacity, size_t count, size_t element_bytes)
{
	if (count < *capacity)
		return list;
	*capacity = *capacity ? *capacity * 2 : 16;
	return checked(reallocarray(list, *capacity, element_bytes));
}

static void reserve(struct dph_bytes *bytes, size_t count)
{
	size_t need = bytes->count + count;
	if (need <= bytes->capacity)
		return;
	bytes->capacity = need * 2;
	bytes->data = checked(realloc(bytes->data, bytes->capacity));
}

void dph_bytes_add(struct dph_bytes *bytes, const void *data, size_t count)
{
	if (!count)
		return;
	reserve(bytes, count);
	memcpy(bytes->data + bytes->count, data, count);
	bytes->count += count;
}

void dph_bytes_zero(struct dph_bytes *bytes, size_t count)
{
	if (!count)
		return;
	reserve(bytes, count);
	memset(bytes->data + bytes->count, 0, count);
	bytes->count += count;
}
