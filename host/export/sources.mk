# SPDX-License-Identifier: BSD-2-Clause
# NAME_SOURCES is compiled where the library of the export NAME is installed (EXPORTS of SConstruct).
EXPORT_SOURCES := exports.c interned.c label.c trace_clock.c tracks.c well_known.c stacks.c folded.c flame.c svg.c svg_bars.c svg_draw.c svg_heat.c svg_timeline.c
CTF_SOURCES := ctf.c ctf_fields.c ctf_graph.c
PERFETTO_SOURCES := perfetto.c
