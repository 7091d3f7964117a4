/* SPDX-License-Identifier: BSD-2-Clause */
/* The sink asks the source for messages. It asks again when the source has none yet. */
#include "ctf_graph.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

static bt_component_class_initialize_method_status
on_source(bt_self_component_source *source, bt_self_component_source_configuration *configuration,
	  const bt_value *parameters, void *data)
{
	struct dph_ctf_graph *graph = data;

	(void)configuration;
	(void)parameters;
	graph->component = bt_self_component_source_as_self_component(source);
	bt_self_component_set_data(graph->component, graph);
	if (bt_self_component_source_add_output_port(source, "out", NULL, NULL) !=
	    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static struct dph_ctf_graph *graph_of(bt_self_message_iterator *iterator)
{
	return bt_self_component_get_data(bt_self_message_iterator_borrow_component(iterator));
}

static bt_message_iterator_class_initialize_method_status
on_iterator(bt_self_message_iterator *iterator,
	    bt_self_message_iterator_configuration *configuration,
	    bt_self_component_port_output *port)
{
	(void)configuration;
	(void)port;
	graph_of(iterator)->iterator = iterator;
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_message_iterator_class_next_method_status on_next(bt_self_message_iterator *iterator,
							    bt_message_array_const messages,
							    uint64_t capacity, uint64_t *count)
{
	struct dph_ctf_graph *graph = graph_of(iterator);
	const size_t left = graph->count - graph->next;
	const size_t taken = left < capacity ? left : (size_t)capacity;

	if (left == 0)
		return graph->ended ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END
				    : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	memcpy(messages, graph->messages + graph->next, taken * sizeof(void *));
	graph->next += taken;
	*count = taken;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

/* --- the graph --- */

static const bt_component_source *add_source(struct dph_ctf_graph *graph)
{
	bt_message_iterator_class *iterators = bt_message_iterator_class_create(on_next);
	bt_component_class_source *class = NULL;
	const bt_component_source *source = NULL;

	if (iterators != NULL) {
		bt_message_iterator_class_set_initialize_method(iterators, on_iterator);
		class = bt_component_class_source_create("dprobes", iterators);
	}
	if (class != NULL) {
		bt_component_class_source_set_initialize_method(class, on_source);
		if (bt_graph_add_source_component_with_initialize_method_data(
			    graph->graph, class, "dprobes", NULL, graph, BT_LOGGING_LEVEL_NONE,
			    &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
			source = NULL;
	}
	bt_component_class_source_put_ref(class);
	bt_message_iterator_class_put_ref(iterators);
	return source;
}

static bt_value *sink_parameters(const char *folder)
{
	bt_value *parameters = bt_value_map_create();

	if (parameters == NULL)
		return NULL;
	if (bt_value_map_insert_string_entry(parameters, "path", folder) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_map_insert_bool_entry(parameters, "assume-single-trace", BT_TRUE) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_map_insert_bool_entry(parameters, "quiet", BT_TRUE) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		return parameters;
	bt_value_put_ref(parameters);
	return NULL;
}

static const bt_component_sink *add_sink(const struct dph_ctf_graph *graph, const char *folder)
{
	const bt_plugin *plugin = NULL;
	const bt_component_class_sink *class = NULL;
	const bt_component_sink *sink = NULL;
	bt_value *parameters = sink_parameters(folder);

	if (parameters != NULL && bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE,
						 BT_FALSE, &plugin) == BT_PLUGIN_FIND_STATUS_OK)
		class = bt_plugin_borrow_sink_component_class_by_name_const(plugin, "fs");
	if (class != NULL && bt_graph_add_sink_component(graph->graph, class, "ctf", parameters,
							 BT_LOGGING_LEVEL_NONE,
							 &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		sink = NULL;
	bt_value_put_ref(parameters);
	bt_plugin_put_ref(plugin);
	return sink;
}

bool dph_ctf_graph_open(struct dph_ctf_graph *graph, const char *folder)
{
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;

	*graph = (struct dph_ctf_graph){.graph = bt_graph_create(0)};
	if (graph->graph != NULL)
		source = add_source(graph);
	if (source != NULL)
		sink = add_sink(graph, folder);
	if (sink == NULL ||
	    bt_graph_connect_ports(graph->graph,
				   bt_component_source_borrow_output_port_by_index_const(source, 0),
				   bt_component_sink_borrow_input_port_by_index_const(sink, 0),
				   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		graph->failed = true;
	else
		dph_ctf_graph_run(graph); /* makes the iterator, which makes messages */
	graph->failed |= graph->iterator == NULL;
	return !graph->failed;
}

void dph_ctf_graph_add(struct dph_ctf_graph *graph, const bt_message *message)
{
	if (message == NULL) {
		graph->failed = true;
		return;
	}
	graph->messages = dph_grow(graph->messages, &graph->room, graph->count, sizeof(void *));
	graph->messages[graph->count++] = message;
}

void dph_ctf_graph_run(struct dph_ctf_graph *graph)
{
	bt_graph_run_once_status status = BT_GRAPH_RUN_ONCE_STATUS_OK;

	while (!graph->failed && status == BT_GRAPH_RUN_ONCE_STATUS_OK)
		status = bt_graph_run_once(graph->graph);
	if (status < 0)
		graph->failed = true;
	for (; graph->failed && graph->next < graph->count; graph->next++)
		bt_message_put_ref(graph->messages[graph->next]);
	graph->next = graph->count = 0;
}

bool dph_ctf_graph_close(struct dph_ctf_graph *graph)
{
	graph->ended = true;
	dph_ctf_graph_run(graph);
	free(graph->messages);
	bt_graph_put_ref(graph->graph);
	bt_current_thread_clear_error();
	return !graph->failed;
}
