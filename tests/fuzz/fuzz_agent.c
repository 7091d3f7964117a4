/* SPDX-License-Identifier: BSD-2-Clause */
/* The whole agent under whatever a line, a clock and a firmware can do.  The input is a script:
 * one letter of steps below, then what it takes. At the end: everything removed, the text must be
 * the original one and every instruction have been executed. */
#include "sim_firmware.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_rpn.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum {
	SESSION = 0x12345678,
	AT = FIRMWARE_TEXT + 0x100,
	IMAGE_BYTES = 0x200, /* each start makes a checksum of them */
	OBJECT_MAX = 1024,
	INSTRUCTIONS = 16, /* the eight of first_bytes, and some on either side */
};

/* --- the script --- */

static const uint8_t *script;
static size_t left;

static uint8_t take(void)
{
	if (left == 0)
		return 0;
	left--;
	return *script++;
}

static int32_t room[DP_COMS];
static uint32_t session;
static uint8_t seq;

static bool put(void *ctx, uint8_t byte)
{
	int32_t *characters = ctx;

	if (byte > 0x7e || (byte < 0x20 && byte != '\n')) /* frames are printable */
		abort();
	if (*characters == 0)
		return false;
	if (*characters > 0)
		--*characters;
	return true;
}

/* A frame is not text: what the console gets was typed. */
static void console_in(void *ctx, uint8_t byte)
{
	(void)ctx;
	(void)byte;
}

static void request(unsigned com, const uint8_t *payload, size_t bytes)
{
	uint32_t seed = payload[0] == DP_CMD_HELLO
				? DP_HELLO_SEED
				: dp_frame_seed(DP_PROTOCOL_VERSION, session,
						dp_get_u64(firmware.agent.nonce));
	char line[DP_LINE_MAX];
	size_t n = dp_frame_put_control(line, DP_FRAME_REQUEST, seq++, payload, bytes, seed);

	for (size_t i = 0; i < n; i++)
		dp_rx(&firmware.agent, (enum dp_com_index)com, (uint8_t)line[i]);
	if (payload[0] == DP_CMD_HELLO && bytes >= 7)
		session = dp_get_u32(payload + 2);
}

static void hello(uint32_t number)
{
	uint8_t payload[7] = {DP_CMD_HELLO, DP_PROTOCOL_VERSION, 0, 0, 0, 0, 0x8f};

	dp_put_u32(payload + 2, number);
	request(0, payload, sizeof(payload));
	dp_poll(&firmware.agent);
}

/* --- objects --- */

static uint8_t object[OBJECT_MAX];

static const uint8_t base_code[] = {RPN_HANDLER,
				    8,
				    RPN_INC_LV_N,
				    0,
				    RPN_PUSH_LV_N,
				    0,
				    RPN_PUSH_R,
				    0,
				    0,
				    RPN_PUSH_8,
				    60,
				    RPN_PUSH_W,
				    0,
				    0,
				    0,
				    0x20,
				    RPN_LOG_MRF,
				    RPN_LOG_N,
				    1,
				    0,
				    RPN_EXIT,
				    RPN_HANDLER,
				    1,
				    RPN_JMP,
				    26,
				    0,
				    RPN_BLOCK,
				    3,
				    RPN_PUSH_PID,
				    RPN_INC_GV_N,
				    0,
				    RPN_JMP,
				    26,
				    0,
				    RPN_HANDLER,
				    1,
				    RPN_CALL,
				    42,
				    0,
				    RPN_BLOCK,
				    1,
				    RPN_REMOVE,
				    RPN_PROC,
				    2,
				    RPN_LOG_ST,
				    RPN_RET};

static uint32_t base_object(unsigned points)
{
	static const uint32_t entries[] = {0, 21, 34};
	uint32_t modules = DP_OBJECT_HEADER_BYTES + 5 * DP_OBJECT_ENTRY_BYTES;
	uint32_t traits = modules + DP_MODULE_BYTES, probes = traits + DP_TRAITS_BYTES,
		 code = probes + points * DP_PROBE_BYTES;
	uint32_t strings = (code + (uint32_t)sizeof(base_code) + 3) & ~3u, bytes = strings + 12;
	const uint32_t rows[5][2] = {{1, modules},
				     {1, traits},
				     {points, probes},
				     {sizeof(base_code), code},
				     {5, strings}};

	memset(object, 0, sizeof(object));
	memcpy(object, DP_OBJECT_MAGIC, 4);
	object[DP_OBJ_VERSION] = DP_OBJECT_VERSION;
	object[DP_OBJ_CPU] = DP_CPU_SIM;
	object[DP_OBJ_WORD] = 4;
	dp_put_u32(object + DP_OBJ_BYTES, bytes);
	dp_put_u16(object + DP_OBJ_JMPMAX, 256);
	dp_put_u16(object + DP_OBJ_LOGMAX, 1024);
	dp_put_u16(object + DP_OBJ_EXCPT_LOG, 200);
	dp_put_u16(object + DP_OBJ_VARS, 3);
	dp_put_u16(object + DP_OBJ_GVARS, 2);
	object[DP_OBJ_NAME_BYTES] = 5;
	object[DP_OBJ_SECTIONS] = 5;
	for (unsigned i = 0; i < 5; i++) {
		uint8_t *entry = object + DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES;

		entry[0] = (uint8_t)(i + 1);
		dp_put_u32(entry + 4, rows[i][0]);
		dp_put_u32(entry + 8, rows[i][1]);
	}
	object[modules + DP_MOD_NAME_BYTES] = 5;
	dp_put_u32(object + traits + DP_TR_MAXHITS, 1000);
	for (unsigned i = 0; i < points; i++) {
		uint8_t *p = object + probes + i * DP_PROBE_BYTES;

		dp_put_u32(p + DP_PT_ADDRESS, AT + 4 * i);
		dp_put_u32(p + DP_PT_ENTRY, entries[i % 3]);
	}
	memcpy(object + code, base_code, sizeof(base_code));
	memcpy(object + strings, "fuzzy", 5);
	return bytes;
}

static void upload(const uint8_t *bytes, uint32_t count, uint8_t options, uint8_t items)
{
	uint8_t payload[DP_PAYLOAD_MAX] = {DP_CMD_BEGIN};
	uint16_t transaction;

	dp_put_u32(payload + 1, count);
	dp_put_u32(payload + 5, dp_crc32(0, bytes, count));
	request(0, payload, 9);
	dp_poll(&firmware.agent);
	transaction = firmware.agent.upload.transaction;
	for (uint32_t at = 0; at < count; at += DP_DATA_MAX) {
		uint32_t n = count - at < DP_DATA_MAX ? count - at : DP_DATA_MAX;

		payload[0] = DP_CMD_DATA;
		dp_put_u16(payload + 1, transaction);
		dp_put_u32(payload + 3, at);
		memcpy(payload + 7, bytes + at, n);
		request(0, payload, 7 + n);
		dp_poll(&firmware.agent);
	}
	payload[0] = DP_CMD_COMMIT;
	dp_put_u16(payload + 1, transaction);
	payload[3] = options & DP_COMMIT_OPTIONS;
	payload[4] = items & DP_ITEM_ALL;
	request(0, payload, 5);
	dp_poll(&firmware.agent);
}

/* A good object with a few bytes changed, its checksum right again. */
static void install(void)
{
	uint32_t count = base_object(1 + take() % 6);
	uint8_t options = take(), items = take();

	for (unsigned changes = take() % 5; changes > 0; changes--) {
		unsigned at = take() * 256u + take();

		object[at % (count - 4)] = take();
	}
	dp_put_u32(object + count - 4, dp_crc32(0, object, count - 4));
	upload(object, count, options | DP_COMMIT_NO_IDENTITY, items);
}

/* --- the firmware --- */

static void task(struct dp_task *now)
{
	firmware_nested(AT + 8, 1); /* code of the firmware that may be probed as well */
	now->pid = 5;
}

static void run(uint8_t times)
{
	for (; times > 0; times--) {
		uint32_t before = firmware.executed;
		bool nested = firmware.board.task != NULL;

		firmware.aborts = firmware.executed % 3 == 0;
		firmware_run(AT - 8, INSTRUCTIONS);
		if (dp_port_pc(&firmware.frame) != AT - 8 + 4 * INSTRUCTIONS)
			abort(); /* it hangs, or went elsewhere */
		if (!nested && firmware.executed - before + firmware.foreign_traps < INSTRUCTIONS)
			abort();
	}
}

static const uint8_t first_bytes[] = {0x10,     SIM_STEPPED, SIM_SLOT_FAULT, SIM_FAULT,
				      SIM_AWAY, SIM_MEMORY,  SIM_NEVER,      SIM_BRANCH};

static void first_power_on(void)
{
	firmware_load();
	firmware.board.image.bytes = IMAGE_BYTES;
	for (unsigned i = 0; i < 8; i++)
		firmware_put_word(AT + 4 * i, (uint32_t)first_bytes[i] << 24 | i);
	for (unsigned com = 0; com < DP_COMS; com++) {
		room[com] = -1;
		firmware.board.com[com] =
			(struct dp_com){.put = put, .console_in = console_in, .ctx = &room[com]};
	}
	firmware_boot();
	session = 0;
	hello(SESSION);
}

/* A start costs more than a script: the state behind the first one is kept, and copied for each
 * script. */
static void power_on(void)
{
	static struct {
		struct firmware firmware;
		struct sim sim;
		uint32_t session;
		uint8_t seq;
		bool made;
	} kept;

	if (!kept.made) {
		first_power_on();
		kept.firmware = firmware;
		kept.sim = dp_sim;
		kept.session = session;
		kept.seq = seq;
		kept.made = true;
		return;
	}
	firmware = kept.firmware;
	dp_sim = kept.sim;
	session = kept.session;
	seq = kept.seq;
	for (unsigned com = 0; com < DP_COMS; com++)
		room[com] = -1;
}

static void module(uint8_t what)
{
	static const struct dp_module modules[] = {
		{"fuzzy", FIRMWARE_MODULE, 0x100, NULL, 0, 0},
		{"other", FIRMWARE_TEXT + 0x800, 0x100, (const uint8_t *)"12345678", 8, 0}};

	if (what & 1)
		dp_module_loaded(&firmware.agent, &modules[what >> 1 & 1]);
	else
		dp_module_unloaded(&firmware.agent, modules[what >> 1 & 1].name);
}

static void step(uint8_t what)
{
	uint8_t payload[DP_PAYLOAD_MAX];
	unsigned com = what >> 7, n;

	switch (what % 10) {
	case 0: /* bytes as they are */
		for (n = take(); n > 0; n--)
			dp_rx(&firmware.agent, (enum dp_com_index)com, take());
		break;
	case 1: /* a good request */
		n = 1 + take() % (DP_PAYLOAD_MAX - 1);
		for (unsigned i = 0; i < n; i++)
			payload[i] = take();
		request(com, payload, n);
		break;
	case 2:
		dp_poll(&firmware.agent);
		break;
	case 3:
		run(take() % 8);
		break;
	case 4:
		install();
		break;
	case 5:
		dp_sim.ticks += (uint64_t)take() << take() % 48;
		break;
	case 6:
		n = take();
		room[com] = n > 200 ? -1 : (int32_t)n;
		break;
	case 7:
		module(take());
		break;
	case 8:
		n = take();
		firmware.board.task = n & 1 ? task : NULL;
		if (n & 2)
			dp_quiescent(&firmware.agent);
		if (n & 4)
			firmware_boot();
		if (n & 8) {
			session = 0;
			hello(SESSION + n);
		}
		break;
	default:
		if (room[com] < 0) /* else it waits for long */
			dp_console_write(&firmware.agent, (enum dp_com_index)com, "text\n", 5);
		break;
	}
}

static void remove_all(void)
{
	const uint8_t remove[2] = {DP_CMD_REMOVE, 0xff};

	hello(7);
	firmware_poll();
	request(0, remove, 2);
	firmware_poll();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	script = data;
	left = bytes;
	power_on();
	while (left > 0)
		step(take());
	room[0] = room[1] = -1;
	firmware.board.task = NULL;
	/* The bytes before may have been half a line. */
	for (unsigned i = 0; i < 20 && dp_poll(&firmware.agent); i++)
		;
	if (firmware.agent.arena_used != 0)
		remove_all();
	if (!firmware_text_is_original() || firmware.agent.arena_used != 0 ||
	    firmware.agent.cpu[0].in_hit != 0)
		abort();
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (firmware.agent.probes != 0 || firmware.agent.site[i].chain != DP_SITE_FREE ||
		    firmware.agent.probe[i].program != DP_NONE)
			abort();
	run(1);
	return 0;
}
