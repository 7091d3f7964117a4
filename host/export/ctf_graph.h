/* SPDX-License-Identifier: BSD-2-Clause */
/* The graph of libbabeltrace2 that writes a trace: a source with the messages of the export, and
 * the sink that the library has for CTF. https://babeltrace.org/docs/v2.0/libbabeltrace2/ describes
 * the functions; babeltrace2-sink.ctf.fs(7) the sink. */
#ifndef DPH_CTF_GRAPH_H
#define DPH_CTF_GRAPH_H

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_ctf_graph {
	bt_graph *graph;
	bt_self_component *component; /* the source */
	bt_self_message_iterator *iterator;
	const bt_message **messages; /* that the sink has not taken yet */
	size_t next, count, room;
	bool ended;  /* no more comes */
	bool failed; /* the library has refused something */
};

/* Make the graph. folder: of the trace. Returns false when the library failed. */
bool dph_ctf_graph_open(struct dph_ctf_graph *graph, const char *folder);
/* Add a message, which the graph then owns. */
void dph_ctf_graph_add(struct dph_ctf_graph *graph, const bt_message *message);
/* Write what was added. */
void dph_ctf_graph_run(struct dph_ctf_graph *graph);
/* Write the rest and the description of the trace. Returns false when something failed. */
bool dph_ctf_graph_close(struct dph_ctf_graph *graph);

#endif
