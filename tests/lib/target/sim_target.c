/* SPDX-License-Identifier: BSD-2-Clause */
/* A target without QEMU: the simulated firmware with the real agent, two com lines on unix sockets,
 * a console, real time. For tests of the link, the session and the tool, under the sanitizers. */
#define _GNU_SOURCE
#include "sim_firmware.h"

#include "dp_crc.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
	"usage: sim_target --com1 PATH --com2 PATH [options]\n"
	"  --hits N         calls a second of the function hot (0)\n"
	"  --samples N      calls a second of dp_sample, whose pc is in hot and idle by turns (0)\n"
	"  --console N      lines a second that the firmware prints on com1 (0)\n"
	"  --baud N         characters take their time, on both lines (no)\n"
	"  --fifo N         characters a transmitter holds, with --baud (16)\n"
	"  --drop N         one received character of N is lost, by chance (none)\n"
	"  --seed N         of that chance (1)\n"
	"  --reset-at N     warm restart when character N arrives (never)\n"
	"  --no-com2        the second line has no transmitter\n"
	"  --map PATH       write the symbols, in System.map format\n"
	"  --build-id       the image has a build-id (01 02 .. 14); else the CRC of its text\n"
	"  --empty-id       it has one of no bytes\n"
	"  --broken WHAT    an integration with one mistake: time: stands still; ranges: only "
	"text;\n"
	"                   vectors: not the agent's; console: text goes past the agent;\n"
	"                   clock: 15 % fast; poll: never; rx: the shell gets the bytes, and "
	"echoes;\n"
	"                   speed: the host gets the bytes of another one;\n"
	"                   stopped: the board does not receive while it is stopped;\n"
	"                   taken: a vector leads to reset_handler\n"
	"  --key DIGITS     32 hex digits: the board asks for this key (none)\n"
	"SIGHUP: warm restart, memory stays. SIGUSR1: power off and on. SIGTERM: end.\n"
	"The console knows the words  warm cold sum hits N call NAME storm N lock\n";

/* The functions. Words as in port/sim/sim.h; any other word does nothing. */
static const struct function {
	const char *name;
	uint32_t offset, words, first;
} functions[] = {
	{"reset_handler", 0x000, 16, 0},
	{"idle", 0x100, 16, 0},
	{"hot", 0x140, 16, 0},
	{"queue_put", 0x200, 32, 0},
	{"stepped", 0x300, 8, (uint32_t)SIM_STEPPED << 24},
	{"one_trap", 0x340, 8, (uint32_t)SIM_AWAY << 24},
	{"slot_fault", 0x380, 8, (uint32_t)SIM_SLOT_FAULT << 24},
	{"fault", 0x3c0, 8, (uint32_t)SIM_FAULT << 24},
	{"refused", 0x400, 8, (uint32_t)SIM_REFUSED << 24},
	{"atomic", 0x440, 8, (uint32_t)SIM_LOCK << 24},
	{"never", 0x480, 8, (uint32_t)SIM_NEVER << 24},
	{"uart_put", 0xf04, 16, 0},
};

struct line {
	int listening, peer; /* -1: none */
	uint8_t out[1 << 16];
	size_t out_used;
	uint8_t in[1 << 16];
	size_t in_used;
	uint64_t out_free_us, in_free_us; /* with a baud rate: when the last character is over */
	char command[80];
	size_t command_used;
};

static struct line lines[DP_COMS];
static struct options {
	const char *path[DP_COMS], *map, *key, *broken;
	unsigned long hits, samples, console, baud, fifo, drop, seed, reset_at;
	bool no_com2, build_id, empty_id;
} options = {.fifo = 16, .seed = 1};
static unsigned long received;
static volatile sig_atomic_t ended, warm_wanted, cold_wanted;

static bool is_broken(const char *what)
{
	return options.broken != NULL && strcmp(options.broken, what) == 0;
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

/* --- the lines --- */

static void flush_line(struct line *line)
{
	ssize_t sent;

	if (line->peer < 0) { /* nobody is plugged in */
		line->out_used = 0;
		return;
	}
	if (line->out_used == 0)
		return;
	sent = send(line->peer, line->out, line->out_used, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (sent > 0) {
		line->out_used -= (size_t)sent;
		memmove(line->out, line->out + sent, line->out_used);
	} else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
		line->out_used = 0;
	}
}

/* Text past the agent: in the middle of every third frame. */
static void tear(struct line *line, uint8_t byte)
{
	static const char text[] = "text\n";
	static unsigned frames, sent;

	sent++;
	if (byte == DP_FRAME_MARK) {
		frames++;
		sent = 0;
	}
	if (frames % 3 != 0 || sent != 9 || sizeof(line->out) - line->out_used < sizeof(text))
		return;
	memcpy(line->out + line->out_used, text, sizeof(text) - 1);
	line->out_used += sizeof(text) - 1;
}

static bool put(void *ctx, uint8_t byte)
{
	struct line *line = ctx;

	if (options.baud > 0) {
		uint64_t now = now_us(), character = 10000000u / options.baud;

		if (line->out_free_us > now + character * (options.fifo - 1))
			return false;
		line->out_free_us = (line->out_free_us > now ? line->out_free_us : now) + character;
	}
	if (line->out_used == sizeof(line->out))
		flush_line(line);
	if (line->out_used == sizeof(line->out))
		return false;
	line->out[line->out_used++] = is_broken("speed") ? byte | 0x80 : byte;
	if (is_broken("console"))
		tear(line, byte);
	return true;
}

static void print(enum dp_com_index com, const char *text)
{
	/* without that part the agent has its line alone, and the firmware the other */
	if (DP_WITH_SHARED_LINE)
		dp_console_write(&firmware.agent, com, text, strlen(text));
	for (; !DP_WITH_SHARED_LINE && com == DP_COM2 && *text != '\0'; text++)
		put(&lines[com], (uint8_t)*text);
}

/* --- start and restart --- */

static void type_character(void *ctx, uint8_t byte);
static int stopped(unsigned com);

static const uint8_t build_id[20] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				     11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

static void boot(void)
{
	enum dp_err error = firmware_boot();

	if (error != DP_ERR_OK) {
		fprintf(stderr, "sim_target: dp_init failed, error %d\n", (int)error);
		exit(1);
	}
	print(DP_LINES == 1 ? DP_COM2 : DP_COM1, "sim_target: started\n");
}

/* Only the text can be read. */
static void forget_memory(void)
{
	sim_reset();
	dp_sim.text = FIRMWARE_TEXT;
	dp_sim.text_bytes = FIRMWARE_TEXT_BYTES;
	sim_map(FIRMWARE_TEXT, firmware.text, FIRMWARE_TEXT_BYTES, true);
}

static void power_on(void)
{
	firmware_load();
	if (is_broken("ranges"))
		forget_memory();
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].first != 0)
			firmware_put_word(FIRMWARE_TEXT + functions[i].offset, functions[i].first);
	firmware_put_word(FIRMWARE_TEXT + 0x440 + 16, (uint32_t)SIM_UNLOCK << 24);
	for (unsigned i = 0; i < DP_COMS; i++)
		firmware.board.com[i] =
			(struct dp_com){.put = i == 1 && options.no_com2 ? NULL : put,
					.console_in = type_character,
					.ctx = &lines[i]};
	firmware.board.sample_hz = (uint32_t)options.samples;
#if DP_WITH_HALT
	firmware.board.stopped = is_broken("stopped") ? NULL : stopped;
#else
	(void)stopped;
#endif
#if DP_WITH_ACCESS
	static uint8_t key[16];
	static uint64_t starts;

	for (unsigned i = 0; options.key && i < sizeof(key); i++)
		sscanf(options.key + 2 * i, "%2hhx", &key[i]);
	firmware.board.key = options.key ? key : NULL;
	firmware.board.entropy = options.key ? ++starts * 0x9e3779b97f4a7c15u : 0;
#endif
	if (options.build_id) {
		firmware.board.image.build_id = build_id;
		firmware.board.image.build_id_bytes = options.empty_id ? 0 : sizeof(build_id);
	}
	dp_sim.ticks = now_us();
	dp_sim.vector = is_broken("taken") ? FIRMWARE_TEXT + functions[0].offset : 0;
	boot();
}

/* --- what the firmware does --- */

static void call(const struct function *function)
{
	while (is_broken("vectors") && !firmware_text_is_original() && !ended)
		pause(); /* in the firmware's own handler */
	firmware_run(FIRMWARE_TEXT + function->offset, function->words);
}

static const struct function *find_function(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	return NULL;
}

static void obey(enum dp_com_index com, const char *text)
{
	const struct function *function;
	char answer[120];

	if (strcmp(text, "warm") == 0) {
		warm_wanted = 1;
	} else if (strcmp(text, "cold") == 0) {
		cold_wanted = 1;
	} else if (strcmp(text, "lock") == 0) {
		dp_lock(&firmware.agent);
	} else if (strncmp(text, "hits ", 5) == 0) {
		options.hits = strtoul(text + 5, NULL, 10);
	} else if (strncmp(text, "storm ", 6) == 0) {
		for (unsigned long n = strtoul(text + 6, NULL, 10); n > 0; n--)
			call(&functions[2]);
	} else if (strncmp(text, "call ", 5) == 0 && (function = find_function(text + 5)) != NULL) {
		call(function);
	} else if (strcmp(text, "sum") == 0) {
		snprintf(answer, sizeof(answer), "text %s, %u executed, %u faults\n",
			 firmware_text_is_original() ? "original" : "patched", firmware.executed,
			 firmware.faults);
		print(com, answer);
	} else {
		print(com, "what?\n");
	}
}

/* A character for the firmware: a line editor without editing. Runs inside dp_rx or dp_poll, so
 * what a line asks for is done later. */
static void type_character(void *ctx, uint8_t byte)
{
	struct line *line = ctx;

	if (line->command_used < sizeof(line->command))
		line->command[line->command_used++] = (char)byte;
}

static void serve_console(enum dp_com_index com)
{
	struct line *line = &lines[com];
	char *end = memchr(line->command, '\n', line->command_used);
	size_t used;

	if (!end) {
		if (line->command_used == sizeof(line->command))
			line->command_used = 0;
		return;
	}
	*end = '\0';
	if (end > line->command && end[-1] == '\r')
		end[-1] = '\0';
	used = (size_t)(end - line->command) + 1;
	obey(com, line->command);
	line->command_used -= used;
	memmove(line->command, line->command + used, line->command_used);
}

/* --- time --- */

enum {
	BURST_US = 10000,
	HITS_US = 1000, /* hits in a row before poll and line have their turn */
};

/* How many of `rate` a second are due since the last time. What a processor had no time for does
 * not come later: after a pause of this process it is no more than in BURST_US. */
static unsigned long due(unsigned long rate, uint64_t *last_us, uint64_t now)
{
	uint64_t n, most;

	if (rate == 0 || *last_us == 0) {
		*last_us = now;
		return 0;
	}
	most = BURST_US + 1000000u / rate; /* and the one that is due next */
	if (now - *last_us > most)
		*last_us = now - most;
	n = (now - *last_us) * rate / 1000000u;
	*last_us += n * 1000000u / rate;
	return (unsigned long)n;
}

/* The interrupt of a timer: its pc is 4 bytes behind the start of a function. */
static void sample(void)
{
#if DP_WITH_TIMERS
	static unsigned turn;
	const struct function *inside = &functions[turn++ % 2 ? 1 : 2];

	dp_sample(&firmware.agent, FIRMWARE_TEXT + inside->offset + 4, FIRMWARE_RAM, FIRMWARE_TEXT);
#endif
}

static void work(uint64_t now)
{
	static uint64_t last_hit, last_line, last_sample;
	static unsigned printed;
	char text[60];

	for (unsigned long n = due(options.hits, &last_hit, now); n > 0 && now_us() - now < HITS_US;
	     n--)
		call(&functions[2]);
	for (unsigned long n = due(options.samples, &last_sample, now); n > 0; n--)
		sample();
	for (unsigned long n = due(options.console, &last_line, now); n > 0; n--) {
		snprintf(text, sizeof(text), "line %u of the firmware\n", printed++);
		print(DP_COM1, text);
	}
}

/* --- receiving --- */

static bool lost(void)
{
	static uint32_t state;

	if (options.drop == 0)
		return false;
	if (state == 0)
		state = (uint32_t)options.seed;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % options.drop == 0;
}

static void deliver(enum dp_com_index com, uint8_t byte)
{
	if ((unsigned)com < DP_LINES)
		is_broken("rx") ? (void)put(&lines[com], byte) : dp_rx(&firmware.agent, com, byte);
	else
		type_character(&lines[com], byte);
}

static void receive(enum dp_com_index com, uint64_t now)
{
	struct line *line = &lines[com];
	size_t taken = 0;

	while (taken < line->in_used && !warm_wanted) {
		if (options.baud > 0) {
			if (line->in_free_us > now)
				break;
			line->in_free_us =
				(line->in_free_us > now - 10000 ? line->in_free_us : now) +
				10000000u / options.baud;
		}
		if (++received == options.reset_at)
			warm_wanted = 1;
		else if (!lost())
			deliver(com, line->in[taken]);
		taken++;
	}
	line->in_used -= taken;
	memmove(line->in, line->in + taken, line->in_used);
}

static void unplug(struct line *line)
{
	close(line->peer);
	line->peer = -1;
	line->in_used = 0;
}

static void read_line(struct line *line)
{
	ssize_t n;

	if (line->in_used == sizeof(line->in))
		return;
	n = recv(line->peer, line->in + line->in_used, sizeof(line->in) - line->in_used,
		 MSG_DONTWAIT);
	if (n > 0)
		line->in_used += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		unplug(line);
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	size_t bytes = strlen(path) + 1;

	if (bytes > sizeof(address.sun_path)) {
		fprintf(stderr, "sim_target: %s: the path is too long\n", path);
		exit(1);
	}
	memcpy(address.sun_path, path, bytes);
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, 1) < 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

/* Wait for bytes and connections, at most a millisecond; not at all while there is work. */
static void wait_for_lines(bool work_left)
{
	struct pollfd fds[2 * DP_COMS];
	nfds_t n = 0;

	for (unsigned i = 0; i < DP_COMS; i++) {
		struct line *line = &lines[i];

		if (line->listening < 0)
			continue;
		if (line->peer < 0)
			fds[n++] = (struct pollfd){line->listening, POLLIN, 0};
		else
			fds[n++] = (struct pollfd){line->peer, POLLIN, 0};
	}
	poll(fds, n, work_left ? 0 : 1);
	for (unsigned i = 0; i < DP_COMS; i++) {
		struct line *line = &lines[i];

		if (line->listening >= 0 && line->peer < 0)
			line->peer =
				accept4(line->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (line->peer >= 0)
			read_line(line);
	}
}

/* Time passes, and the lines live on, while the firmware is stopped. The process rests while
 * nothing comes and nothing goes. */
static int stopped(unsigned com)
{
	static unsigned idle;
	struct line *line = &lines[com];
	uint8_t byte;

	if (line->in_used == 0) {
		bool busy = lines[0].out_used + lines[1].out_used + lines[0].in_used +
				    lines[1].in_used >
			    0;

		idle = busy ? 0 : idle + 1;
		flush_line(line);
		wait_for_lines(idle < 1000);
		dp_sim.ticks = now_us();
		if (ended)
			exit(0);
	}
	if (line->in_used == 0)
		return -1;
	byte = line->in[0];
	memmove(line->in, line->in + 1, --line->in_used);
	return byte;
}

static void run(void)
{
	bool left = false;

	while (!ended) {
		uint64_t now;

		wait_for_lines(left || lines[0].in_used > 0 || lines[1].in_used > 0);
		now = now_us();
		if (!is_broken("time"))
			dp_sim.ticks = is_broken("clock") ? now + now * 15 / 100 : now;
		for (unsigned i = 0; i < DP_COMS; i++) {
			receive((enum dp_com_index)i, now);
			serve_console((enum dp_com_index)i);
		}
		work(now);
		if (cold_wanted)
			power_on();
		else if (warm_wanted)
			boot();
		cold_wanted = warm_wanted = 0;
		left = !is_broken("poll") && dp_poll(&firmware.agent) && options.baud == 0;
		flush_line(&lines[0]);
		flush_line(&lines[1]);
	}
}

/* --- main --- */

static void on_signal(int number)
{
	if (number == SIGHUP)
		warm_wanted = 1;
	else if (number == SIGUSR1)
		cold_wanted = 1;
	else
		ended = 1;
}

static void write_map(void)
{
	FILE *file = fopen(options.map, "w");

	if (!file) {
		perror(options.map);
		exit(1);
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		fprintf(file, "%08x T %s\n", FIRMWARE_TEXT + functions[i].offset,
			functions[i].name);
	fprintf(file, "%08x D ram\n%08x R constants\n", FIRMWARE_RAM, FIRMWARE_CONST);
	fclose(file);
}

static void parse(int argc, char **argv)
{
	static const struct option names[] = {
		{"com1", 1, NULL, '1'},     {"com2", 1, NULL, '2'},     {"hits", 1, NULL, 'h'},
		{"samples", 1, NULL, 'p'},  {"console", 1, NULL, 'c'},  {"baud", 1, NULL, 'b'},
		{"fifo", 1, NULL, 'f'},     {"drop", 1, NULL, 'd'},     {"seed", 1, NULL, 's'},
		{"reset-at", 1, NULL, 'r'}, {"no-com2", 0, NULL, 'n'},  {"map", 1, NULL, 'm'},
		{"build-id", 0, NULL, 'i'}, {"empty-id", 0, NULL, 'e'}, {"key", 1, NULL, 'k'},
		{"broken", 1, NULL, 'x'},   {NULL, 0, NULL, 0},
	};
	struct {
		int letter;
		unsigned long *value;
	} numbers[] = {{'h', &options.hits}, {'p', &options.samples}, {'c', &options.console},
		       {'b', &options.baud}, {'f', &options.fifo},    {'d', &options.drop},
		       {'s', &options.seed}, {'r', &options.reset_at}};
	int letter;

	while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (letter == '1' || letter == '2')
			options.path[letter - '1'] = optarg;
		else if (letter == 'n')
			options.no_com2 = true;
		else if (letter == 'i')
			options.build_id = true;
		else if (letter == 'e')
			options.build_id = options.empty_id = true;
		else if (letter == 'm')
			options.map = optarg;
		else if (letter == 'x')
			options.broken = optarg;
		else if (letter == 'k')
			options.key = optarg;
		else if (letter == '?') {
			fputs(usage, stderr);
			exit(1);
		}
		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
			if (numbers[i].letter == letter)
				*numbers[i].value = strtoul(optarg, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};

	parse(argc, argv);
	if (!options.path[0] && !options.path[1]) {
		fputs(usage, stderr);
		return 1;
	}
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	if (options.map)
		write_map();
	for (unsigned i = 0; i < DP_COMS; i++) {
		lines[i].peer = -1;
		lines[i].listening = options.path[i] ? listen_at(options.path[i]) : -1;
	}
	power_on();
	printf("ready\n");
	fflush(stdout);
	run();
	return 0;
}
