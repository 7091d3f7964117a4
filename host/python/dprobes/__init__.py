# SPDX-License-Identifier: BSD-2-Clause
r"""Probes in running firmware. The module calls dprobes/simple.h of libdprobes and needs nothing compiled.

    import dprobes

    with dprobes.Session(port="unix:/tmp/hunt/com1", elf="demo.elf") as session:
        session.insert(open("1-callers.dp").read())
        for record in session.records(timeout=10):
            print(record.line, record.words)
        session.type("stats\r")
        print(session.expect(r"average (\d+)", timeout=5).group(1), session.read("sensor_queue.count"))
"""
import codecs
import collections
import ctypes
import json
import os
import pathlib
import re
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
    "check": (_FLAG, [_TEXT]), "remove_named": (_NUMBER, [_TEXT]), "restarts": (ctypes.c_uint, []),
    "value": (_NUMBER, [_NUMBER, _TEXT, ctypes.POINTER(ctypes.c_int64)]), "list": (_TEXT, []), "aggregations": (_TEXT, [_NUMBER]),
    "named": (_TEXT, [_NUMBER]), "read": (_TEXT, [_TEXT]), "type": (_FLAG, [_TEXT]), "listen": (_NUMBER, [_NUMBER]),
    "expect": (_NUMBER, [_TEXT, _NUMBER]), "expected": (_TEXT, []),
}


class Error(Exception):
    """What the library says: the finding and the remedy."""


class Timeout(Error):
    """Nothing that was waited for came in time."""


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


def _put(found, name, keys, value):
    """A value of a variable, which may have keys."""
    if keys is None:
        found[name] = value
    else:
        found.setdefault(name, {})[tuple(keys)] = value


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

    def named(self):
        """{name: value} of the variables of a D program; a variable with keys has a dictionary of its values, by the texts of the
        keys as a tuple."""
        found = {}
        for row in self.session.rows("named", self._there()):
            _put(found, row.get("name", str(row.get("index"))), row.get("keys"), row["value"])
        return found

    def aggregations(self):
        """{name: {keys: value}} of a D program's aggregations. keys: the texts as a tuple, () without a key. A distribution has
        the list of its buckets."""
        found = {}
        for row in self.session.rows("aggregations", self._there()):
            if "function" in row:
                found.setdefault(row["name"], {})[tuple(row.get("keys", ()))] = row.get("buckets") or row["value"]
        return found

    def value(self, name):
        """One number by its name: "x", "x[1]", "@", "@calls[queue_put]". KeyError: the target has none of this name."""
        value = ctypes.c_int64()
        found = self.session.call("value", self._there(), Session.encoded(name), ctypes.byref(value))
        self.session.check(found >= 0)
        if found == 0:
            raise KeyError(name)
        return value.value

    def remove(self):
        """The text is the original again. Records that are on their way still arrive."""
        self.session.check(self.session.call("remove", self._there()))
        self.removed = True


class Session:
    """One use of a board's agent. settings: those of dp_simple_set; what is absent comes from dprobes.conf."""

    def __init__(self, library=None, **settings):
        self.library = load(library)
        # Of the console: text that is not yet taken, behind a decoder that waits for the rest of a character.
        self._text, self._decoder = "", codecs.getincrementaldecoder("utf-8")("backslashreplace")
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
        result = self._called(function, *arguments)
        return result.decode("utf-8", "backslashreplace") if isinstance(result, bytes) else result

    def _called(self, function, *arguments):
        """The same; strings are bytes."""
        if not self.handle:
            raise Error("the session is closed")
        return getattr(self.library, f"dp_simple_{function}")(self.handle, *arguments)

    def check(self, good):
        """Raise the sentence of the library unless good."""
        if not good:
            raise Error(self.call("error").rstrip("\n"))

    @staticmethod
    def encoded(text):
        """Text, or bytes, for the library, which ends it at a NUL."""
        data = text if isinstance(text, bytes) else text.encode()
        if b"\0" in data:
            raise Error("the text has a NUL character")
        return data

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

    restarts = property(lambda self: self.call("restarts"), doc="Restarts of the target behind which reinstall inserted the programs.")

    def insert(self, text):
        """Compile, upload and arm a program text."""
        index = self.call("insert", self.encoded(text))
        self.check(index >= 0)
        return Program(self, index)

    def verify(self, text):
        """Raise the sentence about a program text that this target refuses. Nothing is armed."""
        self.check(self.call("check", self.encoded(text)))

    def remove(self, name):
        """Remove the installed programs of a name, whoever has inserted them. Returns their number."""
        count = self.call("remove_named", self.encoded(name))
        self.check(count >= 0)
        return count

    def rows(self, function, *arguments):
        """The objects of a function of simple.h that returns JSON, one a line."""
        text = self.call(function, *arguments)
        self.check(text is not None)
        return [json.loads(line) for line in text.splitlines()]

    def list(self):
        """The installed programs with their probes, as `dprobes list --format json` has them."""
        return self.rows("list")

    def read(self, expression):
        """The value of an expression about the firmware, as `dprobes read` has it: a number, a text, a list, or a dictionary of a
        struct's members."""
        row, = self.rows("read", self.encoded(expression))
        if "error" in row:
            raise Error(f"{expression}: {row['error']}")
        return row["value"]

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

    def _receive(self):
        """Take what has come of the console."""
        self._text += self._decoder.decode(self._called("console"))

    def console(self):
        """Console text since the last call. Only next(), listen() and the like receive."""
        self._receive()
        text, self._text = self._text, ""
        return text

    def console_bytes(self):
        """The same as bytes, for a program that decodes them itself. A session uses one of both."""
        return self._called("console")

    def listen(self, timeout):
        """Receive until something comes. Records stay for next(), text for console(). False: nothing in `timeout` seconds."""
        end, found = time.monotonic() + timeout, 0
        while found == 0:
            left = end - time.monotonic()
            found = self.call("listen", int(1000 * max(0, min(left, SLICE_S))))
            self.check(found >= 0)
            if left <= SLICE_S:
                break
        return found == 1

    def type(self, text):
        """Type text on the firmware's console, as a terminal does: Enter is "\\r"."""
        self.check(self.call("type", self.encoded(text)))

    def expect(self, pattern, timeout):
        """Wait until console text that console() has not returned matches a regular expression of Python. The text up to the end of
        the match is taken. Returns the match. Raises Timeout with the text so far, which stays."""
        end = time.monotonic() + timeout
        while True:
            self._receive()
            match = re.search(pattern, self._text)
            if match:
                self._text = self._text[match.end():]
                return match
            left = end - time.monotonic()
            if left <= 0:
                raise Timeout(f"no text of the console matched '{pattern}' in {timeout:g} s; it has {self._text[-200:]!r}")
            self.listen(left)

    def command(self, line, prompt, timeout, enter="\r"):
        """Type a line, and return the text of the console up to the next match of `prompt`."""
        self.console()
        self.type(line + enter)
        return self.expect(rf"(?s)(.*?)(?:{prompt})", timeout).group(1)
