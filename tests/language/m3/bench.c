/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter on a Cortex-M3, counted: workloads a, b, c.
 * Each is a handler of a verified-by-construction program; the port is a stub without faults.
 * The windows are the functions bench_*: from their first instruction to bench_end. */
#include "dp_vm.h"

#include "dp_long.h"
#include "dp_map.h"
#include "dp_object.h"

#define NOINLINE __attribute__((noinline, used))

enum {
	LOOPS = 1000,
	FIELDS = 10,
	TICK_HZ = 25000000,
	FILL_DROPS = 1 /* of four more keys, three find a place */
};
static const uint32_t K = 0x9e3779b9u;

volatile uint32_t fields[FIELDS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
volatile uint32_t native_result, vm_result, vm_end;
volatile uint32_t native_log[FIELDS];
static struct dp_vm vm;
static const struct dp_vm_hooks no_hooks;
static struct dp_frame frame;
static dp_word lv[2];

/* --- the port --- */

static bool inside(dp_addr address, size_t bytes)
{
	return address >= 0x20000000u && bytes <= 0x400000u &&
	       address - 0x20000000u <= 0x400000u - bytes;
}

size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width)
{
	size_t i;

	if (!inside(address, bytes))
		return 0;
	if (width == 4 && address % 4 == 0) {
		*(uint32_t *)to = *(volatile uint32_t *)address;
		return 4;
	}
	for (i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = ((volatile uint8_t *)address)[i];
	return bytes;
}

bool dp_port_load(dp_addr address, unsigned width, void *to)
{
	return dp_port_read(address, to, width, width) == width;
}

unsigned dp_port_reg_get(const struct dp_frame *from, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	(void)context;
	(void)argument;
	*out = from->r[index];
	return 1;
}

bool dp_port_readable(dp_addr address)
{
	return inside(address, 1);
}

bool dp_port_writable(dp_addr address)
{
	return inside(address, 1);
}

unsigned dp_port_cpu_number(void)
{
	return 0;
}

uint64_t dp_port_ticks(void)
{
	return 1234567890123u;
}

bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat)
{
	(void)selector;
	*flat = offset;
	return false;
}

#if DP_PROFILE == DP_PROFILE_FULL
size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width)
{
	size_t i;

	(void)width;
	for (i = 0; i < bytes; i++)
		((volatile uint8_t *)address)[i] = ((const uint8_t *)from)[i];
	return bytes;
}

void dp_port_reg_set(struct dp_frame *to, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	to->r[index] = value;
}

dp_word dp_port_io_read(dp_word port, unsigned width)
{
	(void)port;
	(void)width;
	return 0;
}

void dp_port_io_write(dp_word port, unsigned width, dp_word value)
{
	(void)port;
	(void)width;
	(void)value;
}
#endif

/* --- the programs --- */

#define U16(v) (uint8_t)(v), (uint8_t)((v) >> 8)
#define U32(v) U16((v)&0xffff), U16((uint32_t)(v) >> 16)

static const uint8_t null_code[] = {RPN_HANDLER, 1, RPN_EXIT};

/* a: load a word whose address is in r0, compare with a constant, leave */
static const uint8_t a_code[] = {
	RPN_HANDLER, 5,         RPN_PUSH_R, U16(0),    RPN_PUSH_MEM_32, RPN_PUSH_8,
	7,           RPN_SUB,   RPN_JZ,     U16(14),   RPN_BLOCK,       1,
	RPN_EXIT,    RPN_BLOCK, 2,          RPN_LOG_N, U16(1),          RPN_EXIT,
};

/* b: ten times: load field i, xor K, add i, log */
#define FIELD(i)                                                                                   \
	RPN_PUSH_R, U16(0), RPN_PUSH_8, 4 * (i), RPN_ADD, RPN_PUSH_MEM_32, RPN_PUSH_W,             \
		U32(0x9e3779b9u), RPN_XOR, RPN_PUSH_8, (i), RPN_ADD, RPN_LOG_N, U16(1)
static const uint8_t b_code[] = {
	RPN_HANDLER, 91,       FIELD(0), FIELD(1), FIELD(2), FIELD(3), FIELD(4),
	FIELD(5),    FIELD(6), FIELD(7), FIELD(8), FIELD(9), RPN_EXIT,
};

/* c: 1000 times x = ((x + i) ^ K) << 1, i counted up; 9 operations and a block an iteration */
static const uint8_t c_code[] = {
	RPN_HANDLER,   1, RPN_PUSH_16,  U16(LOOPS), RPN_BLOCK,        9,       RPN_PUSH_LV_N, 0,
	RPN_PUSH_LV_N, 1, RPN_ADD,      RPN_PUSH_W, U32(0x9e3779b9u), RPN_XOR, RPN_SHL_N,     1,
	RPN_POP_LV_N,  0, RPN_INC_LV_N, 1,          RPN_LOOP,         U16(5),  RPN_BLOCK,     1,
	RPN_EXIT,
};

/* straight lines of one operation 64 times, for instructions per operation */
#define X4(...)  __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define X64(...) X4(X4(X4(__VA_ARGS__)))
#define LINE(name, ...)                                                                            \
	static const uint8_t name##_code[] = {RPN_HANDLER, 65, X64(__VA_ARGS__), RPN_EXIT};
LINE(nop, RPN_NOP)
LINE(push, RPN_PUSH_8, 1)
LINE(pushw, RPN_PUSH_W, U32(0x12345678u))
LINE(add, RPN_ADD)
LINE(pushlv, RPN_PUSH_LV_N, 0)
LINE(poplv, RPN_POP_LV_N, 0)
LINE(shl, RPN_SHL_N, 3)
LINE(xchg, RPN_XCHG)
LINE(inclv, RPN_INC_LV_N, 0)
LINE(pushreg, RPN_PUSH_R, U16(0))

/* --- maps and pairs ------------------------------------------------------------------------ */

enum {
	PLACES = 4,
	MAP_BYTES = 2048
};
/* A row of the section MAPS. */
#define MAP(kind, flags, keys, values, places, a, b, c)                                            \
	DP_MAP_##kind, flags, keys, values, 0, places, 0, 0, B32(a), B32(b), B32(c), B32(0)
#define B32(v) (uint8_t)((v) >> 24), (uint8_t)((v) >> 16), (uint8_t)((v) >> 8), (uint8_t)(v)
static const uint8_t map_rows[] = {
	MAP(COUNT, 0, 1, 1, PLACES, 0, 0, 0),
	MAP(SUM, DP_MAP_SIGNED, 1, 2, PLACES, 0, 0, 0),
	MAP(AVG, DP_MAP_SIGNED, 1, 3, PLACES, 0, 0, 0),
	MAP(STDDEV, DP_MAP_SIGNED, 1, 7, PLACES, 0, 0, 0),
	MAP(ARRAY, 0, 1, 1, PLACES, 0, 0, 0),
	MAP(SCALE, DP_MAP_SIGNED, 0, 0, 0, DP_SCALE_POWERS, 0, 0),
	MAP(SCALE, DP_MAP_SIGNED, 0, 0, 32, DP_SCALE_LINEAR, 0, 1000),
	MAP(SCALE, DP_MAP_SIGNED, 0, 0, 0, DP_SCALE_MAGNITUDES, 10 | 0 << 8 | 8 << 16, 10),
};
static union {
	struct dp_map rows[sizeof map_rows / DP_MAP_BYTES];
	uint64_t room[MAP_BYTES / sizeof(uint64_t)];
} maps;

#define KEY     RPN_PUSH_8, 5
#define VALUE   RPN_PUSH_W, U32(31415)
#define PAIR    RPN_PUSH_W, U32(3), RPN_PUSH_W, U32(0xfedcba98)
#define DIVISOR RPN_PUSH_W, U32(0), RPN_PUSH_W, U32(1000)
#define CODE(name, count, ...)                                                                     \
	static const uint8_t name##_code[] = {RPN_HANDLER, (count) + 1, __VA_ARGS__, RPN_EXIT};
/* The operands alone, and with the instruction: the difference is what the instruction costs. */
CODE(key, 1, KEY)
CODE(keyvalue, 2, KEY, VALUE)
CODE(value, 1, VALUE)
CODE(pairs, 4, PAIR, DIVISOR)
CODE(countnew, 2, KEY, RPN_ADD_MAP, 0)
CODE(count, 2, KEY, RPN_ADD_MAP, 0)
CODE(fill, 9, RPN_PUSH_8, 1, RPN_ADD_MAP, 0, RPN_PUSH_8, 2, RPN_ADD_MAP, 0, RPN_PUSH_8, 3,
     RPN_ADD_MAP, 0, RPN_PUSH_8, 4, RPN_ADD_MAP, 0, RPN_NOP)
CODE(dropped, 2, RPN_PUSH_8, 77, RPN_ADD_MAP, 0)
CODE(sumnew, 3, KEY, VALUE, RPN_ADD_MAP, 1)
CODE(sum, 3, KEY, VALUE, RPN_ADD_MAP, 1)
CODE(avgnew, 3, KEY, VALUE, RPN_ADD_MAP, 2)
CODE(avg, 3, KEY, VALUE, RPN_ADD_MAP, 2)
CODE(stddevnew, 3, KEY, VALUE, RPN_ADD_MAP, 3)
CODE(stddev, 3, KEY, VALUE, RPN_ADD_MAP, 3)
CODE(setnew, 3, KEY, VALUE, RPN_POP_MAP, 4)
CODE(set, 3, KEY, VALUE, RPN_POP_MAP, 4)
CODE(get, 2, KEY, RPN_PUSH_MAP, 4)
CODE(quantize, 2, VALUE, RPN_BUCKET, 5)
CODE(lquantize, 2, VALUE, RPN_BUCKET, 6)
CODE(llquantize, 2, VALUE, RPN_BUCKET, 7)
CODE(ladd, 5, PAIR, DIVISOR, RPN_LADD)
CODE(lsub, 5, PAIR, DIVISOR, RPN_LSUB)
CODE(llt, 5, PAIR, DIVISOR, RPN_LLT)
CODE(lmul, 5, PAIR, DIVISOR, RPN_LMUL)
CODE(ldiv, 5, PAIR, DIVISOR, RPN_LDIV)
CODE(ns, 1, RPN_PUSH_NS)
#define OF_MAPS(X)                                                                                 \
	X(key)                                                                                     \
	X(keyvalue)                                                                                \
	X(value)                                                                                   \
	X(pairs)                                                                                   \
	X(countnew)                                                                                \
	X(count)                                                                                   \
	X(fill)                                                                                    \
	X(dropped)                                                                                 \
	X(sumnew)                                                                                  \
	X(sum)                                                                                     \
	X(avgnew)                                                                                  \
	X(avg)                                                                                     \
	X(stddevnew)                                                                               \
	X(stddev)                                                                                  \
	X(setnew)                                                                                  \
	X(set)                                                                                     \
	X(get)                                                                                     \
	X(quantize)                                                                                \
	X(lquantize)                                                                               \
	X(llquantize)                                                                              \
	X(ladd)                                                                                    \
	X(lsub)                                                                                    \
	X(llt)                                                                                     \
	X(lmul)                                                                                    \
	X(ldiv)                                                                                    \
	X(ns)

static struct dp_program_view view = {.lv = lv,
				      .gv = lv,
				      .vars = 2,
				      .gvars = 2,
				      .jmpmax = 65535,
				      .logmax = 1024,
				      .excpt_log = 1024,
				      .excpt_mask = 0xfff};

static void run(const uint8_t *code, uint32_t bytes)
{
	view.code = code;
	view.code_bytes = bytes;
	view.maps = maps.rows;
	lv[0] = lv[1] = 0;
	frame.r[0] = (uint32_t)(uintptr_t)fields;
	dp_vm_run(&vm, &view, 0, &frame, &no_hooks);
	vm_result = lv[0];
	vm_end |= vm.end;
}

NOINLINE void bench_end(void)
{
	__asm__ volatile("");
}

#define BENCH(name)                                                                                \
	NOINLINE void bench_##name(void)                                                           \
	{                                                                                          \
		run(name##_code, sizeof name##_code);                                              \
		bench_end();                                                                       \
	}
BENCH(null)
BENCH(a)
BENCH(b)
BENCH(c)
BENCH(nop)
BENCH(push)
BENCH(pushw)
BENCH(add)
BENCH(pushlv)
BENCH(poplv)
BENCH(shl)
BENCH(xchg)
BENCH(inclv)
BENCH(pushreg)
OF_MAPS(BENCH)

NOINLINE uint32_t native_c(uint32_t x)
{
	for (uint32_t i = 0; i < LOOPS; i++)
		x = ((x + i) ^ K) << 1;
	return x;
}

NOINLINE void bench_native(void)
{
	native_result = native_c(0);
	bench_end();
}

/* --- start, and how a test sees that the results agree --- */

static int semihost(int operation, const void *argument)
{
	register int r0 __asm__("r0") = operation;
	register const void *r1 __asm__("r1") = argument;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

void reset(void)
{
	bool same, fits;
	unsigned i;

	for (i = 0; i < FIELDS; i++)
		fields[i] = i + 1;
	dp_ns_scale(TICK_HZ, &view); /* as at installation */
	bench_native();
	bench_null();
	bench_a();
	bench_b();
	bench_nop();
	bench_push();
	bench_pushw();
	bench_add();
	bench_pushlv();
	bench_poplv();
	bench_shl();
	bench_xchg();
	bench_inclv();
	bench_pushreg();
	dp_maps_place(map_rows, sizeof map_rows / DP_MAP_BYTES, maps.rows);
#define RUN(name) bench_##name();
	OF_MAPS(RUN)
	fits = dp_maps_bytes(map_rows, sizeof map_rows / DP_MAP_BYTES) <= sizeof maps &&
	       maps.rows[0].dropped == 1 + FILL_DROPS;
	bench_c();
	same = fits && vm_result == native_result && vm_end == RPN_END_EXIT;
	semihost(0x04, same ? "same\n" : "DIFFERENT\n");
	semihost(0x18, (const void *)0x20026); /* ADP_Stopped_ApplicationExit */
	for (;;)
		;
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
	(const void *)0x20400000,
	(const void *)reset,
	(const void *)reset,
	(const void *)reset,
};
