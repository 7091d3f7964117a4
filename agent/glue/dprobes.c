/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dprobes.h: the one agent of an image, made of the firmware's storage. */
#include "dprobes.h"

#include "dp_agent.h"
#include "dp_identity.h"
#include "dp_memory.h"
#include "dprobes_hit.h"

enum {
	DP_ROWS_ADDED = 6, /* storage, slots, keep area, the agent's text; linked text and RAM */
#ifdef DP_PORT_ALIAS
	DP_ROWS_SECRET = 4, /* the agent's secret; the key; each at two addresses */
#else
	DP_ROWS_SECRET = 2, /* the agent's secret; the key */
#endif
	DP_GET_MAX = 64, /* bytes that one dprobes_poll takes of a line */
	DP_BUILD_ID_BYTES = 20,
	DP_KEY_BYTES = 16
};

struct image {
	_Alignas(16) uint8_t stack[DP_PORT_CPUS * DP_PORT_STACK_BYTES];
	struct dp_agent agent;
	const struct dprobes_board *told;
	struct dp_board board;
	struct dp_memory memory;
	struct dp_range range[DP_MAX_RANGES];
};

_Static_assert(sizeof(struct image) <= DPROBES_STORAGE_BYTES,
	       "dprobes.h: the formula of DPROBES_STATE_BYTES is wrong for this CPU");
_Static_assert(sizeof(struct dp_port_state) <= DP_PORT_STATE_BYTES,
	       "dprobes_cpu.h of the port: DP_PORT_STATE_BYTES");
_Static_assert(DP_KEEP_BYTES <= DPROBES_KEEP_BYTES,
	       "dprobes.h: the formula of DPROBES_KEEP_BYTES is wrong for this CPU");
_Static_assert(sizeof(dprobes_word) == sizeof(dp_word), "dprobes_cpu.h of the port: DPROBES_WORD");
_Static_assert((int)DPROBES_READ == (int)DP_MEM_READ && (int)DPROBES_WRITE == (int)DP_MEM_WRITE &&
		       (int)DPROBES_TEXT == (int)DP_MEM_TEXT &&
		       (int)DPROBES_NO_PROBE == (int)DP_MEM_NO_PROBE &&
		       (int)DPROBES_DEVICE == (int)DP_MEM_DEVICE,
	       "dp_board.h");
_Static_assert((int)DPROBES_NOT_OURS == (int)DP_NOT_OURS && (int)DPROBES_RESUME == (int)DP_RESUME &&
		       (int)DPROBES_FIRMWARE == (int)DP_FIRMWARE,
	       "dp_port.h");

/* The linker makes both of the section's name. */
extern const uint8_t __start_dprobes_text[], __stop_dprobes_text[];

#if DP_WITH_HOOKS
/* Where no hook is for exits, the section is not there. */
extern const struct dp_hook_row __start_dprobes_hooks[] __attribute__((weak));
extern const struct dp_hook_row __stop_dprobes_hooks[] __attribute__((weak));
void dprobes_hook_dispatch(const char *hook, unsigned count, void *args);
#endif

#if DP_FUNCTIONS_BYTES > 0
/* Filled in the linked image: `dprobes table`. */
static const uint8_t functions_room[DP_FUNCTIONS_BYTES]
	__attribute__((section("dprobes_functions"), used, aligned(4))) = {0};
#endif

#if DP_EMBED_BYTES > 0
/* Filled in the linked image: `dprobes embed`. */
static const uint8_t embedded_room[DP_EMBED_BYTES]
	__attribute__((section("dprobes_embedded"), used, aligned(4))) = {0};
#endif

const uint8_t dprobes_no_note[16] __attribute__((aligned(4)));

static struct image *image;  /* null: no agent runs */
static uintptr_t image_made; /* ~image since dprobes_init has returned 0 */

/* Of an image that has moved itself without the agent, `image` is a word that somebody else has
 * written, and a call may lead to the old copy. */
static inline __attribute__((__always_inline__)) bool runs(void)
{
	return image_made == ~(uintptr_t)image;
}

/* --- callbacks of the core, answered by the firmware's --- */

static void task_now(struct dp_task *now)
{
	struct dprobes_task told = {0, 0, ""};

	image->told->task(&told);
	now->task = told.task;
	now->pid = told.pid;
	now->name = told.name;
}

#if DP_PROFILE == DP_PROFILE_FULL
static void callk(struct dp_hook_call *call)
{
	image->told->callk((struct dprobes_call *)call);
}

static void exit_1(struct dp_hook_call *call)
{
	image->told->exit_hook[0]((struct dprobes_call *)call);
}

static void exit_2(struct dp_hook_call *call)
{
	image->told->exit_hook[1]((struct dprobes_call *)call);
}

static void exit_3(struct dp_hook_call *call)
{
	image->told->exit_hook[2]((struct dprobes_call *)call);
}
#endif

#if DP_WITH_HALT
static int stopped(unsigned line)
{
	const struct dprobes_board *told = image->told;
	int byte = told->stopped ? told->stopped(line) : -1;

	if (byte < 0 && told->com[line].get)
		byte = told->com[line].get(told->com[line].ctx);
	return byte;
}
#endif

/* --- start --- */

static void add_row(dp_addr start, dp_addr bytes, uint8_t access)
{
	struct dp_range *row = &image->range[image->board.range_count++];

	row->start = start;
	row->bytes = bytes;
	row->access = access;
}

static void add_piece(const void *start, const void *end, uint8_t access)
{
	if (start != end)
		add_row((dp_addr)(uintptr_t)start, (dp_addr)((uintptr_t)end - (uintptr_t)start),
			access);
}

/* Of whole doublewords: an aligned access lies in one row. */
static void add_linked(const void *start, const void *end, uint8_t access)
{
	uintptr_t first = (uintptr_t)start & ~(uintptr_t)7;
	uintptr_t behind = ((uintptr_t)end + 7) & ~(uintptr_t)7;

	if (start != end)
		add_row((dp_addr)first, (dp_addr)(behind - first), access);
}

static void add_memory(const void *start, size_t bytes)
{
	add_row((dp_addr)(uintptr_t)start, (dp_addr)bytes, DP_MEM_READ | DP_MEM_NO_PROBE);
}

#if DP_WITH_ACCESS
#ifdef DP_PORT_ALIAS
/* The memory has a second address. */
static void hide_alias(const void *start, const void *end)
{
	add_linked((const void *)DP_PORT_ALIAS((uintptr_t)start),
		   (const void *)DP_PORT_ALIAS((uintptr_t)end), DP_MEM_NO_PROBE);
}
#else
static void hide_alias(const void *start, const void *end)
{
	(void)start, (void)end;
}
#endif

/* What nobody may read, whatever the rows behind say. */
static void add_secrets(const struct dprobes_board *told)
{
	const struct dp_secret *secret = &image->agent.secret;

	if (!told->key)
		return;
	hide_alias(secret, secret + 1);
	hide_alias(told->key, told->key + DP_KEY_BYTES);
	add_linked(secret, secret + 1, DP_MEM_NO_PROBE);
	add_linked(told->key, told->key + DP_KEY_BYTES, DP_MEM_NO_PROBE);
}
#else
static void add_secrets(const struct dprobes_board *told)
{
	(void)told;
}
#endif

/* The first match wins: secrets, the agent, the firmware's exceptions, the rest of text and RAM. */
static void fill_ranges(const struct dprobes_memory *memory, const struct dprobes_board *told)
{
	add_secrets(told);
	add_memory(memory->storage, DPROBES_STORAGE_BYTES);
	add_memory(memory->slots, memory->slots_bytes);
	add_memory(memory->keep, DPROBES_KEEP_BYTES);
	add_piece(__start_dprobes_text, __stop_dprobes_text, DP_MEM_READ | DP_MEM_NO_PROBE);
	for (unsigned i = 0; i < told->range_count; i++)
		add_row(told->ranges[i].start, told->ranges[i].bytes, told->ranges[i].access);
	if (told->linked) {
		add_linked(told->linked->text, told->linked->text_end, DP_MEM_READ | DP_MEM_TEXT);
		add_linked(told->linked->ram, told->linked->ram_end, DP_MEM_READ | DP_MEM_WRITE);
	}
	image->board.ranges = image->range;
}

/* Bytes of name and description, type 3; then both, each padded to words. */
static void fill_build_id(struct dp_module *module, const uint32_t *note)
{
	if (!note || note[2] != 3 || note[1] == 0 || note[1] > DP_BUILD_ID_BYTES)
		return;
	module->build_id = (const uint8_t *)&note[3 + (note[0] + 3) / 4];
	module->build_id_bytes = (uint8_t)note[1];
}

static void fill_image(struct dp_module *module, const struct dprobes_board *told)
{
	module->name = told->name ? told->name : "firmware";
	module->moved = told->moved;
	if (!told->linked)
		return;
	module->base = (dp_addr)(uintptr_t)told->linked->text;
	module->bytes =
		(dp_addr)((uintptr_t)told->linked->text_end - (uintptr_t)told->linked->text);
	fill_build_id(module, told->linked->note);
}

static void fill_functions(struct dp_board *board)
{
#if DP_FUNCTIONS_BYTES > 0
	const uint8_t *room = functions_room;

	/* The table is not in the program's source: the compiler must not take it for zeros. */
	__asm__("" : "+r"(room));
	board->functions = room;
	board->functions_bytes = sizeof(functions_room);
#else
	(void)board;
#endif
}

static void fill_embedded(struct dp_board *board)
{
#if DP_EMBED_BYTES > 0
	const uint8_t *room = embedded_room;

	__asm__("" : "+r"(room)); /* as the table of functions */
	board->embedded = room;
	board->embedded_bytes = sizeof(embedded_room);
#else
	(void)board;
#endif
}

static void fill_places(struct dp_board *board)
{
#if DP_WITH_HOOKS
	board->hook_rows = __start_dprobes_hooks;
	board->hook_count = ((uintptr_t)__stop_dprobes_hooks - (uintptr_t)__start_dprobes_hooks) /
			    sizeof(struct dp_hook_row);
#else
	(void)board;
#endif
}

static void fill_lines(struct dp_board *board, const struct dprobes_board *told)
{
	for (unsigned i = 0; i < DP_LINES; i++) {
		board->com[i].put = told->com[i].put;
		board->com[i].console_in = told->com[i].console_in;
		board->com[i].ctx = told->com[i].ctx;
		board->com[i].write = told->com[i].write;
	}
}

static void fill_hooks(struct dp_board *board, const struct dprobes_board *told)
{
#if DP_PROFILE == DP_PROFILE_FULL
	static void (*const exit_hook[3])(struct dp_hook_call *) = {exit_1, exit_2, exit_3};

	if (told->callk)
		board->callk = callk;
	for (unsigned i = 0; i < 3; i++)
		if (told->exit_hook[i])
			board->exit_hook[i] = exit_hook[i];
#else
	(void)board, (void)told;
#endif
}

static void fill_stopped(struct dp_board *board, const struct dprobes_board *told)
{
#if DP_WITH_HALT
	bool gets = told->stopped;

	for (unsigned i = 0; i < DP_LINES; i++)
		gets |= told->com[i].get != NULL;
	if (gets)
		board->stopped = stopped;
#if DP_WITH_HISTORY
	board->reset = told->reset;
#endif
#else
	(void)board, (void)told;
#endif
}

static void fill_callbacks(struct dp_board *board, const struct dprobes_board *told)
{
	if (told->task)
		board->task = task_now;
	fill_hooks(board, told);
	fill_stopped(board, told);
	board->ticks = told->ticks;
	board->tick_hz = told->tick_hz;
	board->counter = told->counter;
	board->sample_hz = told->sample_hz;
	board->wake = told->wake;
	board->console_ready = told->console_ready;
	board->console_waits = told->console_waits;
	board->text_write = told->text_write;
	board->text_sync = told->text_sync;
}

static void fill_board(struct dp_board *board, const struct dprobes_board *told)
{
	fill_lines(board, told);
	fill_image(&board->image, told);
	fill_functions(board);
	fill_embedded(board);
	fill_places(board);
	fill_callbacks(board, told);
	board->entropy = told->entropy;
#if DP_WITH_ACCESS
	board->key = told->key;
	board->seed = told->seed;
	board->unsealed = told->unsealed;
#endif
#if DP_WITH_TYPED
	board->typed_remove = told->typed_remove;
#endif
	board->quirks = told->quirks;
	board->ranges_only = told->ranges_only;
	board->own_vectors = told->own_vectors;
}

static bool rows_fit(const struct dprobes_board *board)
{
	unsigned added = DP_ROWS_ADDED;

#if DP_WITH_ACCESS
	added += board->key ? DP_ROWS_SECRET : 0;
#endif
	return board->range_count + added <= DP_MAX_RANGES;
}

static const uint8_t *const volatile text_in_data = __start_dprobes_text;

/* Do the agent's code and data refer to the place where they are? An image that moves itself may
 * leave the agent's references out. Inlined: such a reference may be that of a call. */
static inline __attribute__((__always_inline__)) bool is_whole(void)
{
	uintptr_t here, start = (uintptr_t)__start_dprobes_text;

	DP_PORT_HERE(here);
	return here - start < (uintptr_t)__stop_dprobes_text - start &&
	       (uintptr_t)text_in_data == start;
}

int dprobes_init(const struct dprobes_memory *memory, const struct dprobes_board *board)
{
	struct image *made = memory->storage;
	enum dp_err error;

	if (!is_whole())
		return DP_ERR_HALF_MOVED;
	if (memory->sizes != DPROBES_SIZES)
		return DP_ERR_OTHER_SIZES;
	image = NULL;
	image_made = 0;
	if (!rows_fit(board))
		return DP_ERR_TABLE_FULL;
	dp_clear(&made->told, sizeof(*made) - offsetof(struct image, told));
	made->told = board;
	made->memory.slots = memory->slots;
	made->memory.slot_bytes = memory->slots_bytes;
	made->memory.keep = memory->keep;
	made->memory.keep_bytes = DPROBES_KEEP_BYTES;
	made->memory.stack = made->stack;
	made->memory.stack_bytes = sizeof(made->stack);
	image = made;
	fill_ranges(memory, board);
	fill_board(&made->board, board);
	error = made->board.image.moved == 0 || dp_module_stamped(&made->board.image)
			? dp_init(&made->agent, &made->memory, &made->board)
			: DP_ERR_NO_BUILD_ID;
	if (error != DP_ERR_OK)
		image = NULL;
	else
		image_made = ~(uintptr_t)image;
	return (int)error;
}

/* --- lines --- */

bool dprobes_rx(unsigned line, uint8_t byte)
{
	if (!runs() || line >= DP_LINES)
		return false;
	dp_rx(&image->agent, (enum dp_com_index)line, byte);
	return true;
}

static void take_bytes(unsigned line)
{
	const struct dprobes_line *com = &image->told->com[line];
	int byte;

	if (!com->get)
		return;
	for (unsigned i = 0; i < DP_GET_MAX && (byte = com->get(com->ctx)) >= 0; i++)
		dp_rx(&image->agent, (enum dp_com_index)line, (uint8_t)byte);
}

bool dprobes_poll(void)
{
	if (!runs())
		return false;
	for (unsigned i = 0; i < DP_LINES; i++)
		take_bytes(i);
	return dp_poll_from(&image->agent, __builtin_return_address(0));
}

void dprobes_sample(dprobes_word pc, dprobes_word sp, dprobes_word ra)
{
#if DP_WITH_TIMERS
	if (runs())
		dp_sample(&image->agent, pc, sp, ra);
#else
	(void)pc, (void)sp, (void)ra;
#endif
}

size_t dprobes_console_write(unsigned line, const void *text, size_t bytes)
{
#if DP_WITH_SHARED_LINE
	if (runs() && line < DP_LINES)
		return dp_console_write(&image->agent, (enum dp_com_index)line, text, bytes);
#endif
	(void)line, (void)text, (void)bytes;
	return 0;
}

int dprobes_console_room(unsigned line)
{
#if DP_WITH_SHARED_LINE
	if (runs() && line < DP_LINES && image->board.com[line].put)
		return (int)dp_console_room(&image->agent, (enum dp_com_index)line);
#endif
	(void)line;
	return -1;
}

void dprobes_console_flush(unsigned line)
{
#if DP_WITH_SHARED_LINE
	if (runs() && line < DP_LINES)
		dp_console_flush(&image->agent, (enum dp_com_index)line);
#endif
	(void)line;
}

/* --- modules, slots, lock --- */

int dprobes_module_loaded(const char *name, dprobes_word base, dprobes_word linked,
			  dprobes_word bytes, const uint8_t *build_id)
{
#if DP_WITH_MODULES
	struct dp_module module;

	if (!runs())
		return DP_ERR_BAD_TARGET;
	module.name = name;
	module.base = base;
	module.bytes = bytes;
	module.moved = base - linked;
	module.build_id = build_id;
	module.build_id_bytes = build_id ? DP_BUILD_ID_BYTES : 0;
	return (int)dp_module_loaded(&image->agent, &module);
#else
	(void)name, (void)base, (void)linked, (void)bytes, (void)build_id;
	return DP_ERR_LEFT_OUT;
#endif
}

void dprobes_module_unloaded(const char *name)
{
#if DP_WITH_MODULES
	if (runs())
		dp_module_unloaded(&image->agent, name);
#else
	(void)name;
#endif
}

#if DP_WITH_HOOKS
_Static_assert(sizeof(struct dprobes_exit) == sizeof(struct dp_exit) &&
		       offsetof(struct dprobes_exit, next) == offsetof(struct dp_exit, next) &&
		       offsetof(struct dprobes_exit, armed) == offsetof(struct dp_exit, armed) &&
		       offsetof(struct dprobes_exit, behind) == offsetof(struct dp_exit, behind) &&
		       (int)DPROBES_EXIT_ONLY == (int)DP_EXIT_ONLY &&
		       (int)DPROBES_EXIT_MASKED == (int)DP_EXIT_MASKED,
	       "dp_board.h");

int dprobes_exit_register(struct dprobes_exit *list)
{
	return runs() ? (int)dp_exit_register(&image->agent, (struct dp_exit *)list)
		      : DP_ERR_BAD_TARGET;
}

int dprobes_exit_arm(struct dprobes_exit *list)
{
	return runs() ? (int)dp_exit_arm(&image->agent, (struct dp_exit *)list) : DP_ERR_BAD_TARGET;
}

int dprobes_exit_disarm(struct dprobes_exit *list)
{
	return runs() ? (int)dp_exit_disarm(&image->agent, (struct dp_exit *)list)
		      : DP_ERR_BAD_TARGET;
}

int dprobes_exit_deregister(struct dprobes_exit *list)
{
	return runs() ? (int)dp_exit_deregister(&image->agent, (struct dp_exit *)list)
		      : DP_ERR_BAD_TARGET;
}

void dprobes_hook_dispatch(const char *hook, unsigned count, void *args)
{
	if (runs())
		dp_exit_dispatch(&image->agent, hook, count, args);
}

int dprobes_module_hooks(const char *name, const void *rows, size_t bytes)
{
#if DP_WITH_MODULES
	return runs() ? (int)dp_module_hooks(&image->agent, name, rows,
					     bytes / sizeof(struct dp_hook_row))
		      : DP_ERR_BAD_TARGET;
#else
	(void)name, (void)rows, (void)bytes;
	return DP_ERR_LEFT_OUT;
#endif
}
#endif

void dprobes_quiescent(void)
{
	if (runs())
		dp_quiescent(&image->agent);
}

dprobes_word dprobes_original_pc(dprobes_word pc)
{
	return runs() ? dp_original_pc(pc) : pc;
}

void dprobes_freeze(void)
{
#if DP_WITH_HISTORY
	if (runs())
		dp_freeze(&image->agent);
#endif
}

void dprobes_lock(void)
{
	if (runs())
		dp_lock(&image->agent);
}

/* --- in a hit --- */

enum dprobes_taken dprobes_exception(unsigned exception, struct dp_frame *frame)
{
	return (enum dprobes_taken)dp_port_exception(exception, frame);
}

#if DP_PROFILE == DP_PROFILE_FULL
dprobes_word dprobes_pop(struct dprobes_call *call)
{
	return dp_hook_pop((struct dp_hook_call *)call);
}

void dprobes_push(struct dprobes_call *call, dprobes_word value)
{
	dp_hook_push((struct dp_hook_call *)call, value);
}
#endif

struct dp_frame *dprobes_frame(const struct dprobes_call *call)
{
	return ((const struct dp_hook_call *)call)->frame;
}

dprobes_word dprobes_pc(const struct dprobes_call *call)
{
	return dp_port_pc(dprobes_frame(call));
}
