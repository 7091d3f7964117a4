# SPDX-License-Identifier: BSD-2-Clause
"""Probes in running firmware. The module calls dprobes/simple.h of libdprobes and needs nothing compiled.

    import dprobes

    with dprobes.Session(port="unix:/tmp/hunt/com1", elf="demo.elf") as session:
        session.insert(open("1-callers.dp").read())
        for record in session.records(timeout=10):
            print(record.line, record.words)
"""
import collections
import ctypes
import json
import os
import pathlib
import time
import weakref

LIBRARY = "libdprobes.so.0"
# Under the same PREFIX as the module, where the loader need not look.
_BESIDE = pathlib.Path(__file__).resolve().parent.parents[2] / LIBRARY
WORDS_MAX = 4096
VARIABLES_MAX = 256
SLICE_S = 0.2  # the interpreter sees signals between two waits of the library

_HANDLE, _TEXT, _NUMBER, _FLAG = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_bool
_WORDS = ctypes.POINTER(ctypes.c_uint64)
# name -> (result, arguments behind the handle), as dprobes/simple.h declares them.
_FUNCTIONS = {
    "set": (_FLAG, [_TEXT, _TEXT]), "open": (_FLAG, []), "close": (None, []), "error": (_TEXT, []), "cpu": (_TEXT, []),
    "word_bytes": (ctypes.c_uint, []), "big_endian": (_FLAG, []), "hz": (ctypes.c_uint32, []), "insert": (_NUMBER, [_TEXT]),
    "remove": (_FLAG, [_NUMBER]), "variables": (_NUMBER, [_NUMBER, _WORDS, ctypes.c_size_t]), "next": (_NUMBER, [_NUMBER]),
    "fd": (_NUMBER, []), "line": (_TEXT, []), "json": (_TEXT, []), "major": (ctypes.c_uint, []), "minor": (ctypes.c_uint, []),
    "words": (ctypes.c_size_t, [_WORDS, ctypes.c_size_t]), "lost": (ctypes.c_uint64, []), "console": (_TEXT, []),
}


class Error(Exception):
    """What the library says: the finding and the remedy."""


# line: as `dprobes run` prints it. words: the data. fields: the object of --format json.
Record = collections.namedtuple("Record", "major minor words line fields")


def load(path=None):
    """The library with its functions declared. path: default DPROBES_LIBRARY of the environment, else the library that
    was installed with the module, else the one that the loader finds."""
    name = path or os.environ.get("DPROBES_LIBRARY") or (str(_BESIDE) if _BESIDE.exists() else LIBRARY)
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise Error(f"{error}; install libdprobes, or set DPROBES_LIBRARY to the file") from None
    library.dp_simple_new.restype, library.dp_simple_new.argtypes = _HANDLE, []
    for function, (result, arguments) in _FUNCTIONS.items():
        declared = getattr(library, f"dp_simple_{function}")
        declared.restype, declared.argtypes = result, [_HANDLE, *arguments]
    return library


class Program:
    """An inserted program."""

    def __init__(self, session, index):
        self.session, self.index, self.removed = session, index, False

    def _there(self):
        """The index, which another program may have after the removal."""
        if self.removed:
            raise Error("the program is removed")
        return self.index

    def variables(self):
        """The local variables."""
        return self.session.variables(self._there())

    def remove(self):
        """The text is the original again. Records that are on their way still arrive."""
        self.session.check(self.session.call("remove", self._there()))
        self.removed = True


class Session:
    """One use of a board's agent. settings: those of dp_simple_set; what is absent comes from dprobes.conf."""

    def __init__(self, library=None, **settings):
        self.library = load(library)
        self.handle = self.library.dp_simple_new()
        # A session that nobody closes ends when it is collected, or when Python exits.
        self.closing = weakref.finalize(self, self.library.dp_simple_close, self.handle)
        try:
            for name, value in settings.items():
                self.set(name, value)
            self.check(self.call("open"))
        except BaseException:
            self.close()
            raise

    def call(self, function, *arguments):
        """A function of simple.h; strings come back as str."""
        if not self.handle:
            raise Error("the session is closed")
        result = getattr(self.library, f"dp_simple_{function}")(self.handle, *arguments)
        return result.decode("utf-8", "backslashreplace") if isinstance(result, bytes) else result

    def check(self, good):
        """Raise the sentence of the library unless good."""
        if not good:
            raise Error(self.call("error").rstrip("\n"))

    @staticmethod
    def encoded(text):
        """Text for the library, which ends it at a NUL."""
        if "\0" in text:
            raise Error("the text has a NUL character")
        return text.encode()

    def set(self, name, value):
        """Change a setting. True is yes; None, False and empty text take the setting away."""
        text = "yes" if value is True else "" if value in (None, False) else os.fspath(value) if hasattr(value, "__fspath__") else str(value)
        self.check(self.call("set", self.encoded(name), self.encoded(text)))

    def close(self):
        """Remove the programs of this session and close the line."""
        self.closing()
        self.handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    cpu = property(lambda self: self.call("cpu"))
    word_bytes = property(lambda self: self.call("word_bytes"))
    big_endian = property(lambda self: self.call("big_endian"))
    hz = property(lambda self: self.call("hz"))
    lost = property(lambda self: self.call("lost"), doc="Records that were lost or dropped.")

    def insert(self, text):
        """Compile, upload and arm a program text."""
        index = self.call("insert", self.encoded(text))
        self.check(index >= 0)
        return Program(self, index)

    def variables(self, program=-1):
        """Variables of the program with this index; -1: the global ones."""
        values = (ctypes.c_uint64 * VARIABLES_MAX)()
        count = self.call("variables", program, values, VARIABLES_MAX)
        self.check(count >= 0)
        return list(values[:count])

    def next(self, timeout=0.0):
        """The next record; None when none comes in `timeout` seconds. ^C ends the wait."""
        end, found = time.monotonic() + timeout, 0
        while found == 0:
            left = end - time.monotonic()
            found = self.call("next", int(1000 * max(0, min(left, SLICE_S))))
            self.check(found >= 0)
            if left <= SLICE_S:
                break
        if found == 0:
            return None
        words = (ctypes.c_uint64 * WORDS_MAX)()
        count = min(self.call("words", words, WORDS_MAX), WORDS_MAX)
        return Record(self.call("major"), self.call("minor"), tuple(words[:count]), self.call("line").rstrip("\n"),
                      json.loads(self.call("json")))

    def records(self, timeout):
        """Records as they come, for `timeout` seconds."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            record = self.next(left)
            if record is not None:
                yield record

    def fileno(self):
        """For select: when it is readable, and once after insert(), call next() until it returns None."""
        return self.call("fd")

    def console(self):
        """Console text since the last call. Only next() and the like receive."""
        return self.call("console")
