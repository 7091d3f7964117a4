/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a service: it opens the line and the socket, serves, opens a lost line again, ends.
 */
#define _GNU_SOURCE
#include "service_parts.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	BACKLOG = 64,
	LISTEN_MS = 100,
	AGAIN_MS = 300,    /* between two tries to open a lost line */
	SILENCE_MS = 1500, /* of a try */
	REMOVED_NOTICE = 0x0c,
};

/* --- what the line brings --- */

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	dph_clients_send(context, bytes, count);
	dph_guests_send(context, bytes, count);
}

static void note_ticks(struct dph_service *service, uint64_t ticks)
{
	service->ticks = ticks;
	service->ticks_ms = dp_clock_ms();
}

static void note_line(struct dph_service *service, const struct dp_frame_in *frame)
{
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);

	if (frame->type == DP_FRAME_SYNC) {
		struct dp_sync_line sync;

		dph_read(&reader, DPH_OF(sync_line, &sync));
		note_ticks(service, sync.ticks);
		service->sent = sync.sent;
	} else if (frame->type == DP_FRAME_NOTICE && reader.left > 0 &&
		   reader.p[0] == REMOVED_NOTICE) {
		dph_programs_forget(service);
	}
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	char line[DP_LINE_MAX + 1];

	if (count >= sizeof line)
		return;
	memcpy(line, text, count);
	line[count] = '\n';
	note_line(context, frame);
	dph_clients_send(context, line, count + 1);
}

static void on_waiting(void *context, const char *sentence)
{
	struct dph_service *service = context;

	service->options->say(service->options->context, sentence);
	dph_clients_tell(service, DPH_SERVICE_TOLD, sentence);
}

/* --- the line --- */

static bool open_line(struct dph_service *service, unsigned silence_ms, uint8_t more_rights)
{
	const struct dph_server server = {service, service->poller, dph_clients_turn,
					  dph_service_arrived};
	struct dp_session_options line = service->options->line;

	line.direct = true;
	line.rights |= more_rights;
	line.silence_ms = silence_ms;
	line.waiting = on_waiting;
	line.waiting_context = service;
	line.listener = (struct dp_listener){
		.context = service, .console = on_console, .stream = on_stream};
	service->session = dp_session_open(&line, &service->failure);
	if (service->session == NULL)
		return false;
	note_ticks(service, dp_session_target(service->session)->ticks);
	service->boot = dp_session_target(service->session)->boot;
	service->form = DPH_FORM_HEX;
	dph_session_serve(service->session, &server);
	return true;
}

/* The sessions of the clients are over: each request gets a NAK until the next HELLO. */
static void end_sessions(struct dph_service *service, const char *why)
{
	char sentence[sizeof service->failure.text + 32];

	snprintf(sentence, sizeof sentence, "the service of the line: %s", why);
	on_waiting(service, sentence);
	dph_service_abandon(service, false);
	service->uploader = NULL;
	memset(service->restore, 0, sizeof service->restore);
	for (struct dph_client *c = service->clients; c != NULL; c = c->next) {
		const bool hello = c->hello;

		dph_client_end_session(c);
		c->hello = hello;
		memset(c->claims, 0, sizeof c->claims);
	}
}

/* The notice BOOT, as the agent sends it: the session has kept the agent's to itself. */
static void tell_boot(struct dph_service *service, uint16_t boot)
{
	struct dp_line line;

	dp_line_begin(&line, DP_FRAME_NOTICE);
	dp_line_put(&line, 0, DP_STREAM_HEAD);
	dp_line_put(&line, 1, 2);
	dp_line_put(&line, boot, 4);
	dp_line_put(&line, 0, 2);
	dp_line_end(&line);
	dph_clients_send(service, line.text, line.used);
}

/* The target was restarted: the programs are gone. */
static bool open_again(struct dph_service *service)
{
	const uint16_t boot = dp_session_target(service->session)->boot;

	if (!dp_session_restarted(service->session) || !dp_session_open_again(service->session))
		return false;
	dph_programs_forget(service);
	dph_clients_tell(service, DPH_SERVICE_RESTARTED, "");
	note_ticks(service, dp_session_target(service->session)->ticks);
	service->boot = dp_session_target(service->session)->boot;
	service->form = DPH_FORM_HEX;
	if (dp_session_target(service->session)->boot != boot)
		tell_boot(service, dp_session_target(service->session)->boot);
	return true;
}

static bool is_interrupted(const struct dph_service *service)
{
	const volatile sig_atomic_t *interrupt = service->options->line.interrupt;

	return interrupt != NULL && *interrupt;
}

static bool is_over(struct dph_service *service)
{
	return !service->options->keep && service->client_count == 0 &&
	       dp_clock_ms() - service->empty_ms >= service->options->linger_ms;
}

/* Wait for clients without a line. */
static void wait_without(struct dph_service *service)
{
	struct pollfd poller = {.fd = service->poller, .events = POLLIN};
	const uint64_t end = dp_clock_ms() + AGAIN_MS;

	for (uint64_t now = dp_clock_ms(); now < end && !is_interrupted(service);
	     now = dp_clock_ms()) {
		poll(&poller, 1, (int)(end - now));
		dph_clients_turn(service);
		dph_clients_reap(service);
	}
}

/* Another host has taken the line: it stays with that host. own: that host was this service. */
static bool find_line(struct dph_service *service, bool own)
{
	while (!is_interrupted(service) && !is_over(service)) {
		struct dp_failure before = service->failure;

		if (open_line(service, SILENCE_MS, own ? DP_RIGHT_TAKE : 0)) {
			on_waiting(service, "the service of the line: the line is open again");
			return true;
		}
		if (service->failure.kind == DP_FAILED_AGENT)
			return false;
		if (service->failure.kind == DP_FAILED_INTERRUPTED)
			break;
		if (strcmp(before.text, service->failure.text) != 0)
			on_waiting(service, service->failure.text);
		wait_without(service);
	}
	return false;
}

/* The session has failed. Returns false when the service ends. */
static bool recover(struct dph_service *service)
{
	const struct dp_failure failure = *dp_session_failure(service->session);
	const bool own = dp_session_restarted(service->session);

	service->failure = failure;
	if (failure.kind == DP_FAILED_INTERRUPTED)
		return false;
	if (failure.kind != DP_FAILED_LINK) { /* the agent refused: busy, or of another version */
		dph_service_abandon(service, failure.error == DP_ERR_BUSY);
		return true;
	}
	end_sessions(service, failure.text);
	if (open_again(service)) {
		on_waiting(service, "the service of the line: the target answers again");
		return true;
	}
	if (is_interrupted(service))
		return false;
	dp_session_close(service->session);
	service->session = NULL;
	return find_line(service, own);
}

/* --- the socket --- */

static bool fail(struct dph_service *service, const char *what, const char *path)
{
	service->failure = (struct dp_failure){.kind = DP_FAILED_LINK, .no_line = true};
	snprintf(service->failure.text, sizeof service->failure.text, "%s %s: %s", what, path,
		 strerror(errno));
	return false;
}

static bool make_folder(struct dph_service *service)
{
	char folder[DPH_SERVICE_PATH_BYTES];

	if (!dph_service_folder(folder, sizeof folder)) {
		errno = ENAMETOOLONG;
		return fail(service, "no folder for the service below", "XDG_RUNTIME_DIR");
	}
	if (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST)
		return fail(service, "the service cannot make the folder", folder);
	if (dph_service_is_private(folder))
		return true;
	errno = EPERM;
	return fail(service, "other users can change the folder of the service (remove it)",
		    folder);
}

/* Under its name only when it takes connections: a socket that refuses them is removed. */
static bool listen_at(struct dph_service *service)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct epoll_event event = {.events = EPOLLIN};
	const int count = snprintf(address.sun_path, sizeof address.sun_path, "%s.%ld",
				   service->path, (long)getpid());

	if (count < 0 || (size_t)count >= sizeof address.sun_path) {
		errno = ENAMETOOLONG;
		return fail(service, "no socket at", service->path);
	}
	service->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	unlink(address.sun_path);
	if (service->listener < 0 ||
	    bind(service->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
	    chmod(address.sun_path, S_IRUSR | S_IWUSR) != 0 ||
	    listen(service->listener, BACKLOG) != 0 || rename(address.sun_path, service->path) != 0)
		return fail(service, "no socket at", service->path);
	return epoll_ctl(service->poller, EPOLL_CTL_ADD, service->listener, &event) == 0 ||
	       fail(service, "no socket at", service->path);
}

/* One service a line. */
static bool is_free(struct dph_service *service)
{
	char why[sizeof service->failure.text];
	const int fd = dph_service_connect(service->path, why, sizeof why);
	long pid = 0;

	if (fd < 0 && why[0] == '\0')
		return true;
	service->failure = (struct dp_failure){.kind = DP_FAILED_LINK, .no_line = true};
	if (fd < 0) {
		snprintf(service->failure.text, sizeof service->failure.text, "%s", why);
		return false;
	}
	dph_service_is_own(fd, &pid);
	close(fd);
	snprintf(service->failure.text, sizeof service->failure.text,
		 "a service owns %s already: pid %ld; 'dprobes serve --stop' ends it",
		 service->options->line.url, pid);
	return false;
}

static bool begin(struct dph_service *service)
{
	if (!dph_service_path(service->options->line.url, service->path, sizeof service->path)) {
		service->failure = (struct dp_failure){.kind = DP_FAILED_LINK, .no_line = true};
		snprintf(service->failure.text, sizeof service->failure.text,
			 "no service for %s: a service owns a device, a socket or a TCP line",
			 service->options->line.url);
		return false;
	}
	service->poller = epoll_create1(EPOLL_CLOEXEC);
	return make_folder(service) && is_free(service) && open_line(service, 0, 0) &&
	       dph_guests_open(service) && listen_at(service);
}

/* --- serving --- */

static bool turn(struct dph_service *service)
{
	bool good;

	if (dph_service_has_work(service))
		good = dph_service_pass(service);
	else
		good = dp_session_listen(service->session, LISTEN_MS);
	dph_clients_reap(service);
	return good || recover(service);
}

/* Programs of clients that wanted them for their own time go with the service. */
static void end(struct dph_service *service)
{
	for (struct dph_client *c = service->clients; c != NULL; c = c->next)
		dph_programs_leave(service, c, !c->closed && c->temporary);
	if (service->session != NULL)
		dph_session_hold_interrupt(service->session, true);
	for (unsigned i = 0; i < DPH_PROGRAMS; i++) {
		uint8_t removed;

		if (service->session != NULL && service->programs[i].doomed &&
		    dp_session_remove(service->session, (uint8_t)i, &removed))
			service->programs[i].temporary = false;
	}
	dph_programs_keep_list(service);
	dph_clients_tell(service, DPH_SERVICE_END,
			 service->failure.kind == DP_FAILED_LINK ||
					 service->failure.kind == DP_FAILED_AGENT
				 ? service->failure.text
				 : "the service of the line (dprobes serve) was ended");
}

bool dph_service_run(const struct dph_service_options *options, struct dp_failure *failure)
{
	struct dph_service *service = calloc(1, sizeof *service);
	bool good;

	*failure = (struct dp_failure){.kind = DP_FAILED_LINK};
	if (service == NULL) {
		snprintf(failure->text, sizeof failure->text, "out of memory");
		return false;
	}
	service->options = options;
	service->listener = service->poller = service->guest_poller = -1;
	good = begin(service);
	if (good) {
		options->ready(options->context, service->path);
		service->empty_ms = dp_clock_ms();
		service->failure.kind = DP_FAILED_NOT;
		while (!is_over(service) && good)
			good = turn(service);
		unlink(service->path);
		end(service);
		good = good || service->failure.kind == DP_FAILED_INTERRUPTED ||
		       is_interrupted(service);
	}
	*failure = service->failure;
	dph_clients_free(service);
	dph_guests_free(service);
	dp_session_close(service->session);
	if (service->listener >= 0)
		close(service->listener);
	if (service->poller >= 0)
		close(service->poller);
	free(service);
	return good;
}
