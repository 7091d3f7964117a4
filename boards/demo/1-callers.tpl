// SPDX-License-Identifier: BSD-2-Clause
// The records of 1-callers.dp as text, on every board: byte order is the target's.
//	dprobes run boards/demo/1-callers.dp --templates boards/demo/1-callers.tpl
major = 1

minor = 1, desc = "a message for a queue"
fmt = "%4a, put there by %4a"
