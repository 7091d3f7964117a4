/* SPDX-License-Identifier: BSD-2-Clause */
/* The section of build attributes: ABI for the Arm Architecture, addenda (IHI 0045), 3.1; RISC-V
 * ELF psABI, attributes. A damaged section has no attributes. */
#include "elf_attributes.h"

#include <string.h>

enum {
	ATTRIBUTES_SECTION = 0x70000003, /* sh_type: both specifications */
	VERSION = 'A',
	OF_FILE = 1, /* tag of the attributes of the whole file */
	LENGTH_BYTES = 4,
	STRINGS_FROM = 32 /* from this tag on, odd ones are strings */
};

/* The bytes that are left. Reading behind them makes it empty, and bad. */
struct reader {
	const uint8_t *at, *end;
	bool big, bad;
};

static uint8_t next(struct reader *r)
{
	if (r->at == r->end) {
		r->bad = true;
		return 0;
	}
	return *r->at++;
}

static uint32_t read_length(struct reader *r)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < LENGTH_BYTES; i++) {
		const uint32_t byte = next(r);
		value = r->big ? value << 8 | byte : value | byte << 8 * i;
	}
	return value;
}

/* ULEB128. */
static unsigned read_number(struct reader *r)
{
	unsigned value = 0, shift = 0;
	uint8_t byte;
	do {
		byte = next(r);
		if (shift < 32)
			value |= (unsigned)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static const char *read_string(struct reader *r)
{
	const char *text = (const char *)r->at;
	while (!r->bad && next(r))
		;
	return r->bad ? "" : text;
}

/* The part of `bytes` bytes whose length has been read as part of it. */
static struct reader part(struct reader *r, const uint8_t *begin, uint32_t bytes)
{
	struct reader inside = *r;
	if (r->bad || bytes < (size_t)(r->at - begin) || bytes > (size_t)(r->end - begin)) {
		r->bad = inside.bad = true;
		r->at = inside.at = inside.end = r->end;
		return inside;
	}
	inside.end = r->at = begin + bytes;
	return inside;
}

static bool is_string(unsigned strings, unsigned tag)
{
	return tag < STRINGS_FROM ? strings >> tag & 1 : tag & 1;
}

static bool find_in_file(struct reader *r, unsigned strings, unsigned tag, unsigned *value)
{
	while (r->at != r->end && !r->bad) {
		const unsigned found = read_number(r);
		if (is_string(strings, found))
			read_string(r);
		else
			*value = read_number(r);
		if (found == STRINGS_FROM) /* a number, and a name behind it */
			read_string(r);
		if (found == tag && !is_string(strings, found))
			return !r->bad;
	}
	return false;
}

static bool find_in_vendor(struct reader *r, unsigned strings, unsigned tag, unsigned *value)
{
	while (r->at != r->end && !r->bad) {
		const uint8_t *begin = r->at;
		const unsigned scope = read_number(r);
		const uint32_t bytes = read_length(r);
		struct reader inside = part(r, begin, bytes);
		if (scope == OF_FILE && find_in_file(&inside, strings, tag, value))
			return true;
	}
	return false;
}

static bool find(struct reader *r, const char *vendor, unsigned strings, unsigned tag,
		 unsigned *value)
{
	if (next(r) != VERSION)
		return false;
	while (r->at != r->end && !r->bad) {
		const uint8_t *begin = r->at;
		const uint32_t bytes = read_length(r);
		struct reader inside = part(r, begin, bytes);
		if (strcmp(read_string(&inside), vendor) == 0 &&
		    find_in_vendor(&inside, strings, tag, value))
			return true;
	}
	return false;
}

static bool attribute(void *context, const char *vendor, unsigned strings, unsigned tag,
		      unsigned *value)
{
	Elf *elf = context;
	Elf_Scn *section = NULL;
	GElf_Ehdr file;
	while (gelf_getehdr(elf, &file) && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const Elf_Data *data;
		if (!gelf_getshdr(section, &header) || header.sh_type != ATTRIBUTES_SECTION)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf)
			continue;
		struct reader r = {.at = data->d_buf,
				   .end = (const uint8_t *)data->d_buf + data->d_size,
				   .big = file.e_ident[EI_DATA] == ELFDATA2MSB};
		if (find(&r, vendor, strings, tag, value))
			return true;
	}
	return false;
}

struct dph_elf_kind dph_elf_kind(Elf *elf, const GElf_Ehdr *header)
{
	return (struct dph_elf_kind){
		.machine = header->e_machine,
		.word_bits = header->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
		.attribute = attribute,
		.context = elf,
	};
}
