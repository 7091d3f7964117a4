/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of notes `stapsdt`: owner, type 3, three addresses, three texts. */
#define _GNU_SOURCE
#include "hooks.h"

#include "image_parts.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum {
	NOTE_PROBE = 3,
	ADDRESSES = 3 /* the place, the base, the semaphore */
};

static const char owner[] = "stapsdt";

const char *dph_hook_name(struct dph_pool *pool, const char *word)
{
	char *name = dph_pool_copy(pool, word, strlen(word)), *to = name;
	for (const char *at = word; *at; at++)
		if (at[0] == '_' && at[1] == '_' && to > name) {
			*to++ = '-';
			at++;
		} else {
			*to++ = *at;
		}
	*to = 0;
	return name;
}

/* --- arguments ----------------------------------------------------------------------------- */

/* "-4": signed, and so many bytes. */
static bool read_size(const char *text, size_t bytes, struct dph_hook_argument *argument)
{
	const bool is_signed = bytes == 2 && text[0] == '-';
	const char *digit = text + (is_signed ? 1 : 0);
	if (bytes != (is_signed ? 2U : 1U) || !strchr("1248", *digit))
		return false;
	argument->is_signed = is_signed;
	argument->bytes = (unsigned)(*digit - '0');
	return true;
}

static void read_argument(const struct dp_image *image, const char *text, size_t bytes,
			  struct dph_hook_argument *argument)
{
	const size_t size = strcspn(text, "@");
	*argument = (struct dph_hook_argument){.text = text};
	if (size < bytes && image->cpu && read_size(text, size, argument) &&
	    !dph_operand_read(image->cpu, text + size + 1, bytes - size - 1, &argument->operand))
		argument->bytes = 0;
}

/* The length of the argument at the start of the text. A blank separates arguments, and stands in
 * the brackets of an operand. */
static size_t argument_bytes(const char *text)
{
	size_t bytes = 0;
	for (bool inside = false; text[bytes] && (inside || text[bytes] != ' '); bytes++)
		inside = text[bytes] == '[' || (inside && text[bytes] != ']');
	return bytes;
}

static void read_arguments(struct dp_image *image, const char *text, struct dph_hook *hook)
{
	for (text += strspn(text, " "); *text && hook->argument_count < DPH_HOOK_ARGUMENTS;
	     text += strspn(text, " ")) {
		const size_t bytes = argument_bytes(text);
		read_argument(image, dph_pool_copy(&image->pool, text, bytes), bytes,
			      &hook->arguments[hook->argument_count++]);
		text += bytes;
	}
}

/* --- notes --------------------------------------------------------------------------------- */

/* The text at the start of the bytes, which are passed; null: it does not end there. */
static const char *next_text(const char **at, size_t *bytes)
{
	const char *text = *at, *end = memchr(text, 0, *bytes);
	if (!end)
		return NULL;
	*bytes -= (size_t)(end + 1 - text);
	*at = end + 1;
	return text;
}

static uint64_t address_at(const struct dp_image *image, const uint8_t *bytes)
{
	uint64_t value = 0;
	const unsigned count = image->word_bits / 8;
	for (unsigned i = 0; i < count; i++)
		value = value << 8 | bytes[image->big_endian ? i : count - 1 - i];
	return value;
}

static bool is_code(const struct dp_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->code_count; i++)
		if (address - image->code[i].address < image->code[i].bytes)
			return true;
	return false;
}

/* Take a note. One of a place that the linker has removed is passed. */
static void take_hook(struct dp_image *image, const char *data, size_t bytes)
{
	const size_t addresses = (size_t)ADDRESSES * image->word_bits / 8;
	if (bytes < addresses)
		return;
	const uint8_t *words = (const uint8_t *)data;
	const char *at = data + addresses;
	size_t left = bytes - addresses;
	const char *provider = next_text(&at, &left), *name = next_text(&at, &left);
	const char *arguments = next_text(&at, &left);
	struct dph_hook hook = {
		.address = address_at(image, words),
		.semaphore = address_at(image, words + addresses / ADDRESSES * 2),
	};
	const struct dph_isa *isa = image->kin ? dph_isa_addressed(image->kin, hook.address) : NULL;
	hook.address &= isa ? ~isa->address_bit : UINT64_MAX; /* of the name of a function */
	if (!provider || !name || !arguments || !is_code(image, hook.address))
		return;
	hook.provider = dph_hook_name(&image->pool, provider);
	hook.name = dph_hook_name(&image->pool, name);
	read_arguments(image, arguments, &hook);
	image->hooks = dph_grow(image->hooks, &image->hook_capacity, image->hook_count,
				sizeof(*image->hooks));
	image->hooks[image->hook_count++] = hook;
}

static void take_notes(struct dp_image *image, Elf_Data *data)
{
	size_t at = 0, name_at, rest_at;
	GElf_Nhdr note;
	while (data && (at = gelf_getnote(data, at, &note, &name_at, &rest_at)) > 0)
		if (note.n_type == NOTE_PROBE && note.n_namesz == sizeof(owner) &&
		    memcmp((char *)data->d_buf + name_at, owner, sizeof(owner)) == 0)
			take_hook(image, (char *)data->d_buf + rest_at, note.n_descsz);
}

static int by_address(const void *a, const void *b)
{
	const struct dph_hook *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	const int provider = strcmp(x->provider, y->provider);
	return provider ? provider : strcmp(x->name, y->name);
}

void dph_hooks_read(struct dp_image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(image->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE)
			take_notes(image, elf_getdata(section, NULL));
	if (image->hook_count)
		qsort(image->hooks, image->hook_count, sizeof(*image->hooks), by_address);
}

size_t dph_image_hooks(const struct dp_image *image, const struct dph_hook **hooks)
{
	*hooks = image->hooks;
	return image->hook_count;
}
