# SPDX-License-Identifier: BSD-2-Clause
# What agent and host share; compile it into your firmware with agent/sources.mk.
PROTOCOL_SOURCES := dp_crc.c dp_frame.c
# What reads the agent's lines: not for firmware.
READER_SOURCES := dp_frame_get.c dp_record_get.c
