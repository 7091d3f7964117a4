/* SPDX-License-Identifier: BSD-2-Clause */
/* The clients of a service: who comes, what they send, what waits for them, who goes. */
#define _GNU_SOURCE
#include "service_parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	OUT_MAX = 1 << 20,  /* bytes that wait for a client which reads nothing for DEAF_MS, */
	OUT_MOST = 1 << 24, /* and for any client */
	DEAF_MS = 2000,
	LENGTH_BYTES = 2,
	ENDING_MS = 5000, /* a client that reads nothing loses the last sentence */
	TYPIST_MS = 2000, /* who typed last has the keyboard so long */
	EVENTS_MAX = 16,
};

void dph_client_name(const struct dph_client *client, char *name, size_t room)
{
	if (client->purpose[0] != '\0')
		snprintf(name, room, "dprobes %s (pid %ld)", client->purpose, client->pid);
	else
		snprintf(name, room, "pid %ld", client->pid);
}

/* --- what goes out --- */

static void watch(struct dph_client *client, int operation)
{
	struct epoll_event event = {
		.events = EPOLLIN | (client->waits_for_room ? EPOLLOUT : 0u),
		.data.ptr = client,
	};

	epoll_ctl(client->service->poller, operation, client->fd, &event);
}

static void wait_for_room(struct dph_client *client, bool wait)
{
	if (client->fd < 0 || client->waits_for_room == wait)
		return;
	client->waits_for_room = wait;
	watch(client, EPOLL_CTL_MOD);
}

/* The process has ended, or its connection is closed here. */
static void leave(struct dph_client *client)
{
	struct dph_service *service = client->service;
	const bool killed = !client->closed;

	if (client->fd < 0)
		return;
	epoll_ctl(service->poller, EPOLL_CTL_DEL, client->fd, NULL);
	close(client->fd);
	client->fd = -1;
	client->out_bytes = 0;
	dph_settings_leave(client, killed && client->temporary);
	dph_programs_leave(service, client, killed && client->temporary);
	dph_upload_leave(service, client);
	dph_client_end_session(client);
	if (service->typist == client)
		service->typist = NULL;
}

static void append(struct dph_client *client, char kind, const void *bytes, size_t count)
{
	const size_t needed = client->out_bytes + LENGTH_BYTES + 1 + count;
	uint8_t *place;

	if (needed > client->out_room) {
		const size_t room = needed * 2;
		uint8_t *grown = realloc(client->out, room);

		if (grown == NULL) {
			leave(client);
			return;
		}
		client->out = grown;
		client->out_room = room;
	}
	place = client->out + client->out_bytes;
	place[0] = (uint8_t)((count + 1) >> 8);
	place[1] = (uint8_t)(count + 1);
	place[LENGTH_BYTES] = (uint8_t)kind;
	if (count > 0)
		memcpy(place + LENGTH_BYTES + 1, bytes, count);
	client->out_bytes = needed;
	wait_for_room(client, true);
}

/* 1: sent; 0: no room; -1: the client is gone. */
static int try_send(const struct dph_client *client, const void *packet, size_t count)
{
	if (send(client->fd, packet, count, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
		return 1;
	return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1;
}

static void flush(struct dph_client *client)
{
	size_t done = 0;

	while (done < client->out_bytes) {
		const uint8_t *place = client->out + done;
		const size_t count = (size_t)place[0] << 8 | place[1];
		const int sent = try_send(client, place + LENGTH_BYTES, count);

		if (sent < 0) {
			leave(client);
			return;
		}
		if (sent == 0)
			break;
		done += LENGTH_BYTES + count;
		client->read_ms = dp_clock_ms();
	}
	client->out_bytes -= done;
	memmove(client->out, client->out + done, client->out_bytes);
	wait_for_room(client, client->out_bytes > 0);
}

/* The connection ends behind this sentence; what waits before it is dropped. */
static void end(struct dph_client *client, const char *sentence)
{
	client->out_bytes = 0;
	append(client, DPH_SERVICE_END, sentence, strlen(sentence));
	client->ending = true;
	client->ending_ms = dp_clock_ms();
}

/* A client that is only slower than a burst gets all of it. */
static void drop_deaf(struct dph_client *client)
{
	const struct dph_service_options *options = client->service->options;
	char name[2 * DPH_PURPOSE_BYTES], sentence[3 * DPH_PURPOSE_BYTES];

	if (client->fd < 0 || client->ending || client->out_bytes <= OUT_MAX ||
	    (client->out_bytes <= OUT_MOST && dp_clock_ms() - client->read_ms < DEAF_MS))
		return;
	end(client, "this command did not read what the line brought, so the service has closed "
		    "its connection; other commands go on");
	dph_client_name(client, name, sizeof name);
	snprintf(sentence, sizeof sentence, "%s does not read: its connection is closed", name);
	options->say(options->context, sentence);
}

void dph_client_send(struct dph_client *client, char kind, const void *bytes, size_t count)
{
	char packet[DPH_SERVICE_BYTES + 1] = {kind};
	int sent = 0;

	if (client->fd < 0 || client->ending || count > DPH_SERVICE_BYTES)
		return;
	if (count > 0)
		memcpy(packet + 1, bytes, count);
	if (client->out_bytes == 0)
		sent = try_send(client, packet, count + 1);
	if (sent < 0)
		leave(client);
	if (sent != 0)
		return;
	append(client, kind, bytes, count);
	drop_deaf(client);
}

void dph_client_tell(struct dph_client *client, char kind, const char *format, ...)
{
	char sentence[DPH_SENTENCE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	dph_client_send(client, kind, sentence, strlen(sentence));
}

void dph_clients_send(struct dph_service *service, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	for (size_t part; count > 0; count -= part, p += part) {
		part = count < DPH_SERVICE_BYTES ? count : DPH_SERVICE_BYTES;
		for (struct dph_client *c = service->clients; c != NULL; c = c->next)
			dph_client_send(c, DPH_SERVICE_LINE, p, part);
	}
}

void dph_clients_tell(struct dph_service *service, char kind, const char *sentence)
{
	for (struct dph_client *c = service->clients; c != NULL; c = c->next) {
		if (c->fd >= 0 && kind == DPH_SERVICE_END && !c->ending) {
			end(c, sentence);
			flush(c);
		} else {
			dph_client_send(c, kind, sentence, strlen(sentence));
		}
	}
}

/* --- what comes in --- */

bool dph_service_typed(struct dph_service *service, const void *who, const char *name,
		       const uint8_t *bytes, size_t count, char *sentence)
{
	const uint64_t now = dp_clock_ms();

	if (service->typist != NULL && service->typist != who &&
	    now - service->typed_ms < TYPIST_MS) {
		snprintf(sentence, DPH_SENTENCE_BYTES,
			 "another client is typing, %s: your characters are not sent until it has "
			 "been quiet for 2 seconds",
			 service->typist_name);
		return false;
	}
	service->typist = who;
	service->typed_ms = now;
	snprintf(service->typist_name, sizeof service->typist_name, "%s", name);
	if (service->typed_bytes + count > sizeof service->typed) {
		snprintf(sentence, DPH_SENTENCE_BYTES,
			 "the firmware takes no characters: the last %zu are not sent", count);
		return false;
	}
	memcpy(service->typed + service->typed_bytes, bytes, count);
	service->typed_bytes += count;
	return true;
}

static void type(struct dph_client *client, const uint8_t *bytes, size_t count)
{
	char name[2 * DPH_PURPOSE_BYTES], sentence[DPH_SENTENCE_BYTES];
	bool sent;

	dph_client_name(client, name, sizeof name);
	sent = dph_service_typed(client->service, client, name, bytes, count, sentence);
	if (!sent && !client->typing_told)
		dph_client_tell(client, DPH_SERVICE_TOLD, "%s", sentence);
	client->typing_told = !sent;
}

/* A packet is request lines, or typed bytes. */
static void take_bytes(struct dph_client *client, const uint8_t *bytes, size_t count)
{
	while (count > 0) {
		const uint8_t *newline = memchr(bytes, '\n', count);
		const size_t line = newline != NULL ? (size_t)(newline - bytes) + 1 : 0;

		if (line == 0 || bytes[0] != DP_FRAME_MARK ||
		    !dph_client_line(client, bytes, line)) {
			type(client, bytes, count);
			return;
		}
		bytes += line;
		count -= line;
	}
}

static void take_who(struct dph_client *client, const char *bytes, size_t count)
{
	if (count == 0)
		return;
	client->temporary = bytes[0] == 't';
	snprintf(client->purpose, sizeof client->purpose, "%.*s", (int)(count - 1), bytes + 1);
	for (char *p = client->purpose; *p != '\0'; p++)
		*p = *p < 0x20 || *p > 0x7e ? '?' : *p;
}

static void take_packet(struct dph_client *client, const char *packet, size_t count)
{
	if (count == 0)
		return;
	if (packet[0] == DPH_SERVICE_LINE)
		take_bytes(client, (const uint8_t *)packet + 1, count - 1);
	else if (packet[0] == DPH_SERVICE_WHO)
		take_who(client, packet + 1, count - 1);
	else if (packet[0] == DPH_SERVICE_ASK)
		dph_service_tell_state(client);
}

static void read_client(struct dph_client *client)
{
	char packet[DPH_SERVICE_BYTES + 2];

	while (client->fd >= 0) {
		const ssize_t count = recv(client->fd, packet, sizeof packet, MSG_DONTWAIT);

		if (count < 0 && errno == EAGAIN)
			return;
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			leave(client);
		else if (!client->ending)
			take_packet(client, packet, (size_t)count);
	}
}

static void welcome(struct dph_service *service, int fd)
{
	struct dph_client *client;
	long pid;

	if (!dph_service_is_own(fd, &pid) || service->client_count == DPH_CLIENTS_MAX ||
	    (client = calloc(1, sizeof *client)) == NULL) {
		close(fd);
		return;
	}
	client->service = service;
	client->fd = fd;
	client->pid = pid;
	client->read_ms = dp_clock_ms();
	client->next = service->clients;
	service->clients = client;
	service->client_count++;
	watch(client, EPOLL_CTL_ADD);
	if (service->session == NULL)
		dph_client_tell(client, DPH_SERVICE_TOLD,
				"the service has lost the line, and opens it again: %s",
				service->failure.text);
}

static void accept_all(struct dph_service *service)
{
	int fd;

	while ((fd = accept4(service->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
		welcome(service, fd);
}

void dph_clients_turn(void *context)
{
	struct dph_service *service = context;
	struct epoll_event events[EVENTS_MAX];
	const int count = epoll_wait(service->poller, events, EVENTS_MAX, 0);

	for (int i = 0; i < count; i++) {
		struct dph_client *client = events[i].data.ptr;

		if (client == NULL) {
			accept_all(service);
			continue;
		}
		if (events[i].data.ptr == &service->guest_poller) {
			dph_guests_turn(service);
			continue;
		}
		if (client->fd >= 0 && (events[i].events & EPOLLOUT) != 0)
			flush(client);
		if (client->fd >= 0 && (events[i].events & ~(unsigned)EPOLLOUT) != 0)
			read_client(client);
	}
	for (struct dph_client *c = service->clients; c != NULL; c = c->next)
		dph_client_keep(c, dp_clock_ms());
	if (service->session != NULL)
		dph_service_type(service);
}

/* --- who goes --- */

static bool has_sent(const struct dph_client *client)
{
	for (unsigned i = 0; i < client->wanted_count; i++)
		if (client->wanted[i].sent)
			return true;
	return false;
}

void dph_clients_reap(struct dph_service *service)
{
	const uint64_t now = dp_clock_ms();

	dph_guests_reap(service);
	for (struct dph_client **place = &service->clients; *place != NULL;) {
		struct dph_client *client = *place;

		drop_deaf(client);
		if (client->ending && client->fd >= 0 &&
		    (client->out_bytes == 0 || now - client->ending_ms >= ENDING_MS))
			leave(client);
		if (client->fd < 0 && !has_sent(client)) {
			*place = client->next;
			free(client->out);
			free(client);
			service->client_count--;
			service->empty_ms = now;
		} else {
			dph_client_keep(client, now);
			place = &client->next;
		}
	}
}

void dph_clients_free(struct dph_service *service)
{
	while (service->clients != NULL) {
		struct dph_client *client = service->clients;

		service->clients = client->next;
		if (client->fd >= 0)
			close(client->fd);
		free(client->out);
		free(client);
	}
}
