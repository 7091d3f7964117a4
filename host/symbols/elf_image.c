/* SPDX-License-Identifier: BSD-2-Clause */
/* The image reader reads symbols, code bytes and identity from ELF files (libelf) and System.map
 * lists. */
#define _GNU_SOURCE
#include "image_parts.h"

#include "base/diag.h"
#include "dp_bytes.h"
#include "dp_object.h"
#include "tables/registers.h"
#include "source/source.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum {
	NOTE_GNU_BUILD_ID = 3
};

/* --- symbols ------------------------------------------------------------------------------- */

static void add_symbol(struct dp_image *image, struct dp_symbol symbol)
{
	image->symbols = dph_grow(image->symbols, &image->symbol_capacity, image->symbol_count,
				  sizeof(*image->symbols));
	image->symbols[image->symbol_count++] = symbol;
}

static void add_mapping(struct dp_image *image, uint64_t value, const struct dph_isa *isa)
{
	image->mappings = dph_grow(image->mappings, &image->mapping_capacity, image->mapping_count,
				   sizeof(*image->mappings));
	image->mappings[image->mapping_count++] = (struct dph_mapping){value, isa};
}

/* The instruction set of a function, and its address without the bit that says so. */
static void take_isa(const struct dp_image *image, struct dp_symbol *symbol)
{
	const struct dph_isa *isa = dph_isa_addressed(image->kin, symbol->value);
	if (isa)
		symbol->value &= ~isa->address_bit;
	else
		isa = dph_isa_usual(image->kin);
	symbol->isa = isa->number;
}

static enum dp_symbol_kind kind_of(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC ? DP_SYMBOL_FUNCTION
	       : type == STT_OBJECT                      ? DP_SYMBOL_OBJECT
							 : DP_SYMBOL_OTHER;
}

/* An ELF symbol. *file is the STT_FILE that local symbols follow. */
static void take_symbol(struct dp_image *image, const GElf_Sym *sym, const char *name,
			const char **file)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	const struct dph_isa *isa;
	if (type == STT_FILE) {
		*file = name;
		return;
	}
	if (!name || !*name || type == STT_SECTION || type == STT_TLS || sym->st_shndx == SHN_UNDEF)
		return;
	if (image->kin && dph_isa_mapped(image->kin, name, &isa)) {
		add_mapping(image, sym->st_value, isa);
		return;
	}
	bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
	struct dp_symbol symbol = {
		.name = name,
		.file = local ? *file : NULL,
		.value = sym->st_value,
		.bytes = sym->st_size,
		.kind = kind_of(type),
		.local = local,
		.fixed = sym->st_shndx == SHN_ABS,
	};
	if (image->kin && symbol.kind == DP_SYMBOL_FUNCTION)
		take_isa(image, &symbol);
	add_symbol(image, symbol);
}

static void read_symbols(struct dp_image *image, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	const char *file = NULL;
	for (size_t i = 0; data && i < count; i++) {
		GElf_Sym sym;
		if (gelf_getsym(data, (int)i, &sym))
			take_symbol(image, &sym,
				    elf_strptr(image->elf, header->sh_link, sym.st_name), &file);
	}
}

static int by_value(const void *a, const void *b)
{
	const struct dp_symbol *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Of equal names the lower address first. */
static int by_name(const void *a, const void *b)
{
	const struct dp_symbol *x = *(const struct dp_symbol *const *)a,
			       *y = *(const struct dp_symbol *const *)b;
	const int order = strcmp(x->name, y->name);
	return order ? order : x->value < y->value ? -1 : x->value > y->value;
}

/* Does a function without a size end where the symbol begins? Local labels are inside it. */
static bool ends_function(const struct dp_symbol *symbol)
{
	return !symbol->fixed && (symbol->kind != DP_SYMBOL_OTHER || !symbol->local);
}

/* The end of the executable section around the address; 0: none. */
static uint64_t section_end(const struct dp_image *image, uint64_t address)
{
	uint64_t end = 0;
	for (size_t i = 0; i < image->code_count; i++)
		if (address >= image->code[i].address &&
		    address - image->code[i].address < image->code[i].bytes)
			end = image->code[i].address + image->code[i].bytes;
	return end;
}

/* A function of assembly may have no size. It reaches up to the next symbol. symbols: sorted. */
static void give_sizes(struct dp_image *image)
{
	uint64_t next = UINT64_MAX, after = UINT64_MAX; /* after: behind all symbols at `next` */
	for (size_t i = image->symbol_count; i-- > 0;) {
		struct dp_symbol *symbol = &image->symbols[i];
		if (symbol->value != next && ends_function(symbol)) {
			after = next;
			next = symbol->value;
		}
		const uint64_t limit = symbol->value < next ? next : after;
		const uint64_t end = section_end(image, symbol->value);
		if (symbol->kind == DP_SYMBOL_FUNCTION && !symbol->bytes && !symbol->fixed && end)
			symbol->bytes = (limit < end ? limit : end) - symbol->value;
	}
}

static int by_mapping(const void *a, const void *b)
{
	const struct dph_mapping *x = a, *y = b;
	return x->value < y->value ? -1 : x->value > y->value;
}

static void sort_symbols(struct dp_image *image)
{
	if (image->symbol_count)
		qsort(image->symbols, image->symbol_count, sizeof(*image->symbols), by_value);
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): the array holds pointers */
	image->by_name = dph_pool_take(&image->pool, image->symbol_count * sizeof(*image->by_name));
	for (size_t i = 0; i < image->symbol_count; i++)
		image->by_name[i] = &image->symbols[i];
	if (image->symbol_count)
		/* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are sorted */
		qsort(image->by_name, image->symbol_count, sizeof(*image->by_name), by_name);
	dph_cover_build(&image->functions, image->symbols, image->symbol_count,
			1u << DP_SYMBOL_FUNCTION);
	dph_cover_build(&image->named, image->symbols, image->symbol_count,
			1u << DP_SYMBOL_FUNCTION | 1u << DP_SYMBOL_OBJECT);
	if (image->mapping_count)
		qsort(image->mappings, image->mapping_count, sizeof(*image->mappings), by_mapping);
}

/* --- sections and segments ----------------------------------------------------------------- */

static struct dph_piece *add_piece(struct dph_piece **list, size_t *count, size_t *capacity)
{
	*list = dph_grow(*list, capacity, *count, sizeof(**list));
	struct dph_piece *piece = &(*list)[(*count)++];
	*piece = (struct dph_piece){0};
	return piece;
}

static void take_notes(struct dp_image *image, Elf_Data *data)
{
	size_t at = 0, name_at, desc_at;
	GElf_Nhdr note;
	while (data && (at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0)
		if (note.n_type == NOTE_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp((char *)data->d_buf + name_at, "GNU", 4) == 0) {
			image->build_id_bytes =
				note.n_descsz < DPH_BUILD_ID_MAX ? note.n_descsz : DPH_BUILD_ID_MAX;
			memcpy(image->build_id, (char *)data->d_buf + desc_at,
			       image->build_id_bytes);
		}
}

static void fill_piece(struct dph_piece *piece, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	piece->address = header->sh_addr;
	piece->bytes = header->sh_size;
	piece->data = data ? data->d_buf : NULL;
	piece->executable = (header->sh_flags & SHF_EXECINSTR) != 0;
}

/* A section with content that is loaded. */
static void take_loaded(struct dp_image *image, Elf_Scn *section, const GElf_Shdr *header)
{
	if (header->sh_flags & SHF_EXECINSTR)
		fill_piece(add_piece(&image->code, &image->code_count, &image->code_capacity),
			   section, header);
	if (!(header->sh_flags & SHF_WRITE))
		fill_piece(add_piece(&image->constants, &image->constant_count,
				     &image->constant_capacity),
			   section, header);
}

static bool read_sections(struct dp_image *image)
{
	Elf_Scn *section = NULL;
	while ((section = elf_nextscn(image->elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			return false;
		if (header.sh_type == SHT_SYMTAB)
			read_symbols(image, section, &header);
		else if (header.sh_type == SHT_NOTE)
			take_notes(image, elf_getdata(section, NULL));
		else if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_ALLOC))
			take_loaded(image, section, &header);
	}
	return true;
}

static bool read_segments(struct dp_image *image)
{
	size_t count, bytes;
	const char *file = elf_rawfile(image->elf, &bytes);
	if (elf_getphdrnum(image->elf, &count) != 0 || !file)
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(image->elf, (int)i, &header))
			return false;
		if (header.p_type != PT_LOAD || !header.p_filesz)
			continue;
		if (header.p_offset > bytes || header.p_filesz > bytes - header.p_offset)
			return false;
		struct dph_piece *piece =
			add_piece(&image->pieces, &image->piece_count, &image->piece_capacity);
		piece->address = header.p_vaddr;
		piece->bytes = header.p_filesz;
		piece->data = (const uint8_t *)file + header.p_offset;
		piece->executable = (header.p_flags & PF_X) != 0;
	}
	return true;
}

static bool damaged(const struct dp_image *image, struct dp_messages *messages)
{
	int error = elf_errno();
	dph_file_error(messages, image->path, "the ELF file is damaged: %s",
		       error ? elf_errmsg(error) : "a segment is outside the file");
	return false;
}

/* Does the file end before its table of sections? Then names and types are missing, and the rest
 * may look like a stripped file. */
static bool cut(const struct dp_image *image, const GElf_Ehdr *header, struct dp_messages *messages)
{
	const uint64_t end = header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;
	size_t bytes = 0;
	if (!elf_rawfile(image->elf, &bytes) || header->e_shoff == 0 || end <= bytes)
		return false;
	dph_file_error(messages, image->path,
		       "the file ends at byte %zu, and its table of sections at byte %llu: it was "
		       "cut; copy it again",
		       bytes, (unsigned long long)end);
	return true;
}

static bool begins_as_elf(const struct dph_content *content)
{
	return content->bytes >= SELFMAG && memcmp(content->data, ELFMAG, SELFMAG) == 0;
}

static bool read_elf(struct dp_image *image, struct dp_messages *messages)
{
	GElf_Ehdr header;
	if (!gelf_getehdr(image->elf, &header))
		return damaged(image, messages);
	if (header.e_type == ET_REL) {
		dph_file_error(messages, image->path,
			       "the file is not linked, so its code has no addresses; give the "
			       "linked file");
		return false;
	}
	if (cut(image, &header, messages))
		return false;
	image->machine = header.e_machine;
	image->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	image->word_bits = header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	const struct dph_elf_kind kind = dph_elf_kind(image->elf, &header);
	image->cpu = dph_cpu_of_elf(&kind);
	image->kin = image->cpu ? image->cpu : dph_cpu_of_machine(kind.machine);
	image->cpu_text = dph_cpu_text_of_elf(&kind);
	image->code_big_endian = image->big_endian &&
				 !(image->cpu && (header.e_flags & image->cpu->elf_code_little));
	if (!read_sections(image) || !read_segments(image))
		return damaged(image, messages);
	/* Linked without program headers (kmod): the sections are the image. */
	for (size_t i = 0; !image->piece_count && i < image->code_count; i++) {
		*add_piece(&image->pieces, &image->piece_count, &image->piece_capacity) =
			image->code[i];
	}
	dph_relocations_read(&image->relocations, image->elf, image->cpu);
	dph_hooks_read(image);
	if (image->symbol_count)
		qsort(image->symbols, image->symbol_count, sizeof(*image->symbols), by_value);
	give_sizes(image);
	sort_symbols(image);
	return true;
}

/* --- System.map ---------------------------------------------------------------------------- */

/* "c0100000 T _text". A line of another shape: false. */
static bool take_map_line(struct dp_image *image, const char *line, size_t bytes)
{
	char name[256], type;
	unsigned long long value;
	int end = 0;
	char *copy = dph_pool_copy(&image->pool, line, bytes);
	if (sscanf(copy, "%llx %c %255s %n", &value, &type, name, &end) != 3)
		return false;
	bool code = type == 't' || type == 'T' || type == 'w' || type == 'W';
	add_symbol(image, (struct dp_symbol){
				  .name = dph_pool_copy(&image->pool, name, strlen(name)),
				  .value = value,
				  .kind = code ? DP_SYMBOL_FUNCTION : DP_SYMBOL_OBJECT,
				  .local = type >= 'a' && type <= 'z',
			  });
	return true;
}

static bool read_map(struct dp_image *image, struct dp_messages *messages)
{
	const struct dph_content *content = image->file.content;
	const char *text = content->data + dph_mark_bytes(content->data, content->bytes);
	bool good = *text != 0;
	const char *end;
	for (const char *line = text; good && *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end > line + strspn(line, " \t\r"))
			good = take_map_line(image, line, (size_t)(end - line));
	}
	if (!good)
		dph_file_error(
			messages, image->path,
			"the file is neither an ELF file nor a System.map (ADDRESS TYPE NAME)");
	sort_symbols(image);
	return good;
}

/* --- an image that runs elsewhere ---------------------------------------------------------- */

static uint64_t shifted(const struct dp_image *image, uint64_t address, uint64_t by)
{
	return image->word_bits == 32 ? (uint32_t)(address + by) : address + by;
}

static void shift_pieces(const struct dp_image *image, struct dph_piece *pieces, size_t count,
			 uint64_t by)
{
	for (size_t i = 0; i < count; i++)
		pieces[i].address = shifted(image, pieces[i].address, by);
}

static void forget_covers(struct dp_image *image)
{
	free(image->functions.stretches);
	free(image->named.stretches);
	image->functions = image->named = (struct dph_cover){0};
}

void dp_image_move(struct dp_image *image, uint64_t moved)
{
	const uint64_t by = moved - image->moved;
	if (!by)
		return;
	for (size_t i = 0; i < image->symbol_count; i++)
		if (!image->symbols[i].fixed)
			image->symbols[i].value = shifted(image, image->symbols[i].value, by);
	for (size_t i = 0; i < image->mapping_count; i++)
		image->mappings[i].value = shifted(image, image->mappings[i].value, by);
	shift_pieces(image, image->pieces, image->piece_count, by);
	shift_pieces(image, image->code, image->code_count, by);
	shift_pieces(image, image->constants, image->constant_count, by);
	for (size_t i = 0; i < image->hook_count; i++) {
		struct dph_hook *hook = &image->hooks[i];
		hook->address = shifted(image, hook->address, by);
		hook->semaphore = hook->semaphore ? shifted(image, hook->semaphore, by) : 0;
	}
	image->moved = moved;
	forget_covers(image);
	sort_symbols(image);
}

bool dph_image_relocated(const struct dp_image *image, uint64_t address, size_t bytes)
{
	return dph_relocations_touch(&image->relocations, image->moved != 0,
				     shifted(image, address, 0 - image->moved), bytes);
}

/* --- public -------------------------------------------------------------------------------- */

/* content: this use of it is taken over; null: errno says why. */
static struct dp_image *open_content(const char *path, struct dph_content *content,
				     struct dp_messages *messages)
{
	struct dp_image *image = dph_malloc(sizeof(*image));
	bool good = false;
	image->path = dph_pool_copy(&image->pool, path, strlen(path));
	if (!content)
		dph_file_error(messages, path, "cannot read it: %s", dph_content_why(errno));
	dph_elf_open(&image->file, content);
	if (image->file.elf && elf_kind(image->file.elf) == ELF_K_ELF) {
		image->elf = image->file.elf;
		good = read_elf(image, messages);
	} else if (content) {
		good = !image->file.elf && begins_as_elf(content) ? damaged(image, messages)
								  : read_map(image, messages);
	}
	if (good)
		return image;
	dp_image_close(image);
	return NULL;
}

struct dp_image *dp_image_open(const char *path, struct dp_messages *messages)
{
	return open_content(path, dph_content_open(path), messages);
}

struct dp_image *dph_image_again(const struct dp_image *image, struct dp_messages *messages)
{
	return open_content(image->path, dph_image_content(image), messages);
}

void dp_image_close(struct dp_image *image)
{
	if (!image)
		return;
	dph_elf_close(&image->file);
	forget_covers(image);
	dph_relocations_free(&image->relocations);
	free(image->symbols);
	free(image->mappings);
	free(image->pieces);
	free(image->code);
	free(image->constants);
	free(image->hooks);
	dph_pool_free(&image->pool);
	free(image);
}

bool dph_image_takes(const struct dp_image *image, const struct dph_cpu *cpu)
{
	GElf_Ehdr header;
	if (!image->elf || !gelf_getehdr(image->elf, &header))
		return true;
	const struct dph_elf_kind kind = dph_elf_kind(image->elf, &header);
	return dph_cpu_takes_elf(cpu, &kind);
}

const struct dph_cpu *dph_image_cpu(const struct dp_image *image)
{
	return image->cpu;
}

const struct dph_cpu *dph_image_kin(const struct dp_image *image)
{
	return image->kin;
}

const char *dph_image_cpu_text(const struct dp_image *image)
{
	return image ? image->cpu_text : NULL;
}

void dp_image_info(const struct dp_image *image, struct dp_image_info *info)
{
	*info = (struct dp_image_info){
		.path = image->path,
		.elf = image->elf != NULL,
		.big_endian = image->big_endian,
		.word_bits = image->word_bits,
		.machine = image->machine,
		.cpu = image->cpu ? image->cpu->name : NULL,
		.build_id = image->build_id,
		.build_id_bytes = image->build_id_bytes,
		.moved = image->moved,
	};
}

struct dph_content *dph_image_content(const struct dp_image *image)
{
	return dph_content_share(image->file.content);
}

size_t dp_image_symbols(const struct dp_image *image, const struct dp_symbol **symbols)
{
	*symbols = image->symbols;
	return image->symbol_count;
}

/* As strcmp of a symbol's name and the word. */
static int compare_name(const struct dp_symbol *symbol, const char *word, size_t bytes)
{
	const int order = strncmp(symbol->name, word, bytes);
	return order ? order : symbol->name[bytes] != 0;
}

size_t dph_image_named(const struct dp_image *image, const char *word, size_t bytes,
		       const struct dp_symbol *const **list)
{
	size_t from = 0, to = image->symbol_count, end;
	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		if (compare_name(image->by_name[middle], word, bytes) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	for (end = from; end < image->symbol_count; end++)
		if (compare_name(image->by_name[end], word, bytes) != 0)
			break;
	*list = image->by_name + from;
	return end - from;
}

uint64_t dph_image_value(const struct dp_image *image, const char *name)
{
	const struct dp_symbol *const *list;
	return dph_image_named(image, name, strlen(name), &list) > 0 ? list[0]->value : 0;
}

const struct dp_symbol *dp_image_function(const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *found = NULL;
	for (; image && !found; image = image->joined)
		found = dph_cover_find(&image->functions, address);
	return found;
}

const struct dp_symbol *dp_image_symbol(const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *found = NULL;
	for (; image && !found; image = image->joined)
		found = dph_cover_find(&image->named, address);
	return found;
}

void dph_image_join(struct dp_image *image, const struct dp_image *other)
{
	image->joined = other;
}

const struct dp_image *dph_image_around(const struct dp_image *image, uint64_t address)
{
	for (; image; image = image->joined)
		for (size_t i = 0; i < image->piece_count; i++)
			if (address >= image->pieces[i].address &&
			    address - image->pieces[i].address < image->pieces[i].bytes)
				return image;
	return NULL;
}

const char *dph_image_module(const struct dp_image *image, size_t *bytes)
{
	struct dp_image_info info;
	dp_image_info(image, &info);
	const char *base = strrchr(info.path, '/');
	base = base ? base + 1 : info.path;
	*bytes = strcspn(base, ".");
	return base;
}

bool dp_image_read(const struct dp_image *image, uint64_t address, void *bytes, size_t count)
{
	for (size_t i = 0; i < image->piece_count; i++) {
		const struct dph_piece *piece = &image->pieces[i];
		if (address < piece->address || address - piece->address > piece->bytes ||
		    count > piece->bytes - (address - piece->address) || !piece->data)
			continue;
		memcpy(bytes, piece->data + (address - piece->address), count);
		return true;
	}
	return false;
}

char *dph_image_constant(const struct dp_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->constant_count; i++) {
		const struct dph_piece *piece = &image->constants[i];
		if (!piece->data || address < piece->address ||
		    address - piece->address >= piece->bytes)
			continue;
		const char *text = (const char *)piece->data + (address - piece->address);
		const size_t room = (size_t)(piece->bytes - (address - piece->address));
		return memchr(text, 0, room) ? dph_strdup(text) : NULL;
	}
	return NULL;
}

/* --- for the compiler ---------------------------------------------------------------------- */

bool dph_image_first_code(const struct dp_image *image, uint64_t *first, uint64_t *bytes)
{
	for (size_t i = 0; i < image->piece_count; i++) {
		const struct dph_piece *piece = &image->pieces[i];
		if (!piece->executable || !piece->data)
			continue;
		*first = piece->address;
		*bytes = piece->bytes;
		return true;
	}
	return false;
}

bool dph_image_section(const struct dp_image *image, const char *name, uint64_t *bytes)
{
	Elf_Scn *section = NULL;
	size_t names;
	GElf_Shdr header;
	if (!image->elf || elf_getshdrstrndx(image->elf, &names) != 0)
		return false;
	while ((section = elf_nextscn(image->elf, section))) {
		const char *its = gelf_getshdr(section, &header)
					  ? elf_strptr(image->elf, names, header.sh_name)
					  : NULL;
		if (!its || strcmp(its, name) != 0)
			continue;
		*bytes = header.sh_size;
		return true;
	}
	return false;
}
