/* SPDX-License-Identifier: BSD-2-Clause */
/* Guests of a service: TCP connections that read the console's bytes, never frames. What they type
 * goes to the line as from any terminal, and so to the agent, too. With
 * rfc2217: they are telnet clients with a serial port (RFC 854, RFC 2217), as python3-serial is. */
#define _GNU_SOURCE
#include "service_parts.h"

#include "wire/tcp_port.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	NAME_BYTES = 96,
	OUT_MAX = 1 << 18, /* bytes that wait for a guest */
	SUB_MAX = 16,      /* bytes of a negotiation that are looked at */
	EVENTS_MAX = 16,
	GUESTS_MAX = 32,
	BACKLOG = 16,
	BAUD_USUAL = 115200,
};

/* RFC 854, RFC 855, RFC 856 to 858. */
enum {
	SE = 240,
	SB = 250,
	WILL = 251,
	WONT = 252,
	DO = 253,
	DONT = 254,
	IAC = 255,
	OPTION_BINARY = 0,
	OPTION_ECHO = 1,
	OPTION_SGA = 3,
	OPTION_COM = 44, /* RFC 2217 */
};

/* RFC 2217, section 3. The answer to a command is 100 more. */
enum {
	SET_BAUDRATE = 1,
	SET_DATASIZE = 2,
	SET_PARITY = 3,
	SET_STOPSIZE = 4,
	SET_CONTROL = 5,
	SET_LINE_MASK = 10,
	SET_MODEM_MASK = 11,
	PURGE_DATA = 12,
	ANSWER = 100,
	NO_PARITY = 1,
	ONE_STOP = 1,
	EIGHT_BITS = 8,
	/* Values of SET_CONTROL. */
	ASK_FLOW = 0,
	ASK_BREAK = 4,
	BREAK_OFF = 6,
	ASK_DTR = 7,
	ASK_RTS = 10,
	ASK_FLOW_IN = 13,
};

enum state {
	STATE_DATA,
	STATE_RETURN, /* behind CR: a NUL of a text is not typed */
	STATE_IAC,
	STATE_OPTION,
	STATE_SUB,
	STATE_SUB_IAC,
};

struct dph_guest {
	struct dph_guest *next;
	struct dph_service *service;
	int fd;
	bool listens, telnet, waits_for_room, told;
	char name[NAME_BYTES];
	uint8_t *out;
	size_t out_bytes;
	enum state state;
	uint8_t verb, sub[SUB_MAX];
	size_t sub_bytes;
	uint64_t did, will; /* options that were agreed to, a bit each */
};

/* --- what goes out --- */

static void watch(struct dph_guest *guest, int operation)
{
	struct epoll_event event = {
		.events = EPOLLIN | (guest->waits_for_room ? EPOLLOUT : 0u),
		.data.ptr = guest,
	};

	epoll_ctl(guest->service->guest_poller, operation, guest->fd, &event);
}

/* dph_guests_reap frees the guest. */
static void leave(struct dph_guest *guest)
{
	if (guest->fd < 0)
		return;
	close(guest->fd);
	guest->fd = -1;
	if (guest->service->typist == guest)
		guest->service->typist = NULL;
}

static void flush(struct dph_guest *guest)
{
	const ssize_t sent =
		send(guest->fd, guest->out, guest->out_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
	const bool waits = guest->waits_for_room;

	if (sent < 0 && errno != EAGAIN && errno != EINTR) {
		leave(guest);
		return;
	}
	if (sent > 0) {
		guest->out_bytes -= (size_t)sent;
		memmove(guest->out, guest->out + sent, guest->out_bytes);
	}
	guest->waits_for_room = guest->out_bytes > 0;
	if (waits != guest->waits_for_room)
		watch(guest, EPOLL_CTL_MOD);
}

static void put(struct dph_guest *guest, uint8_t byte)
{
	if (guest->out_bytes < OUT_MAX)
		guest->out[guest->out_bytes] = byte;
	guest->out_bytes++;
}

/* A guest that does not read is no reason to wait. */
static void end_put(struct dph_guest *guest)
{
	const struct dph_service_options *options = guest->service->options;
	char sentence[2 * NAME_BYTES];

	if (guest->out_bytes <= OUT_MAX) {
		if (guest->out_bytes > 0)
			flush(guest);
		return;
	}
	snprintf(sentence, sizeof sentence, "%s does not read: its connection is closed",
		 guest->name);
	options->say(options->context, sentence);
	leave(guest);
}

static void send_text(struct dph_guest *guest, const uint8_t *bytes, size_t count)
{
	if (guest->fd < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		if (guest->telnet && bytes[i] == IAC)
			put(guest, IAC);
		put(guest, bytes[i]);
	}
	end_put(guest);
}

void dph_guests_send(struct dph_service *service, const uint8_t *bytes, size_t count)
{
	for (struct dph_guest *g = service->guests; g != NULL; g = g->next)
		if (!g->listens)
			send_text(g, bytes, count);
}

/* --- telnet --- */

static void say_option(struct dph_guest *guest, uint8_t verb, uint8_t option)
{
	put(guest, IAC);
	put(guest, verb);
	put(guest, option);
	end_put(guest);
}

static bool offers(uint8_t option)
{
	return option == OPTION_BINARY || option == OPTION_ECHO || option == OPTION_SGA ||
	       option == OPTION_COM;
}

/* Only a change is answered, or both sides would answer for ever. */
static void take_option(struct dph_guest *guest, uint8_t option)
{
	const uint64_t bit = option < 64 ? (uint64_t)1 << option : 0;

	if (guest->verb == DONT && (guest->will & bit)) {
		guest->will &= ~bit;
		say_option(guest, WONT, option);
	} else if (guest->verb == WONT && (guest->did & bit)) {
		guest->did &= ~bit;
		say_option(guest, DONT, option);
	} else if (guest->verb == DO && !(guest->will & bit)) {
		say_option(guest, offers(option) ? WILL : WONT, option);
		guest->will |= offers(option) ? bit : 0;
	} else if (guest->verb == WILL && !(guest->did & bit)) {
		const bool wanted = offers(option) && option != OPTION_ECHO;

		say_option(guest, wanted ? DO : DONT, option);
		guest->did |= wanted ? bit : 0;
	}
}

static void answer(struct dph_guest *guest, uint8_t command, const uint8_t *value, size_t bytes)
{
	put(guest, IAC);
	put(guest, SB);
	put(guest, OPTION_COM);
	put(guest, (uint8_t)(command + ANSWER));
	for (size_t i = 0; i < bytes; i++) {
		if (value[i] == IAC)
			put(guest, IAC);
		put(guest, value[i]);
	}
	put(guest, IAC);
	put(guest, SE);
	end_put(guest);
}

/* The speed belongs to the service: a guest that wants another one is told the true one. A socket
 * has no speed. */
static void answer_baud(struct dph_guest *guest, const uint8_t *wanted)
{
	const struct dp_session_options *line = &guest->service->options->line;
	const unsigned baud = line->baud != 0 ? line->baud : BAUD_USUAL;
	const uint8_t own[] = {(uint8_t)(baud >> 24), (uint8_t)(baud >> 16), (uint8_t)(baud >> 8),
			       (uint8_t)baud};
	const bool asks = memcmp(wanted, "\0\0\0", sizeof own) == 0;

	answer(guest, SET_BAUDRATE, asks || line->url[0] == '/' ? own : wanted, sizeof own);
}

/* The modem lines and the flow control belong to the service: a guest that sets them is answered as
 * if they were set, because clients end the connection otherwise. One that asks is told the usual
 * state. RFC 2217, section 3. */
static uint8_t control_of(uint8_t wanted)
{
	switch (wanted) {
	case ASK_FLOW:
	case ASK_DTR:
	case ASK_RTS:
	case ASK_FLOW_IN:
		return wanted + 1; /* no flow control; the line is on */
	case ASK_BREAK:
		return BREAK_OFF;
	default:
		return wanted;
	}
}

static void take_sub(struct dph_guest *guest)
{
	const uint8_t *sub = guest->sub;
	uint8_t fixed = 0;

	if (guest->sub_bytes < 3 || sub[0] != OPTION_COM)
		return;
	switch (sub[1]) {
	case SET_BAUDRATE:
		if (guest->sub_bytes == 6)
			answer_baud(guest, sub + 2);
		return;
	case SET_DATASIZE:
		fixed = EIGHT_BITS;
		break;
	case SET_PARITY:
		fixed = NO_PARITY;
		break;
	case SET_STOPSIZE:
		fixed = ONE_STOP;
		break;
	case SET_CONTROL:
		fixed = control_of(sub[2]);
		break;
	case SET_LINE_MASK:
	case SET_MODEM_MASK:
	case PURGE_DATA:
		fixed = sub[2];
		break;
	default:
		return;
	}
	answer(guest, sub[1], &fixed, 1);
}

/* --- what comes in --- */

static void type(struct dph_guest *guest, const uint8_t *bytes, size_t count)
{
	char sentence[DPH_SENTENCE_BYTES], text[DPH_SENTENCE_BYTES + 16];

	if (count == 0)
		return;
	if (dph_service_typed(guest->service, guest, guest->name, bytes, count, sentence)) {
		guest->told = false;
		return;
	}
	if (guest->told)
		return;
	guest->told = true;
	snprintf(text, sizeof text, "\r\ndprobes: %s\r\n", sentence);
	send_text(guest, (const uint8_t *)text, strlen(text));
}

/* Take a byte of a telnet client. Returns whether the byte is typed. */
static bool take_byte(struct dph_guest *guest, uint8_t byte)
{
	const enum state before = guest->state;
	const bool is_text = !(guest->did & (uint64_t)1 << OPTION_BINARY);

	switch (before) {
	case STATE_RETURN:
	case STATE_DATA:
		guest->state = byte == IAC ? STATE_IAC : byte == '\r' ? STATE_RETURN : STATE_DATA;
		return byte != IAC && !(is_text && before == STATE_RETURN && byte == '\0');
	case STATE_IAC:
		guest->verb = byte;
		guest->sub_bytes = 0;
		guest->state = byte >= WILL && byte <= DONT ? STATE_OPTION
			       : byte == SB                 ? STATE_SUB
							    : STATE_DATA;
		return byte == IAC;
	case STATE_OPTION:
		take_option(guest, byte);
		guest->state = STATE_DATA;
		return false;
	case STATE_SUB:
	case STATE_SUB_IAC:
		if (before == STATE_SUB && byte == IAC) {
			guest->state = STATE_SUB_IAC;
		} else if (before == STATE_SUB_IAC && byte != IAC) {
			take_sub(guest);
			guest->state = STATE_DATA;
		} else {
			guest->state = STATE_SUB;
			if (guest->sub_bytes < SUB_MAX)
				guest->sub[guest->sub_bytes++] = byte;
		}
		return false;
	}
	return false;
}

static void read_guest(struct dph_guest *guest)
{
	uint8_t bytes[1024];
	const ssize_t count = recv(guest->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	size_t typed = 0;

	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (count <= 0) {
		leave(guest);
		return;
	}
	for (ssize_t i = 0; i < count && guest->fd >= 0; i++)
		if (!guest->telnet || take_byte(guest, bytes[i]))
			bytes[typed++] = bytes[i];
	if (guest->fd >= 0)
		type(guest, bytes, typed);
}

/* --- who comes and goes --- */

static struct dph_guest *add(struct dph_service *service, int fd, bool telnet)
{
	struct dph_guest *guest = calloc(1, sizeof *guest);

	if (guest != NULL)
		guest->out = malloc(OUT_MAX);
	if (guest == NULL || guest->out == NULL || service->guest_count == GUESTS_MAX) {
		if (guest != NULL)
			free(guest->out);
		free(guest);
		close(fd);
		return NULL;
	}
	guest->service = service;
	guest->fd = fd;
	guest->telnet = telnet;
	guest->next = service->guests;
	service->guests = guest;
	watch(guest, EPOLL_CTL_ADD);
	return guest;
}

static void name_of(int fd, bool peer, const char *scheme, char *name, size_t room)
{
	struct sockaddr_storage address;
	socklen_t bytes = sizeof address;
	char host[64] = "?", port[16] = "?";

	if ((peer ? getpeername : getsockname)(fd, (struct sockaddr *)&address, &bytes) == 0)
		getnameinfo((struct sockaddr *)&address, bytes, host, sizeof host, port,
			    sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(name, room, "%s:%s:%s", scheme, host, port);
}

static void welcome(const struct dph_guest *listener)
{
	const int fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct dph_guest *guest;

	if (fd < 0)
		return;
	guest = add(listener->service, fd, listener->telnet);
	if (guest == NULL)
		return;
	listener->service->guest_count++;
	name_of(fd, true, listener->telnet ? "rfc2217" : "tcp", guest->name, sizeof guest->name);
}

void dph_guests_reap(struct dph_service *service)
{
	for (struct dph_guest **place = &service->guests; *place != NULL;) {
		struct dph_guest *guest = *place;

		if (guest->fd >= 0) {
			place = &guest->next;
			continue;
		}
		*place = guest->next;
		free(guest->out);
		free(guest);
		service->guest_count--;
	}
}

void dph_guests_turn(struct dph_service *service)
{
	struct epoll_event events[EVENTS_MAX];
	const int count = epoll_wait(service->guest_poller, events, EVENTS_MAX, 0);

	for (int i = 0; i < count; i++) {
		struct dph_guest *guest = events[i].data.ptr;

		if (guest->listens) {
			welcome(guest);
			continue;
		}
		if (guest->fd >= 0 && (events[i].events & EPOLLOUT) != 0)
			flush(guest);
		if (guest->fd >= 0 && (events[i].events & ~(unsigned)EPOLLOUT) != 0)
			read_guest(guest);
	}
	dph_guests_reap(service);
}

static bool fail(struct dph_service *service, const char *where, const char *why)
{
	service->failure = (struct dp_failure){.kind = DP_FAILED_LINK, .no_line = true};
	snprintf(service->failure.text, sizeof service->failure.text, "--listen %s: %s", where,
		 why);
	return false;
}

static bool listen_on(struct dph_service *service, const struct addrinfo *address,
		      const char *where, bool telnet)
{
	const int one = 1,
		  fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	const struct dph_service_options *options = service->options;
	char sentence[4 * NAME_BYTES], name[NAME_BYTES];
	struct dph_guest *guest;

	if (fd < 0)
		return fail(service, where, strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(fd, address->ai_addr, address->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0) {
		fail(service, where, strerror(errno));
		close(fd);
		return false;
	}
	name_of(fd, false, telnet ? "rfc2217" : "tcp", name, sizeof name);
	guest = add(service, fd, telnet);
	if (guest == NULL)
		return fail(service, where, "out of memory");
	guest->listens = true;
	snprintf(sentence, sizeof sentence,
		 "warning: the console is at %s: who reaches this address can read it, and type to "
		 "the firmware and its agent",
		 name);
	options->say(options->context, sentence);
	return true;
}

/* where: "tcp:HOST:PORT" or "rfc2217:HOST:PORT". */
static bool listen_at(struct dph_service *service, const char *where)
{
	const bool telnet = strncmp(where, "rfc2217:", 8) == 0;
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const char *at = where + (telnet ? 8 : 4), *colon = strrchr(at, ':');
	struct addrinfo *found;
	char host[256];
	bool good = false;
	int error;

	if ((!telnet && strncmp(where, "tcp:", 4) != 0) || colon == NULL || colon == at ||
	    (size_t)(colon - at) >= sizeof host)
		return fail(service, where, "write tcp:HOST:PORT or rfc2217:HOST:PORT");
	if (!dph_tcp_port_good(colon + 1))
		return fail(service, where, DPH_TCP_PORT_BAD);
	snprintf(host, sizeof host, "%.*s", (int)(colon - at), at);
	error = getaddrinfo(host, colon + 1, &hints, &found);
	if (error != 0)
		return fail(service, where, gai_strerror(error));
	for (const struct addrinfo *a = found; !good && a != NULL; a = a->ai_next)
		good = listen_on(service, a, where, telnet);
	freeaddrinfo(found);
	return good;
}

bool dph_guests_open(struct dph_service *service)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = &service->guest_poller};

	if (service->options->listen_count == 0)
		return true;
	service->guest_poller = epoll_create1(EPOLL_CLOEXEC);
	if (service->guest_poller < 0 ||
	    epoll_ctl(service->poller, EPOLL_CTL_ADD, service->guest_poller, &event) != 0)
		return fail(service, service->options->listen[0], strerror(errno));
	for (size_t i = 0; i < service->options->listen_count; i++)
		if (!listen_at(service, service->options->listen[i]))
			return false;
	return true;
}

void dph_guests_tell_state(struct dph_client *client)
{
	for (const struct dph_guest *g = client->service->guests; g != NULL; g = g->next)
		if (!g->listens && g->fd >= 0)
			dph_client_tell(client, DPH_SERVICE_STATE, "%s: console%s\n", g->name,
					client->service->typist == g ? ", typed last" : "");
}

void dph_guests_free(struct dph_service *service)
{
	for (struct dph_guest *g = service->guests; g != NULL; g = g->next)
		leave(g);
	dph_guests_reap(service);
	if (service->guest_poller >= 0)
		close(service->guest_poller);
}
