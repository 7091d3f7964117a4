/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of the linked module. */
	.section .rodata.plugin, "a"
	.balign	8
	.global	plugin_blob, plugin_blob_end
plugin_blob:
	.incbin	DEMO_PLUGIN
plugin_blob_end:
