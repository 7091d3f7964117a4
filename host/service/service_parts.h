/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a service and of its clients, for the files of the service. */
#ifndef DPH_SERVICE_PARTS_H
#define DPH_SERVICE_PARTS_H

#include "service.h"

#include "session/pipeline.h"
#include "wire/service_link.h"

enum {
	DPH_CLIENT_REQUESTS = 48,
	DPH_CLIENT_ANSWERS = 32,
	DPH_CLIENTS_MAX = 64,
	DPH_PURPOSE_BYTES = 96,
	DPH_PROGRAMS = 255, /* indices of programs; ff: all */
	DPH_TYPED_BYTES = 65536,
	DPH_SENTENCE_BYTES = 768,
};

/* A request of a client. */
struct dph_wanted {
	uint32_t id; /* tag of the request in the pipeline */
	bool sent, delivered;
	uint8_t seq; /* the client's number */
	uint32_t check;
	struct dph_request request;
	uint64_t came_ms;
};

/* An answer that a client may ask for again. */
struct dph_stored {
	bool used;
	uint8_t seq;
	uint32_t check;
	size_t bytes;
	char line[DP_LINE_MAX];
};

/* A setting of the line that a client has chosen. */
struct dph_claim {
	bool made;
	uint8_t value;
};

enum dph_setting {
	DPH_SETTING_TARGET,
	DPH_SETTING_MODE,
	DPH_SETTINGS,
};

struct dph_client {
	struct dph_client *next;
	struct dph_service *service;
	int fd; /* -1: the process has ended; requests are still on their way */
	long pid;
	bool temporary, waits_for_room, ending;
	char purpose[DPH_PURPOSE_BYTES];
	uint8_t *out; /* packets that wait, each behind its length (two bytes) */
	size_t out_bytes, out_room;
	uint64_t ending_ms;
	uint64_t read_ms; /* it has read a packet that waited */
	/* --- its session --- */
	bool known;  /* the seed is valid */
	bool open;   /* until CLOSE, or the end of the session */
	bool closed; /* by CLOSE: it has removed what it wanted to remove */
	uint32_t number, seed;
	uint8_t rights, asked_rights;
	bool hello; /* HELLO waits for two answers of the agent: */
	uint8_t hello_seq;
	uint32_t status_id, log_id; /* 0: not asked yet */
	bool has_status, has_log;
	/* --- its requests --- */
	struct dph_wanted wanted[DPH_CLIENT_REQUESTS];
	unsigned wanted_count;
	struct dph_stored stored[DPH_CLIENT_ANSWERS];
	unsigned last_stored;
	uint64_t answered_ms;
	unsigned long requests;
	struct dph_claim claims[DPH_SETTINGS];
	bool compact;                        /* it reads compact lines */
	uint32_t have;                       /* of its last RESEND, in the mode ACKNOWLEDGED */
	bool typing_told;                    /* another client types */
	uint8_t object_flags, object_groups; /* of its upload */
	uint32_t object_bytes, object_crc;
};

struct dph_program {
	struct dph_client *owner; /* null: nobody here, or a client that has ended */
	bool temporary, doomed;   /* it goes with its client; now */
	uint32_t bytes, crc;      /* of its object */
	uint32_t remove_id;       /* 0: REMOVE is not asked yet */
	bool doubted;             /* a COMMIT may have exchanged it: PROGRAM tells, */
	uint32_t look_id;         /* 0: when it is asked */
};

struct dph_service {
	const struct dph_service_options *options;
	struct dp_session *session; /* null: the line is down */
	struct dp_failure failure;
	char path[DPH_SERVICE_PATH_BYTES];
	int listener, poller;
	struct dph_client *clients;
	unsigned client_count;
	uint64_t empty_ms; /* since when there is no client */
	unsigned boot;     /* of the target */
	uint32_t last_id;
	unsigned turn; /* of the clients */
	struct dph_program programs[DPH_PROGRAMS];
	struct dph_client *uploader;
	const struct dph_client *committing; /* a temporary one whose COMMIT is on its way, */
	uint32_t commit_bytes, commit_crc;   /* and its object; bytes 0: none */
	uint64_t upload_ms;
	/* What STATUS, LOG and syncs have told last. */
	uint8_t settings[DPH_SETTINGS], base[DPH_SETTINGS];
	uint8_t program_count;
	uint32_t sent;
	uint64_t ticks, ticks_ms;
	bool restore[DPH_SETTINGS];
	uint32_t restore_id;
	uint8_t form;     /* of lines of records, as LOG has told last */
	uint32_t form_id; /* LOG that changes it; 0: none is on its way */
	/* --- stops --- */
	/* The client that has asked last about a stop; the service itself where that one has left
	 * on purpose; null: nobody has since RESUME. */
	const void *holder;
	/* The holder has died, or nobody is one, and a client whose programs may have stopped the
	 * target has: it goes on behind their removal. */
	bool lets_go_on;
	/* --- typing --- */
	const void *typist; /* a client or a guest */
	char typist_name[2 * DPH_PURPOSE_BYTES];
	uint64_t typed_ms;
	uint8_t typed[DPH_TYPED_BYTES];
	size_t typed_bytes;
	/* --- service_guests.c --- */
	struct dph_guest *guests;
	unsigned guest_count;
	int guest_poller; /* -1: none is needed */
};

/* --- service_clients.c --- */

/* Take all that clients have sent, and give them what waits. */
void dph_clients_turn(void *service);
/* Send a packet to a client. */
void dph_client_send(struct dph_client *client, char kind, const void *bytes, size_t count);
__attribute__((format(printf, 3, 4))) void dph_client_tell(struct dph_client *client, char kind,
							   const char *format, ...);
/* Send bytes of the line to all clients. */
void dph_clients_send(struct dph_service *service, const void *bytes, size_t count);
void dph_clients_tell(struct dph_service *service, char kind, const char *sentence);
/* Write the name of a client for a sentence. */
void dph_client_name(const struct dph_client *client, char *name, size_t room);
/* Free clients that have ended and wait for nothing. */
void dph_clients_reap(struct dph_service *service);
/* Free all. */
void dph_clients_free(struct dph_service *service);

/* Type to the firmware, which gets the bytes of one client or guest at a time.
 * who: the client or guest. sentence: receives why not, DPH_SENTENCE_BYTES.
 * Returns false when the bytes are not sent. */
bool dph_service_typed(struct dph_service *service, const void *who, const char *name,
		       const uint8_t *bytes, size_t count, char *sentence);

/* --- service_guests.c --- */

/* Listen where the options say. Returns false with the failure of the service set. */
bool dph_guests_open(struct dph_service *service);
/* Take all that guests have sent, and give them what waits. */
void dph_guests_turn(struct dph_service *service);
/* Send text of the console to all guests. */
void dph_guests_send(struct dph_service *service, const uint8_t *bytes, size_t count);
/* Free guests that have gone. */
void dph_guests_reap(struct dph_service *service);
/* Send a line about each guest to a client that asked. */
void dph_guests_tell_state(struct dph_client *client);
void dph_guests_free(struct dph_service *service);

/* --- service_requests.c --- */

/* A client has sent a request line: answer it, or keep it for the agent.
 * Returns false when the bytes are no request. */
bool dph_client_line(struct dph_client *client, const uint8_t *line, size_t bytes);
/* The session of the client is over: forget its requests. */
void dph_client_end_session(struct dph_client *client);
/* Answer a request of the client. */
void dph_client_answer(struct dph_client *client, const struct dph_wanted *wanted, uint8_t error,
		       const uint8_t *payload, size_t bytes, bool again);
void dph_client_nak(struct dph_client *client, uint8_t seq);
/* Answer HELLO when all facts are there. */
void dph_client_welcome(struct dph_client *client);
/* Tell a client whose request waits that it does. */
void dph_client_keep(struct dph_client *client, uint64_t now);

/* --- service_asker.c --- */

/* Is there a request that can go? */
bool dph_service_has_work(const struct dph_service *service);
/* Ask the agent all that waits. Returns false when the session failed. */
bool dph_service_pass(struct dph_service *service);
/* Before the pipeline, in the order of the line. */
void dph_service_arrived(void *service, const struct dph_request *request, bool repeated,
			 const struct dph_reply *reply);
/* The requests on their way are lost. busy: the agent has answered BUSY. */
void dph_service_abandon(struct dph_service *service, bool busy);
/* Send what was typed. Returns false when the session failed. */
bool dph_service_type(struct dph_service *service);

/* --- service_programs.c --- */

/* A client's request changed the programs of the agent. */
void dph_programs_note(struct dph_service *service, struct dph_client *client,
		       const struct dph_request *request, const struct dph_reply *reply);
/* Write the list of the programs that go with their clients, should this process be killed. */
void dph_programs_keep_list(const struct dph_service *service);
/* The client has ended. Its programs go when it was temporary, and did not CLOSE. */
void dph_programs_leave(struct dph_service *service, struct dph_client *client, bool remove);
/* No program is there any more. */
void dph_programs_forget(struct dph_service *service);
/* Return the index of the next program to remove; DPH_PROGRAMS: none. */
unsigned dph_programs_doomed(const struct dph_service *service);
/* Return the index of the next program to ask for; DPH_PROGRAMS: none. */
unsigned dph_programs_doubted(const struct dph_service *service);
/* May the client begin an upload now? */
bool dph_upload_may_begin(const struct dph_service *service, const struct dph_client *client);
void dph_upload_note(struct dph_service *service, struct dph_client *client,
		     const struct dph_request *request);
void dph_upload_leave(struct dph_service *service, const struct dph_client *client);
/* Return whether the rights of the client are enough for CHECK or COMMIT of its upload. */
bool dph_upload_is_permitted(const struct dph_client *client, const struct dph_request *request);
/* Write the fields of the answer NOT_PERMITTED; returns their number. */
size_t dph_upload_refusal(const struct dph_request *request, uint8_t *fields, size_t room);

/* --- service_settings.c --- */

/* Decide about a LOG of a client, and change the request where another client's choice stays.
 * Returns false when another client has chosen other settings; its sentence is sent. */
bool dph_settings_take(struct dph_client *client, struct dph_request *request);
/* Note the settings that an answer shows. */
void dph_settings_note(struct dph_service *service, uint8_t target, uint8_t mode);
/* The client has ended; restore: the settings before it come back. */
void dph_settings_leave(struct dph_client *client, bool restore);
/* Return the form of lines of records that all clients read. */
uint8_t dph_settings_form(const struct dph_service *service);
/* Put this form into LOG. */
void dph_settings_put_form(const struct dph_service *service, struct dph_request *request);
/* Change RESEND so that it acknowledges only what every acknowledging client has. */
void dph_settings_resend(struct dph_client *client, struct dph_request *request);

/* --- service_state.c --- */

/* Send the state of the service to a client that asked. */
void dph_service_tell_state(struct dph_client *client);

#endif
