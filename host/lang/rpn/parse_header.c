/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of headers reads the KEY = VALUE statements of the file header and of probes.  RPN.md
 * 2. */
#define _GNU_SOURCE
#include "cursor.h"

#include "dp_object.h"

#include <ctype.h>
#include <string.h>

/* --- the place of a keyword --------------------------------------------------------------- */

enum scope {
	IN_FILE = 1,
	IN_PROBE = 2
};

struct keyword {
	const char *name;
	unsigned scope;
	void (*parse)(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k);
	size_t file_setting, probe_setting; /* offset in dph_rpn_file, dph_rpn_probe */
	uint64_t max;
	const char *range;
};

static struct dph_setting *setting_of(struct dph_cursor *c, const struct keyword *k)
{
	if (c->probe)
		return (struct dph_setting *)((char *)c->probe + k->probe_setting);
	return (struct dph_setting *)((char *)&c->file + k->file_setting);
}

static bool name_is(const struct dph_token *token, const char *name)
{
	return dph_token_is(token, name);
}

static const struct dph_token *need_word(struct dph_cursor *c, const char *key, const char *may)
{
	const struct dph_token *token = dph_next(c);
	if (token->kind == DPH_TOKEN_WORD)
		return token;
	if (token->kind == DPH_TOKEN_END)
		dph_error(c, dph_statement(c), "'%s' needs a value; use %s", key, may);
	else
		dph_error(c, dph_place_of(c, token), "'%s' cannot be '%.*s'; use %s", key,
			  (int)token->bytes, token->text, may);
	dph_skip(c);
	return NULL;
}

/* Index of the word among `count` names, or -1 and a complaint. */
static int choose(struct dph_cursor *c, const char *key, const char *const *names, int count,
		  const char *may)
{
	const struct dph_token *token = need_word(c, key, may);
	if (!token)
		return -1;
	for (int i = 0; i < count; i++)
		if (name_is(token, names[i]))
			return i;
	dph_error(c, dph_place_of(c, token), "'%s' cannot be '%.*s'; use %s", key,
		  (int)token->bytes, token->text, may);
	dph_skip(c);
	return -1;
}

/* --- values -------------------------------------------------------------------------------- */

static void parse_number(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	const struct dph_range range = {k->name, k->max, k->range, "a value"};
	if (!dph_plain_number(c, &range, &setting->value))
		dph_skip(c);
}

/* logmax, excpt_log: the limit of the target, or the default limit of the agent. */
static void parse_buffer(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	const struct dp_build_options *o = c->options;
	bool log = setting == &c->file.logmax;
	unsigned given = log ? o->log_max : o->trace_max;
	unsigned max = given ? given : RPN_LOGMAX_DEFAULT;
	const struct dph_range range = {
		k->name, max,
		given ? dph_pool_print(c->pool, "0..%u on this target", max)
		      : dph_pool_print(
				c->pool,
				"0..%u on an agent built as usual; --%s-max is for larger values",
				max, log ? "log" : "trace"),
		"a value"};
	if (!dph_plain_number(c, &range, &setting->value))
		dph_skip(c);
}

static void parse_opcode(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	const struct dph_token *token = dph_peek(c, 0);
	bool hex = token->bytes > 2 && (token->text[1] == 'x' || token->text[1] == 'X');
	parse_number(c, setting, k);
	size_t digits = hex ? token->bytes - 2 : setting->value > 0xffff ? 8 : 4;
	c->probe->point.opcode_bytes = digits <= 2 ? 1 : digits <= 4 ? 2 : 4;
}

static void parse_yes_no(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	static const char *const names[] = {"no", "yes"};
	int chosen = choose(c, k->name, names, 2, "yes or no");
	setting->value = chosen == 1;
}

/* Each `map =` adds a map: the keyword may come again. */
static void parse_map(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	(void)k;
	dph_parse_map(c);
	setting->given = false;
}

static void parse_modtype(struct dph_cursor *c, struct dph_setting *setting,
			  const struct keyword *k)
{
	static const char *const names[] = {"kernel", "kmod", "user"};
	int chosen = choose(c, k->name, names, 3, "kernel, kmod or user");
	if (chosen >= 0)
		c->file.modtype = (unsigned)chosen;
	setting->value = c->file.modtype;
}

static void parse_phase(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	static const char *const names[] = {
#define DP_PHASE(number, name, text, sentence) text,
#include "phases.def"
	};
	int chosen = choose(c, k->name, names, DP_PHASES, "before, after, fault or returned");
	setting->value = chosen < 0 ? 0 : (unsigned)chosen;
	c->probe->point.phase = (unsigned)setting->value;
}

static void parse_watchpoint(struct dph_cursor *c, struct dph_setting *setting,
			     const struct keyword *k)
{
	static const char *const names[] = {
#define DP_POINT_KIND(number, name, text, sentence) text,
#include "point_kinds.def"
	};
	static const uint8_t kinds[] = {
#define DP_POINT_KIND(number, name, text, sentence) number,
#include "point_kinds.def"
	};
	int chosen = choose(c, k->name, names, (int)(sizeof(names) / sizeof(*names)),
			    "x, w, rw, io or r");
	setting->value = chosen < 0 ? DP_PROBE_WATCH_W : kinds[chosen];
	c->probe->point.kind = (unsigned)setting->value;
}

/* --- name = -------------------------------------------------------------------------------- */

static bool plain_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

static void check_bare_name(struct dph_cursor *c, const char *text, size_t bytes,
			    struct dph_place place)
{
	const struct dph_token all = {DPH_TOKEN_WORD, text, bytes};
	if (!dph_token_plain(&all))
		return; /* take_name refuses it */
	for (size_t i = 0; i < bytes; i++)
		if (!plain_name(text[i])) {
			dph_error(c, place, "name '%.*s' needs quotes: '%c' is no letter or digit",
				  (int)bytes, text, text[i]);
			return;
		}
	for (size_t i = 0; i < bytes; i++)
		if (!isalnum((unsigned char)text[i])) {
			dph_warning(c, place,
				    "name '%.*s' should be in quotes: '%c' is no letter or digit",
				    (int)bytes, text, text[i]);
			return;
		}
}

/* Without quotes: all tokens that touch. */
static struct dph_place bare_name(struct dph_cursor *c)
{
	size_t first = c->at;
	dph_next(c);
	while (c->at < c->token_count &&
	       c->token[c->at].text == c->token[c->at - 1].text + c->token[c->at - 1].bytes)
		c->at++;
	return dph_place_since(c, first);
}

static void take_name(struct dph_cursor *c, const char *text, size_t bytes, struct dph_place place)
{
	if (!bytes)
		dph_error(c, place, "'name' is empty; use the name of the firmware or module");
	else if (bytes > DPH_NAME_BYTES_MAX)
		dph_error(c, place, "'name' has %zu characters; at most %d", bytes,
			  DPH_NAME_BYTES_MAX);
	for (size_t i = 0; i < bytes; i++)
		if (text[i] < 0x20 || text[i] > 0x7e) {
			dph_error(c, place,
				  "'name' has a character that is not printable ASCII; use "
				  "letters, digits and signs");
			break;
		}
	c->file.name = dph_pool_copy(c->pool, text, bytes);
}

static void parse_name(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	const struct dph_token *token = dph_peek(c, 0);
	(void)setting;
	(void)k;
	if (token->kind == DPH_TOKEN_END) {
		dph_error(c, dph_statement(c),
			  "'name' needs a value; use the name of the firmware or module");
		c->file.name = "?";
		return;
	}
	if (token->kind == DPH_TOKEN_STRING) {
		struct dph_place place = dph_place_of(c, dph_next(c));
		if (token->bytes < 2 || token->text[token->bytes - 1] != '"') {
			dph_error(c, place, "the closing quote of the name is missing");
			c->file.name = "?";
			return;
		}
		take_name(c, token->text + 1, token->bytes - 2, place);
		return;
	}
	struct dph_place place = bare_name(c);
	check_bare_name(c, token->text, place.bytes, place);
	take_name(c, token->text, place.bytes, place);
}

/* --- groups and types ---------------------------------------------------------------------- */

static unsigned find_name(const struct dph_names *names, const struct dph_token *token)
{
	for (size_t i = 0; i < names->count; i++)
		if (name_is(token, names->list[i].text))
			return (unsigned)i + 1;
	return 0;
}

static void add_group(struct dph_cursor *c, struct dph_names *names, const char *key)
{
	const struct dph_token *token = dph_next(c);
	struct dph_place place = dph_place_of(c, token);
	if (token->kind != DPH_TOKEN_WORD) {
		dph_error(c, place, "expected a name for '%s', found '%.*s'", key,
			  (int)token->bytes, token->text);
		return;
	}
	if (find_name(names, token)) {
		const struct dph_name *other = &names->list[find_name(names, token) - 1];
		dph_error(c, place, "%.*s '%.*s' is defined twice%s", (int)strlen(key) - 3, key,
			  (int)token->bytes, token->text,
			  strncmp(other->text, token->text, token->bytes) == 0
				  ? ""
				  : "; upper and lower case do not count");
		dph_note(c, other->place, "the first one is here");
		return;
	}
	if (names->count == DPH_MAX_GROUPS) {
		dph_error(c, place, "'%s' cannot have more than %d names", key, DPH_MAX_GROUPS);
		dph_skip(c);
		return;
	}
	const char *text = dph_token_text(c, token);
	if (names == &c->program->groups)
		dph_ir_group(c->program, text, place);
	else
		dph_ir_type(c->program, text, place);
}

static void parse_names(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	struct dph_names *names =
		setting == &c->file.groupdef ? &c->program->groups : &c->program->types;
	if (dph_peek(c, 0)->kind == DPH_TOKEN_END)
		dph_error(c, dph_statement(c), "'%s' needs names with blanks between", k->name);
	while (dph_peek(c, 0)->kind != DPH_TOKEN_END && !dph_token_sign(dph_peek(c, 1), '='))
		add_group(c, names, k->name);
}

/* The name was meant to be defined: the parser reads the rest as if the definition were there. */
static unsigned define_anyway(struct dph_cursor *c, struct dph_names *names,
			      const struct dph_token *token)
{
	const unsigned number = token->kind == DPH_TOKEN_WORD ? find_name(names, token) : 0;
	if (number || token->kind != DPH_TOKEN_WORD || names->count == DPH_MAX_GROUPS)
		return number;
	return (names == &c->program->groups ? dph_ir_group : dph_ir_type)(
		c->program, dph_token_text(c, token), dph_place_of(c, token));
}

/* `type = enter leave` before the first probe: decisions.txt C119. */
static bool meant_definition(struct dph_cursor *c, const struct keyword *k, size_t first)
{
	if (c->probe)
		return false;
	struct dph_place all = dph_place_of(c, &c->token[first]), name = all;
	const struct dph_token *last = &c->token[c->token_count - 1], *value = dph_peek(c, 0);
	all.bytes =
		value->kind == DPH_TOKEN_END ? 0 : (size_t)(last->text + last->bytes - value->text);
	dph_error(c, name, "'%s' belongs to a probe; write '%sdef = %.*s' in the file header",
		  k->name, k->name, (int)all.bytes, value->text);
	while (dph_peek(c, 0)->kind != DPH_TOKEN_END)
		define_anyway(c, k->name[0] == 't' ? &c->program->types : &c->program->groups,
			      dph_next(c));
	return true;
}

static void parse_group(struct dph_cursor *c, struct dph_setting *setting, const struct keyword *k)
{
	bool is_type = k->name[0] == 't';
	struct dph_names *names = is_type ? &c->program->types : &c->program->groups;
	const struct dph_token *token = dph_next(c);
	struct dph_place place = dph_place_of(c, token);
	if (token->kind != DPH_TOKEN_WORD) {
		if (token->kind == DPH_TOKEN_END)
			dph_error(c, dph_statement(c), "'%s' needs a name of '%sdef ='", k->name,
				  k->name);
		else
			dph_error(c, place, "'%s' cannot be '%.*s'; use a name of '%sdef ='",
				  k->name, (int)token->bytes, token->text, k->name);
		dph_skip(c);
		return;
	}
	setting->value = find_name(names, token);
	if (setting->value) {
		*(is_type ? &c->probe->point.type : &c->probe->point.group) =
			(unsigned)setting->value;
		return;
	}
	struct dph_closest closest = dph_closest(token->text, token->bytes);
	for (size_t i = 0; i < names->count; i++)
		dph_closest_try(&closest, names->list[i].text);
	if (closest.best)
		dph_error(c, place, "%s '%.*s' is not in '%sdef ='; did you mean '%s'?", k->name,
			  (int)token->bytes, token->text, k->name, closest.best);
	else
		dph_error(c, place, "%s '%.*s' is not in '%sdef ='; add it there", k->name,
			  (int)token->bytes, token->text, k->name);
	define_anyway(c, names, token);
}

/* --- offset = and address = ---------------------------------------------------------------- */

void dph_begin_probe(struct dph_cursor *c, struct dph_place keyword, bool by_address)
{
	if (c->in_proc)
		dph_unclosed_proc(c);
	if (c->probe && c->probe_header)
		dph_warning(c, c->probe->point.place,
			    "this probe has no instruction: it logs an empty record");
	dph_close_probe(c);
	if (!c->probe_count)
		dph_finish_file_header(c);
	c->full = c->probe_count == DPH_MAX_PROBES;
	if (c->full)
		dph_error(
			c, keyword,
			"this is probe %d; an object holds %d, move the others to another program",
			DPH_MAX_PROBES + 1, DPH_MAX_PROBES);
	c->probes = dph_grow(c->probes, &c->probe_capacity, c->probe_count, sizeof(*c->probes));
	c->probes[c->probe_count] = (struct dph_rpn_probe){.by_address = by_address};
	c->probe = &c->probes[c->probe_count++];
	c->probe->point.keyword = keyword;
	c->probe_header = true;
}

static void take_address(struct dph_cursor *c, const struct dph_value *value)
{
	if (value->negative)
		dph_error(c, value->place, "'%s' cannot be negative; use 0 or more",
			  c->probe->by_address ? "address" : "offset");
	else if (dph_fits_word(c, value))
		c->probe->point.address = value->value;
	c->probe->point.symbolic = value->symbol != NULL;
	c->probe->point.symbol_isa = value->symbol ? value->symbol->isa : 0;
}

/* A probe begins here, but with a mistake: the lines that follow belong to the probe. */
static void lost_location(struct dph_cursor *c, bool by_address)
{
	const struct dph_place keyword = dph_place_of(c, dph_peek(c, 0));
	dph_begin_probe(c, keyword, by_address);
	c->probe->point.place = keyword;
	c->probe->bad = true;
	dph_skip(c);
}

static void parse_location(struct dph_cursor *c, bool by_address)
{
	struct dph_value value;
	const struct dph_token *keyword = dph_next(c);
	dph_next(c); /* = */
	if (c->probe && c->probe_header && c->probe->by_address != by_address) {
		dph_error(c, dph_place_of(c, keyword),
			  "probe has both 'offset' and 'address'; keep one");
		dph_skip(c);
		return;
	}
	dph_begin_probe(c, dph_place_of(c, keyword), by_address);
	if (by_address && c->file.modtype != DP_MODULE_KERNEL)
		dph_error(c, dph_place_of(c, keyword),
			  "'address' is for kernel programs only; in a module write 'offset ='");
	c->lookup = c->file.modtype != DP_MODULE_KERNEL ? c->images->module
							: dph_images_symbols(c->images);
	c->probe->point.place = dph_place_of(c, keyword);
	c->probe->bad = true;
	c->of_code = !by_address; /* a watchpoint has an address */
	const bool good = dph_expression(c, &value);
	c->of_code = false;
	if (!good)
		return;
	c->probe->bad = false;
	c->probe->point.place = value.place;
	take_address(c, &value);
	c->probe->point.last = c->probe->point.address;
	if (by_address && dph_token_sign(dph_peek(c, 0), ':')) {
		dph_next(c);
		struct dph_place first = value.place;
		if (!dph_expression(c, &value) || !dph_fits_word(c, &value))
			return;
		c->probe->point.last = value.value;
		c->probe->range = true;
		c->probe->last_place = value.place;
		if (c->probe->point.last < c->probe->point.address)
			dph_error(c, first,
				  "range 0x%llx..0x%llx runs backwards; write the lower address "
				  "first",
				  (unsigned long long)c->probe->point.address,
				  (unsigned long long)c->probe->point.last);
	}
	dph_end_statement(c);
}

/* --- the table ----------------------------------------------------------------------------- */

#define FILE_KEY(key, field, parse, max, range)                                                    \
	{key, IN_FILE, parse, offsetof(struct dph_rpn_file, field), 0, max, range},
#define PROBE_KEY(key, field, parse, max, range)                                                   \
	{key, IN_PROBE, parse, 0, offsetof(struct dph_rpn_probe, field), max, range},
#define BOTH_KEY(key, field, parse, max, range)                                                    \
	{key,                                                                                      \
	 IN_FILE | IN_PROBE,                                                                       \
	 parse,                                                                                    \
	 offsetof(struct dph_rpn_file, field),                                                     \
	 offsetof(struct dph_rpn_probe, field),                                                    \
	 max,                                                                                      \
	 range},

static const struct keyword keywords[] = {
#include "keywords.def"
};
enum {
	KEYWORDS = sizeof(keywords) / sizeof(*keywords)
};

static const struct keyword *find_keyword(const char *name, size_t bytes)
{
	const struct dph_token token = {DPH_TOKEN_WORD, name, bytes};
	for (size_t i = 0; i < KEYWORDS; i++)
		if (dph_token_is(&token, keywords[i].name))
			return &keywords[i];
	return NULL;
}

static bool is_place(const char *keyword)
{
	return strcmp(keyword, "offset") == 0 || strcmp(keyword, "address") == 0 ||
	       strcmp(keyword, "hook") == 0;
}

static bool is_location(const struct dph_token *token)
{
	return name_is(token, "offset") || name_is(token, "address") || name_is(token, "hook");
}

/* Read KEY = ..., or report a keyword with a missing =. */
bool dph_starts_header(const struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0), *next = dph_peek(c, 1);
	if (token->kind != DPH_TOKEN_WORD || dph_token_sign(next, ':'))
		return false;
	return dph_token_sign(next, '=') || is_location(token) ||
	       find_keyword(token->text, token->bytes);
}

/* Return the keyword of today for a keyword of older DProbes, or null after a message. */
static const struct keyword *old_keyword(struct dph_cursor *c, const struct dph_token *token)
{
	static const struct {
		const char *old, *now;
	} renamed[] = {{"pass_count", "ignore"}, {"max_hits", "maxhits"}};
	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (name_is(token, renamed[i].old)) {
			dph_warning(c, dph_place_of(c, token),
				    "'%s' was renamed in v3.4.0, write '%s'", renamed[i].old,
				    renamed[i].now);
			return find_keyword(renamed[i].now, strlen(renamed[i].now));
		}
	return NULL;
}

/* 3.6.4 behaves as with dfltexit = 0 by default. */
static void default_exit(struct dph_cursor *c)
{
	const struct dph_token *token = dph_next(c);
	uint64_t value;
	dph_next(c);
	const struct dph_range range = {"dfltexit", UINT32_MAX, "0..0xffffffff", "a value"};
	if (!dph_plain_number(c, &range, &value))
		dph_skip(c);
	else if (value)
		dph_error(c, dph_place_of(c, token),
			  "'dfltexit' is not supported; end the handler with 'exit %llu'",
			  (unsigned long long)value);
	else
		dph_warning(c, dph_place_of(c, token),
			    "'dfltexit' is ignored; handlers end with exit anyway");
	if (c->at < c->token_count)
		dph_end_statement(c);
}

/* "name, modtype, vars": the keywords that may come here. */
static char *keyword_list(struct dph_cursor *c)
{
	const unsigned here = c->probe ? IN_PROBE : IN_FILE;
	char *list = dph_pool_copy(c->pool, "", 0);
	for (size_t i = 0; i < KEYWORDS; i++)
		if (keywords[i].scope & here)
			list = dph_pool_print(c->pool, "%s%s%s", list, *list ? ", " : "",
					      keywords[i].name);
	return list;
}

static void unknown_keyword(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	struct dph_place place = dph_place_of(c, token);
	struct dph_closest closest = dph_closest(token->text, token->bytes);
	dph_closest_try(&closest, "offset");
	dph_closest_try(&closest, "address");
	dph_closest_try(&closest, "hook");
	for (size_t i = 0; i < KEYWORDS; i++)
		dph_closest_try(&closest, keywords[i].name);
	if (name_is(token, "heapmax"))
		dph_error(c, place, "'heapmax' is not part of DProbes 3.6.4; remove it");
	else if (closest.best)
		dph_error(c, place, "unknown keyword '%.*s'; did you mean '%s'?", (int)token->bytes,
			  token->text, closest.best);
	if (closest.best && is_place(closest.best))
		lost_location(c, *closest.best == 'a');
	if (!closest.best && !name_is(token, "heapmax"))
		dph_error(c, place, "unknown keyword '%.*s'; %s has %s", (int)token->bytes,
			  token->text, c->probe ? "a probe" : "the file header", keyword_list(c));
}

static bool may_stand_here(struct dph_cursor *c, const struct keyword *k, struct dph_place place)
{
	bool file = !c->probe_count && !c->in_proc;
	if (c->unread && !c->in_proc && !c->probe && !(k->scope & IN_FILE))
		return false; /* the line that begins the probe was complained about */
	if (c->in_proc)
		dph_error(c, place, "'%s' does not belong in a proc, but %s", k->name,
			  k->scope & IN_PROBE ? "in a probe, before its first instruction"
					      : "in the file header, before the first probe");
	else if (c->probe && !c->probe_header)
		dph_error(c, place, "'%s' %s", k->name,
			  k->scope & IN_PROBE
				  ? "must stand before the first instruction of the probe"
				  : "belongs to the file header, before the first probe");
	else if (!file && !(k->scope & IN_PROBE))
		dph_error(c, place, "'%s' belongs to the file header, before the first probe",
			  k->name);
	else if (!file && !c->probe)
		dph_error(c, place, "'%s' belongs to a probe, after 'offset =' or 'address ='",
			  k->name);
	else if (file && !(k->scope & IN_FILE) && k->parse != parse_group)
		dph_error(c, place, "'%s' belongs to a probe, after 'offset =' or 'address ='",
			  k->name);
	else
		return true;
	return false;
}

/* ignore and maxhits before the first probe: decisions.txt C118. */
static void warn_default(struct dph_cursor *c, const struct keyword *k, struct dph_place place)
{
	if (!c->probe && (strcmp(k->name, "ignore") == 0 || strcmp(k->name, "maxhits") == 0))
		dph_warning(c, place, "'%s' belongs to a probe; used as the default of every probe",
			    k->name);
}

static void keyword_statement(struct dph_cursor *c, const struct keyword *k)
{
	size_t first = c->at;
	struct dph_place place = dph_place_of(c, dph_next(c));
	dph_next(c); /* = */
	if (!may_stand_here(c, k, place))
		return;
	if (k->parse == parse_group && meant_definition(c, k, first))
		return;
	struct dph_setting *setting = setting_of(c, k);
	if (setting->given) {
		if (!name_is(&c->token[first], k->name))
			dph_error(c, place, "'%.*s' and '%s' are the same, given twice",
				  (int)place.bytes, c->token[first].text, k->name);
		else
			dph_error(c, place, "'%s' is given twice", k->name);
		dph_note(c, setting->place, "the first one is here");
		return;
	}
	warn_default(c, k, place);
	setting->given = true;
	setting->place = place;
	k->parse(c, setting, k);
	dph_end_statement(c);
}

static void missing_equals(struct dph_cursor *c, bool by_address)
{
	const struct dph_token *token = dph_peek(c, 0);
	dph_error(c, dph_place_of(c, dph_peek(c, 1)), "expected '=' after '%.*s'",
		  (int)token->bytes, token->text);
	if (is_location(token))
		lost_location(c, by_address);
}

void dph_header_statement(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	const struct keyword *k = find_keyword(token->text, token->bytes);
	bool by_address = name_is(token, "address");
	if (!dph_token_sign(dph_peek(c, 1), '='))
		missing_equals(c, by_address);
	else if (name_is(token, "hook"))
		dph_parse_hook(c);
	else if (is_location(token))
		parse_location(c, by_address);
	else if (name_is(token, "dfltexit"))
		default_exit(c);
	else if (name_is(token, "var"))
		dph_error(c, dph_place_of(c, token), "unknown keyword 'var'; write 'vars ='");
	else if (k || (k = old_keyword(c, token)))
		keyword_statement(c, k);
	else
		unknown_keyword(c);
}

/* Checks that need the complete header. Called before the first probe, and at the end. */
void dph_finish_file_header(struct dph_cursor *c)
{
	if (!c->file.name) {
		if (!c->unread)
			dph_error(c, dph_statement(c),
				  "no 'name =' before the first probe; add name = \"FIRMWARE\"");
		c->file.name = "?"; /* said once */
	}
	if (c->file.modtype != DP_MODULE_KERNEL)
		dph_images_open_module(c->images, c->file.name, c->target.cpu, c->report.messages);
}
