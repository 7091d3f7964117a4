/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of .ctf sections reads one dictionary, or an archive of a shared dictionary and its
 * children. */
#include "ctf.h"

#include "base/source_path.h"

#include "ctf_format.h"
#include "reader.h"
#include "type_source.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	INFLATED_MAX = 1 << 28 /* a damaged size must not take all memory */
};

struct dict {
	struct dph_ctf *ctf;
	uint8_t *inflated; /* owned; null: the section's own bytes */
	const uint8_t *body;
	size_t body_bytes;
	uint32_t header[CTF_HEADER_WORDS];
	bool big, child;
	uint32_t *types; /* where each type begins in the body, by number - 1 */
	struct dph_type **made;
	size_t type_count, type_room;
};

struct dph_ctf {
	struct dp_debuginfo *debug;
	struct dict *dicts; /* the first is the parent of the others */
	size_t count, room;
};

static const struct dph_type_source ctf_source;

/* --- parts of a dictionary ----------------------------------------------------------------- */

/* The bytes from one offset of the header to another. */
static struct dph_reader section(const struct dict *dict, uint32_t from, uint32_t to)
{
	if (from > to || to > dict->body_bytes)
		return dph_reader(dict->body, 0, dict->big);
	return dph_reader(dict->body + from, to - from, dict->big);
}

/* A name, or null: none. */
static const char *string_at(const struct dict *dict, uint32_t name)
{
	uint64_t end = (uint64_t)dict->header[CTF_STRINGS] + dict->header[CTF_STRING_BYTES];
	if (!name || (name & CTF_EXTERNAL) || end > dict->body_bytes ||
	    name >= dict->header[CTF_STRING_BYTES])
		return NULL;
	struct dph_reader reader = section(dict, dict->header[CTF_STRINGS] + name, (uint32_t)end);
	const char *text = dph_reader_text(&reader);
	return reader.bad || !*text ? NULL : text;
}

/* The head of each type. */
struct head {
	const char *name;
	unsigned kind;
	uint32_t parts;  /* members, enumerators, arguments */
	uint32_t target; /* a type's number, where the kind has one */
	uint64_t bytes;  /* where it has a size */
};

static struct head read_head(const struct dict *dict, struct dph_reader *reader)
{
	struct head head;
	head.name = string_at(dict, (uint32_t)dph_reader_number(reader, 4));
	uint32_t info = (uint32_t)dph_reader_number(reader, 4);
	head.kind = info >> 26;
	head.parts = info & 0x1ffffff;
	head.target = (uint32_t)dph_reader_number(reader, 4);
	head.bytes = head.target;
	if (head.target == CTF_LONG_SIZE) {
		uint64_t high = dph_reader_number(reader, 4);
		head.bytes = high << 32 | dph_reader_number(reader, 4);
	}
	return head;
}

static bool is_long(const struct head *head)
{
	return head->bytes >= CTF_LONG_STRUCT;
}

/* Bytes behind the head. */
static uint64_t tail_bytes(const struct head *head)
{
	switch (head->kind) {
	case CTF_K_INTEGER:
	case CTF_K_FLOAT:
		return 4;
	case CTF_K_ARRAY:
		return CTF_ARRAY_BYTES;
	case CTF_K_FUNCTION:
		return 4 * ((uint64_t)head->parts + (head->parts & 1));
	case CTF_K_STRUCT:
	case CTF_K_UNION:
		return (uint64_t)head->parts *
		       (is_long(head) ? CTF_LONG_MEMBER_BYTES : CTF_STRUCT_MEMBER_BYTES);
	case CTF_K_ENUM:
		return (uint64_t)head->parts * CTF_ENUMERATOR_BYTES;
	case CTF_K_SLICE:
		return CTF_SLICE_BYTES;
	default:
		return 0;
	}
}

/* Note where each type begins. */
static void index_types(struct dict *dict)
{
	struct dph_reader reader =
		section(dict, dict->header[CTF_TYPES], dict->header[CTF_STRINGS]);
	while (dph_reader_more(&reader)) {
		uint32_t at = (uint32_t)(reader.at - dict->body);
		struct head head = read_head(dict, &reader);
		dph_reader_skip(&reader, tail_bytes(&head));
		if (reader.bad || head.kind >= CTF_K_COUNT)
			break;
		dict->types = dph_grow(dict->types, &dict->type_room, dict->type_count,
				       sizeof(*dict->types));
		dict->types[dict->type_count++] = at;
	}
	dict->made = dph_malloc((dict->type_count + 1) * sizeof(struct dph_type *));
}

/* --- opening ------------------------------------------------------------------------------- */

static bool inflate_body(struct dict *dict, struct dph_reader in)
{
	uint64_t bytes = (uint64_t)dict->header[CTF_STRINGS] + dict->header[CTF_STRING_BYTES];
	uLongf got = (uLongf)bytes;
	/* zlib makes at most 1032 bytes of one. */
	if (bytes > INFLATED_MAX || bytes / 1032 > (uint64_t)(in.end - in.at))
		return false;
	dict->inflated = dph_malloc(bytes + 1);
	dict->body = dict->inflated;
	dict->body_bytes = bytes;
	return uncompress(dict->inflated, &got, in.at, (uLong)(in.end - in.at)) == Z_OK &&
	       got == bytes;
}

/* Read a dictionary at the reader. False: damaged, or of another version. */
static bool read_dict(struct dict *dict, struct dph_reader in)
{
	struct dph_reader order = in;
	in.big = false;
	order.big = true;
	if (dph_reader_number(&order, 2) == CTF_MAGIC)
		in.big = true;
	dict->big = in.big;
	unsigned magic = (unsigned)dph_reader_number(&in, 2);
	unsigned version = (unsigned)dph_reader_number(&in, 1);
	unsigned flags = (unsigned)dph_reader_number(&in, 1);
	if (magic != CTF_MAGIC || version != CTF_VERSION)
		return false;
	for (unsigned i = 0; i < CTF_HEADER_WORDS; i++)
		dict->header[i] = (uint32_t)dph_reader_number(&in, 4);
	if (in.bad)
		return false;
	dict->body = in.at;
	dict->body_bytes = (size_t)(in.end - in.at);
	if ((flags & CTF_COMPRESSED) && !inflate_body(dict, in))
		return false;
	dict->child = dict->header[CTF_PARENT_NAME] != 0;
	index_types(dict);
	return true;
}

static void add_dict(struct dph_ctf *ctf, struct dph_reader in)
{
	ctf->dicts = dph_grow(ctf->dicts, &ctf->room, ctf->count, sizeof(*ctf->dicts));
	struct dict *dict = &ctf->dicts[ctf->count];
	*dict = (struct dict){.ctf = ctf};
	if (read_dict(dict, in)) {
		ctf->count++;
		return;
	}
	free(dict->inflated);
	free(dict->types);
	free(dict->made);
}

/* The parent, which has all that units share, comes first. */
static int parent_first(const void *a, const void *b)
{
	return ((const struct dict *)a)->child - ((const struct dict *)b)->child;
}

static void read_archive(struct dph_ctf *ctf, const uint8_t *bytes, size_t count)
{
	struct dph_reader head = dph_reader(bytes, count, false);
	dph_reader_skip(&head, 16);
	uint64_t dicts = dph_reader_number(&head, 8);
	dph_reader_skip(&head, 8);
	uint64_t start = dph_reader_number(&head, 8);
	for (uint64_t i = 0; i < dicts && !head.bad; i++) {
		struct dph_reader dict = dph_reader(bytes, count, false);
		dph_reader_skip(&head, 8);
		dph_reader_skip(&dict, start);
		dph_reader_skip(&dict, dph_reader_number(&head, 8));
		uint64_t length = dph_reader_number(&dict, 8);
		if (!head.bad && !dict.bad)
			add_dict(ctf, dph_reader_part(&dict, length));
	}
	if (ctf->count)
		qsort(ctf->dicts, ctf->count, sizeof(*ctf->dicts), parent_first);
}

static struct dph_ctf *opened(struct dp_debuginfo *debug)
{
	size_t count;
	uint64_t address;
	if (debug->ctf_read)
		return debug->ctf;
	debug->ctf_read = true;
	const uint8_t *bytes = dph_debug_section(&debug->file, ".ctf", &count, &address);
	if (!bytes)
		return NULL;
	struct dph_ctf *ctf = dph_malloc(sizeof(*ctf));
	struct dph_reader reader = dph_reader(bytes, count, false);
	ctf->debug = debug;
	if (dph_reader_number(&reader, 8) == CTF_ARCHIVE_MAGIC)
		read_archive(ctf, bytes, count);
	else
		add_dict(ctf, dph_reader(bytes, count, false));
	debug->ctf = ctf;
	return ctf;
}

void dph_ctf_free(struct dph_ctf *ctf)
{
	if (!ctf)
		return;
	for (size_t i = 0; i < ctf->count; i++) {
		free(ctf->dicts[i].inflated);
		free(ctf->dicts[i].types);
		free(ctf->dicts[i].made);
	}
	free(ctf->dicts);
	free(ctf);
}

/* --- types --------------------------------------------------------------------------------- */

/* The dictionary that has a type's number, seen from another one. */
static struct dict *owner(struct dict *dict, uint32_t number, uint32_t *index)
{
	bool of_child = (number & CTF_CHILD) != 0;
	*index = (number & ~CTF_CHILD) - 1;
	if (!of_child && dict->child)
		dict = &dict->ctf->dicts[0];
	return of_child == dict->child && *index < dict->type_count ? dict : NULL;
}

static struct dph_reader type_cursor(const struct dict *dict, uint32_t index)
{
	return section(dict, dict->types[index], dict->header[CTF_STRINGS]);
}

static const struct dph_type *type_numbered(struct dict *dict, uint32_t number);

/* A slice is some bits of an integer or enum; members take the bits, the type is the whole. */
static const struct dph_type *sliced(struct dict *dict, uint32_t number, unsigned *offset,
				     unsigned *bits)
{
	uint32_t index;
	struct dict *of = owner(dict, number, &index);
	if (!of)
		return NULL;
	struct dph_reader reader = type_cursor(of, index);
	struct head head = read_head(of, &reader);
	if (head.kind != CTF_K_SLICE)
		return type_numbered(dict, number);
	uint32_t whole = (uint32_t)dph_reader_number(&reader, 4);
	*offset = (unsigned)dph_reader_number(&reader, 2);
	*bits = (unsigned)dph_reader_number(&reader, 2);
	of = owner(of, whole, &index);
	reader = of ? type_cursor(of, index) : reader;
	return of && read_head(of, &reader).kind != CTF_K_SLICE ? type_numbered(of, whole) : NULL;
}

static const enum dph_type_kind kinds[CTF_K_COUNT] = {
	[CTF_K_UNKNOWN] = DPH_TYPE_OTHER,     [CTF_K_INTEGER] = DPH_TYPE_INTEGER,
	[CTF_K_FLOAT] = DPH_TYPE_FLOAT,       [CTF_K_POINTER] = DPH_TYPE_POINTER,
	[CTF_K_ARRAY] = DPH_TYPE_ARRAY,       [CTF_K_FUNCTION] = DPH_TYPE_FUNCTION,
	[CTF_K_STRUCT] = DPH_TYPE_STRUCT,     [CTF_K_UNION] = DPH_TYPE_UNION,
	[CTF_K_ENUM] = DPH_TYPE_ENUM,         [CTF_K_TYPEDEF] = DPH_TYPE_TYPEDEF,
	[CTF_K_VOLATILE] = DPH_TYPE_VOLATILE, [CTF_K_CONST] = DPH_TYPE_CONST,
	[CTF_K_RESTRICT] = DPH_TYPE_RESTRICT, [CTF_K_FORWARD] = DPH_TYPE_STRUCT,
	[CTF_K_SLICE] = DPH_TYPE_OTHER,
};

static void fill_integer(struct dph_type *type, struct dph_reader *reader)
{
	unsigned encoding = (unsigned)(dph_reader_number(reader, 4) >> 24);
	type->is_signed = (encoding & CTF_INT_SIGNED) != 0;
	if (encoding & CTF_INT_CHAR)
		type->kind = DPH_TYPE_CHAR;
	else if (encoding & CTF_INT_BOOL)
		type->kind = DPH_TYPE_BOOL;
	else if (!type->bytes)
		type->kind = DPH_TYPE_VOID;
}

/* An enum is signed when an enumerator is negative. */
static void fill_enum(struct dph_type *type, const struct head *head, struct dph_reader *reader)
{
	for (uint32_t i = 0; i < head->parts && dph_reader_more(reader); i++) {
		dph_reader_skip(reader, 4);
		type->is_signed |= dph_reader_signed(reader, 4) < 0;
	}
}

static void fill(struct dph_type *type, const struct head *head, struct dph_reader *reader)
{
	type->kind = kinds[head->kind];
	type->name = head->name;
	type->bytes = head->bytes;
	switch (head->kind) {
	case CTF_K_INTEGER:
		fill_integer(type, reader);
		break;
	case CTF_K_FORWARD:
		type->kind = head->target < CTF_K_COUNT ? kinds[head->target] : DPH_TYPE_STRUCT;
		type->declared = true;
		break;
	case CTF_K_ARRAY:
		dph_reader_skip(reader, 8);
		type->count = dph_reader_number(reader, 4);
		type->counted = true;
		break;
	case CTF_K_POINTER:
		type->bytes = type->debug->word_bytes;
		break;
	case CTF_K_ENUM:
		fill_enum(type, head, reader);
		break;
	default:
		break;
	}
}

static const struct dph_type *type_numbered(struct dict *dict, uint32_t number)
{
	uint32_t index;
	unsigned offset, bits;
	if (!number || !(dict = owner(dict, number, &index)))
		return NULL;
	if (dict->made[index])
		return dict->made[index]->kind == DPH_TYPE_VOID ? NULL : dict->made[index];
	struct dph_reader reader = type_cursor(dict, index);
	struct head head = read_head(dict, &reader);
	if (head.kind == CTF_K_SLICE)
		return sliced(dict, number, &offset, &bits);
	struct dph_type *type = dph_pool_take(&dict->ctf->debug->pool, sizeof(*type));
	type->source = &ctf_source;
	type->debug = dict->ctf->debug;
	type->origin = dict;
	type->inner = index;
	fill(type, &head, &reader);
	dict->made[index] = type;
	return type->kind == DPH_TYPE_VOID ? NULL : type;
}

static void read_target(struct dph_type *type)
{
	struct dict *dict = type->origin;
	struct dph_reader reader = type_cursor(dict, (uint32_t)type->inner);
	struct head head = read_head(dict, &reader);
	switch (head.kind) {
	case CTF_K_ARRAY:
		type->target = type_numbered(dict, (uint32_t)dph_reader_number(&reader, 4));
		break;
	case CTF_K_POINTER:
	case CTF_K_FUNCTION:
	case CTF_K_TYPEDEF:
	case CTF_K_VOLATILE:
	case CTF_K_CONST:
	case CTF_K_RESTRICT:
		type->target = type_numbered(dict, head.target);
		break;
	default:
		break;
	}
}

static void take_member(struct dph_type *type, struct dph_parts *parts, const struct head *head,
			struct dph_reader *reader)
{
	struct dict *dict = type->origin;
	unsigned inside = 0, bits = 0;
	uint64_t storage = 0, offset = 0;
	struct dph_member member = {
		.name = string_at(dict, (uint32_t)dph_reader_number(reader, 4))};
	offset = dph_reader_number(reader, 4);
	uint32_t number = (uint32_t)dph_reader_number(reader, 4);
	if (is_long(head))
		offset = offset << 32 | dph_reader_number(reader, 4);
	member.type = sliced(dict, number, &inside, &bits);
	member.offset = offset / 8;
	if (bits && bits <= 64) {
		if (member.type)
			dph_type_bytes(member.type, &storage);
		dph_bit_field(&member, offset + inside, bits, storage, type->bytes,
			      type->debug->big_endian);
	}
	dph_parts_member(parts, member);
}

static void take_part(struct dph_type *type, struct dph_parts *parts, const struct head *head,
		      struct dph_reader *reader)
{
	struct dict *dict = type->origin;
	uint32_t number;
	switch (head->kind) {
	case CTF_K_STRUCT:
	case CTF_K_UNION:
		take_member(type, parts, head, reader);
		break;
	case CTF_K_ENUM:
		number = (uint32_t)dph_reader_number(reader, 4);
		dph_parts_enumerator(parts, (struct dph_enumerator){string_at(dict, number),
								    dph_reader_signed(reader, 4)});
		break;
	default: /* an argument; a last one without a type stands for "..." */
		number = (uint32_t)dph_reader_number(reader, 4);
		if (number || parts->count + 1 < head->parts)
			dph_parts_member(parts,
					 (struct dph_member){.type = type_numbered(dict, number)});
		else
			type->variadic = true;
		break;
	}
}

static void read_parts(struct dph_type *type)
{
	struct dict *dict = type->origin;
	struct dph_parts parts = {0};
	struct dph_reader reader = type_cursor(dict, (uint32_t)type->inner);
	struct head head = read_head(dict, &reader);
	if (head.kind != CTF_K_STRUCT && head.kind != CTF_K_UNION && head.kind != CTF_K_ENUM &&
	    head.kind != CTF_K_FUNCTION)
		return;
	for (uint32_t i = 0; i < head.parts && dph_reader_more(&reader); i++)
		take_part(type, &parts, &head, &reader);
	dph_parts_done(&parts, type);
}

static const struct dph_type_source ctf_source = {read_target, read_parts};

/* --- by name ------------------------------------------------------------------------------- */

static bool fits(const struct head *head, enum dph_type_kind kind, const char *name)
{
	if (!head->name || head->kind == CTF_K_FORWARD)
		return false;
	if (kind != DPH_TYPE_OTHER)
		return kinds[head->kind] == kind && strcmp(head->name, name) == 0;
	if (head->kind == CTF_K_INTEGER || head->kind == CTF_K_FLOAT) {
		uint32_t words = dph_base_type_words(name);
		return words ? dph_base_type_words(head->name) == words
			     : strcmp(head->name, name) == 0;
	}
	return head->kind == CTF_K_TYPEDEF && strcmp(head->name, name) == 0;
}

/* The first definition in a dictionary; null: none. */
static const struct dph_type *in_dict(struct dict *dict, enum dph_type_kind kind, const char *name)
{
	for (uint32_t k = 0; k < dict->type_count; k++) {
		struct dph_reader reader = type_cursor(dict, k);
		struct head head = read_head(dict, &reader);
		if (fits(&head, kind, name))
			return type_numbered(dict, (k + 1) | (dict->child ? CTF_CHILD : 0));
	}
	return NULL;
}

/* The source file of a dictionary. The parent has what files share. */
static const char *file_of(const struct dict *dict)
{
	const char *file = dict->child ? string_at(dict, dict->header[CTF_UNIT_NAME]) : NULL;
	return file ? file : "types that files share";
}

static bool is_of(const struct dict *dict, const char *file)
{
	return !file || (dict->child && dph_path_ends(file_of(dict), file));
}

const struct dph_type *dph_ctf_type_named(struct dp_debuginfo *debug, enum dph_type_kind kind,
					  const char *name, const struct dph_within *within,
					  struct dph_meanings *meanings)
{
	struct dph_ctf *ctf = opened(debug);
	const struct dph_type *first = NULL;
	*meanings = (struct dph_meanings){NULL, NULL};
	for (size_t i = 0; ctf && i < ctf->count; i++) {
		struct dict *dict = &ctf->dicts[i];
		const struct dph_type *found =
			is_of(dict, within->file) ? in_dict(dict, kind, name) : NULL;
		if (first && found && dph_type_differs(first, found))
			meanings->other = file_of(dict);
		if (first || !found)
			continue;
		meanings->file = file_of(dict);
		first = found;
	}
	return first;
}

/* Visit the enumerators of the name that the enum has. */
static void visit_enum(const struct dph_type *type, const char *file, const char *name,
		       dph_ctf_visit *visit, void *context)
{
	const struct dph_enumerator *list;
	const size_t count = dph_type_enumerators(type, &list);
	for (size_t i = 0; i < count; i++)
		if (list[i].name && strcmp(list[i].name, name) == 0)
			visit(context, file, list[i].value);
}

void dph_ctf_enumerators(struct dp_debuginfo *debug, const char *name,
			 const struct dph_within *within, dph_ctf_visit *visit, void *context)
{
	struct dph_ctf *ctf = opened(debug);
	for (size_t i = 0; ctf && i < ctf->count; i++) {
		struct dict *dict = &ctf->dicts[i];
		for (uint32_t k = 0; k < dict->type_count && is_of(dict, within->file); k++) {
			struct dph_reader reader = type_cursor(dict, k);
			if (read_head(dict, &reader).kind != CTF_K_ENUM)
				continue;
			const struct dph_type *type =
				type_numbered(dict, (k + 1) | (dict->child ? CTF_CHILD : 0));
			if (type)
				visit_enum(type, file_of(dict), name, visit, context);
		}
	}
}

/* The type of a symbol: a list of types, and one of names in the same order. */
static const struct dph_type *of_symbol(struct dict *dict, enum ctf_header_word types,
					enum ctf_header_word names, const char *name)
{
	struct dph_reader type = section(dict, dict->header[types], dict->header[types + 1]);
	struct dph_reader known = section(dict, dict->header[names], dict->header[names + 1]);
	while (dph_reader_more(&type) && dph_reader_more(&known)) {
		const char *found = string_at(dict, (uint32_t)dph_reader_number(&known, 4));
		uint32_t number = (uint32_t)dph_reader_number(&type, 4);
		if (found && strcmp(found, name) == 0)
			return type_numbered(dict, number);
	}
	return NULL;
}

const struct dph_type *dph_ctf_function(struct dp_debuginfo *debug, const char *name)
{
	struct dph_ctf *ctf = opened(debug);
	const struct dph_type *type = NULL;
	for (size_t i = 0; ctf && i < ctf->count && !type; i++)
		type = of_symbol(&ctf->dicts[i], CTF_FUNCTIONS, CTF_FUNCTION_NAMES, name);
	return type;
}

static const struct dph_type *in_variables(struct dict *dict, const char *name)
{
	struct dph_reader list =
		section(dict, dict->header[CTF_VARIABLES], dict->header[CTF_TYPES]);
	while (dph_reader_more(&list)) {
		const char *found = string_at(dict, (uint32_t)dph_reader_number(&list, 4));
		uint32_t number = (uint32_t)dph_reader_number(&list, 4);
		if (found && strcmp(found, name) == 0)
			return type_numbered(dict, number);
	}
	return NULL;
}

const struct dph_type *dph_ctf_variable(struct dp_debuginfo *debug, const char *name)
{
	struct dph_ctf *ctf = opened(debug);
	const struct dph_type *type = NULL;
	for (size_t i = 0; ctf && i < ctf->count && !type; i++) {
		type = of_symbol(&ctf->dicts[i], CTF_OBJECTS, CTF_OBJECT_NAMES, name);
		if (!type)
			type = in_variables(&ctf->dicts[i], name);
	}
	return type;
}
