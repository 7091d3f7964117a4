#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes what a firmware's build takes of the agent: `scons release`.

    agent_release.py FOLDER

FOLDER/CPU has the files of agent_pair.py and the header of static hooks; FOLDER itself dprobes.mk, CMakeLists.txt, dprobes.ld and the glue. The flags
are those of agent/sources.mk and port/CPU/sources.mk.
"""
import pathlib
import shutil
import sys

import agent_pair
import sources_mk
from agent_pair import TOP

SPDX = "# SPDX-License-Identifier: BSD-2-Clause\n"
COMPILERS = ("GCC", "CLANG")


def cpus():
    return sources_mk.firmware_ports()


def flags(cpu, name="FLAGS"):
    return [word for folder in ("agent", f"port/{cpu}") for word in sources_mk.words(sources_mk.read(str(TOP / folder)), name)]


def dprobes_mk():
    """For GNU make."""
    lines = [f"DPROBES_FLAGS_{cpu} := {' '.join(flags(cpu))}" for cpu in cpus()]
    lines += [f"DPROBES_FLAGS_{cpu}_{name} := {' '.join(flags(cpu, f'FLAGS_{name}'))}" for cpu in cpus() for name in COMPILERS]
    return SPDX + """# The agent for GNU make. Made by `scons release` of dprobes: do not edit.
#
#	DPROBES_CPU := arm
#	include dprobes/dprobes.mk
#	firmware.elf: $(OBJECTS) $(DPROBES_OBJECTS)
#
# Behind the link, in the same rule, the table of functions: $(call DPROBES_TABLE,firmware.elf)
#
# DPROBES_CPU: """ + ", ".join(cpus()) + """. DPROBES_OUT: folder of the objects. DPROBES_DEFINES: knobs (-DDP_MAX_PROBES=8).
# DPROBES: the command dprobes. DPROBES_OBJCOPY: the objcopy of CC.
# CC and CFLAGS are the firmware's. The firmware's own files that include dprobes.h need DPROBES_INCLUDES and the knobs.
DPROBES_FOLDER := $(dir $(lastword $(MAKEFILE_LIST)))
DPROBES_OUT ?= .
ifeq ($(filter $(DPROBES_CPU),""" + " ".join(cpus()) + """),)
$(error dprobes.mk: DPROBES_CPU is '$(DPROBES_CPU)'; set it to one of: """ + " ".join(cpus()) + """)
endif
DPROBES_COMPILER := $(if $(findstring clang,$(notdir $(filter-out -%,$(CC)))),CLANG,GCC)
""" + "\n".join(lines) + """
DPROBES_FLAGS := $(DPROBES_FLAGS_$(DPROBES_CPU)) $(DPROBES_FLAGS_$(DPROBES_CPU)_$(DPROBES_COMPILER))
DPROBES_INCLUDES := -I$(DPROBES_FOLDER)$(DPROBES_CPU) -I$(DPROBES_FOLDER)glue
DPROBES_OBJECTS := $(DPROBES_OUT)/dprobes_agent.o $(DPROBES_OUT)/dprobes_entry.o

DPROBES ?= dprobes
DPROBES_OBJCOPY ?= $(if $(filter CLANG,$(DPROBES_COMPILER)),llvm-objcopy,$(shell $(CC) -print-prog-name=objcopy))
DPROBES_TABLE = $(DPROBES) table --quiet $(1) -o $(1).functions && \\
	$(DPROBES_OBJCOPY) --update-section dprobes_functions=$(1).functions $(1)

# A plain `make` makes the firmware's first target, not one of these.
DPROBES_GOAL := $(.DEFAULT_GOAL)
$(DPROBES_OUT)/dprobes_agent.o: $(DPROBES_FOLDER)$(DPROBES_CPU)/dprobes_agent.c $(wildcard $(DPROBES_FOLDER)$(DPROBES_CPU)/*.h)
	$(CC) $(CPPFLAGS) $(CFLAGS) -std=gnu11 $(DPROBES_DEFINES) $(DPROBES_FLAGS) -c -o $@ $<

$(DPROBES_OUT)/dprobes_entry.o: $(DPROBES_FOLDER)$(DPROBES_CPU)/dprobes_entry.S
	$(CC) $(CPPFLAGS) $(CFLAGS) $(DPROBES_DEFINES) $(DPROBES_FLAGS) -c -o $@ $<

.DEFAULT_GOAL := $(DPROBES_GOAL)
"""


def cmake_list(words):
    return " ".join(words)


def chosen():
    """The lines of agent/tree/CMakeLists.txt that check the CPU and tell compilers apart."""
    text = (TOP / "agent/tree/CMakeLists.txt").read_text(encoding="utf-8")
    return text[text.index("if(NOT DPROBES_CPU IN_LIST"):text.index("# The words of")]


def cmakelists():
    """For CMake: the target dprobes_agent."""
    known = "".join(f"set(DPROBES_FLAGS_{cpu} {cmake_list(flags(cpu))})\n" +
                    "".join(f"set(DPROBES_FLAGS_{cpu}_{name} {cmake_list(flags(cpu, f'FLAGS_{name}'))})\n" for name in COMPILERS)
                    for cpu in cpus())
    return SPDX + """# The agent for CMake. Made by `scons release` of dprobes: do not edit.
#
#	set(DPROBES_CPU arm)
#	add_subdirectory(dprobes)
#	target_link_libraries(firmware PRIVATE dprobes_agent)
#
#	dprobes_table(firmware)
#
# dprobes_table adds the table of functions behind the link. DPROBES: the command dprobes.
# DPROBES_CPU: """ + ", ".join(cpus()) + """. DPROBES_DEFINES: a list of knobs (DP_MAX_PROBES=8).
cmake_minimum_required(VERSION 3.13)
project(dprobes_agent LANGUAGES C ASM)

set(DPROBES_CPUS """ + cmake_list(cpus()) + """)
""" + chosen() + known + """

add_library(dprobes_agent STATIC ${DPROBES_CPU}/dprobes_agent.c ${DPROBES_CPU}/dprobes_entry.S)
set_target_properties(dprobes_agent PROPERTIES C_STANDARD 11)
target_include_directories(dprobes_agent PUBLIC ${DPROBES_CPU} glue)
target_compile_definitions(dprobes_agent PUBLIC ${DPROBES_DEFINES})
target_compile_options(dprobes_agent PRIVATE
	${DPROBES_FLAGS_${DPROBES_CPU}} ${DPROBES_FLAGS_${DPROBES_CPU}_${DPROBES_COMPILER}})

set(DPROBES dprobes CACHE STRING "the command dprobes")
function(dprobes_table firmware)
	add_custom_command(TARGET ${firmware} POST_BUILD
		COMMAND ${DPROBES} table --quiet $<TARGET_FILE:${firmware}> -o $<TARGET_FILE:${firmware}>.functions
		COMMAND ${CMAKE_OBJCOPY} --update-section
			dprobes_functions=$<TARGET_FILE:${firmware}>.functions $<TARGET_FILE:${firmware}>
		VERBATIM)
endfunction()
"""


def main(folder):
    folder = pathlib.Path(folder)
    for cpu in cpus():
        agent_pair.main(cpu, folder / cpu)
        shutil.copyfile(TOP / "agent/dprobes_hook.h", folder / cpu / "dprobes_hook.h")
    (folder / "glue").mkdir(exist_ok=True)
    for name in sources_mk.words(sources_mk.read(str(TOP / "agent/glue")), "FIRMWARE_GLUE"):
        shutil.copyfile(TOP / "agent/glue" / name, folder / "glue" / name)
    for name in ("agent/dprobes.ld", "LICENSE"):
        shutil.copyfile(TOP / name, folder / pathlib.Path(name).name)
    (folder / "dprobes.mk").write_text(dprobes_mk(), encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(cmakelists(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
