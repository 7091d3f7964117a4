# SPDX-License-Identifier: BSD-2-Clause
# Pure C, for the host: there is no port yet.
HOST_SOURCES := decode.c decoder.c ../thumb/decode_thumb.c
