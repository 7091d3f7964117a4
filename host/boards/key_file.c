/* SPDX-License-Identifier: BSD-2-Clause */
/* The key of a board comes from a file of 32 hex digits that only its owner can read. */
#define _GNU_SOURCE
#include <dprobes/boards.h>

#include "base/diag.h"
#include "source/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	KEY_DIGITS = 2 * DP_KEY_FILE_BYTES,
	OTHERS = S_IRWXG | S_IRWXO,
};

static bool is_private(FILE *file, const char *path, struct dp_messages *messages)
{
	struct stat status;

	if (fstat(fileno(file), &status) != 0 || (status.st_mode & OTHERS) == 0)
		return true;
	dph_file_error(messages, path,
		       "other users may use this key file (mode %04o); allow its owner alone: "
		       "chmod 600",
		       (unsigned)status.st_mode & 07777);
	return false;
}

static int digit_value(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)((at - digits) % 16) : -1;
}

/* No message shows a character of the key. */
static bool take_digits(const char *path, const char *text, size_t bytes, uint8_t *key,
			struct dp_messages *messages)
{
	while (bytes > 0 && strchr("\n\r \t", text[bytes - 1]) != NULL && text[bytes - 1] != '\0')
		bytes--;
	if (bytes != KEY_DIGITS) {
		dph_file_error(messages, path,
			       "a key has %d hex digits; this file has %zu characters", KEY_DIGITS,
			       bytes);
		return false;
	}
	for (size_t i = 0; i < bytes; i++) {
		const int value = digit_value(text[i]);

		if (value < 0) {
			dph_file_error(messages, path,
				       "a key has %d hex digits; character %zu is none", KEY_DIGITS,
				       i + 1);
			return false;
		}
		key[i / 2] = (uint8_t)(key[i / 2] << 4 | value);
	}
	return true;
}

bool dp_key_file_read(const char *path, uint8_t *key, struct dp_messages *messages)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t bytes = 0;
	bool good;

	if (file == NULL) {
		dph_file_error(messages, path, "cannot read the key: %s", strerror(errno));
		return false;
	}
	good = is_private(file, path, messages);
	if (good)
		text = dph_read_open(file, path, &bytes, messages);
	fclose(file);
	good = text != NULL && take_digits(path, text, bytes, key, messages);
	if (text != NULL)
		explicit_bzero(text, bytes);
	free(text);
	return good;
}
