# SPDX-License-Identifier: BSD-2-Clause
"""Captures that a test makes itself, as host/present/FORMATS.md describes them, and readers of what is exported."""
import base64
import re
import subprocess
import zlib

from . import wire
from .paths import TOP, program

HZ = 24_000_000
BASE64_BYTES = 57


def checked(line):
    return f"{line} ;{zlib.crc32(line.encode()):08x}\n"


class Capture:
    """The records of one program. points: of the object, as `dprobes trace --compile-only` prints them; the number of a
    probe is that of its point."""

    def __init__(self, path, program_object, points, began_ns=0, sent=0):
        self.file = open(path, "w", encoding="ascii")
        self.counts, self.us, self.number, self.points = [0, 0, 0], 0, sent, points
        self.file.write("dprobes capture 1\n")
        for key, value in (("version", "0"), ("command", "run"), ("table", "records"), ("cpu", "arm"), ("word-bytes", 4),
                           ("endian", "little"), ("hz", HZ), ("ticks", 0), ("began-ns", began_ns), ("boot", 1)):
            self.file.write(checked(f"# {key} {value}"))
        self.event("attach 4 0")
        self.event(f"counts {sent} 0 0 0 0")
        self.object("p", program_object)
        self.event("program 0 1 0 100")
        for number, (name, address) in enumerate(points):
            self.event(f"probe {number} 0 0 {number} 0 {number + 1} {address:x} p")
        self.event("learned")

    def point(self, name):
        """The number of the first point of this name: "queue_put:entry"."""
        return next(number for number, (whole, _) in enumerate(self.points) if whole.endswith(name))

    def _time(self):
        self.us += 1
        return f"{self.us // 1_000_000}.{self.us % 1_000_000:06d}"

    def event(self, text):
        self.counts[2] += 1
        self.file.write(checked(f"! {self._time()} {text}"))

    def object(self, name, data):
        self.file.write(f"%object {name}\n")
        for at in range(0, len(data), BASE64_BYTES):
            self.file.write(base64.b64encode(data[at:at + BASE64_BYTES]).decode() + "\n")
        self.file.write(f"%end ;{zlib.crc32(data, zlib.crc32(name.encode())):08x}\n")

    def line(self, line):
        self.counts[0] += 1
        self.file.write(f"{self._time()} {line.decode()}")

    def console(self, text, seconds=None):
        self.counts[1] += 1
        self.us = self.us if seconds is None else int(seconds * 1e6)
        self.file.write(f"C{self._time()} {text}\\n\n")

    def records(self, records):
        """[(point, ticks, word)], in lines as full as they can be."""
        records = [wire.record(point, ticks, word.to_bytes(4, "little")) for point, ticks, word in records]
        while records:
            line, count = wire.records_line(0, self.number, records[:40])
            self.line(line)
            self.number += count
            records = records[count:]

    def lose(self, count):
        """The next records do not come."""
        self.number += count

    def sync(self, ticks):
        self.line(wire.sync(0, ticks, HZ, 1, sent=self.number))

    def close(self):
        self.event("removed 0 0")
        lines, texts, events = self.counts
        self.file.write(checked(f"! {self._time()} end lines {lines} texts {texts} events {events}"))
        self.file.close()


def compiled(dprobes, folder, text, elf):
    """The object of a D program, and its points: [(name, address)]."""
    (folder / "p.d").write_text(text)
    made = dprobes("build", "p.d", "-o", "p.ppdf", "--elf", elf, cwd=folder)
    assert made.status == 0, made.stderr
    listed = dprobes("trace", "p.d", "--compile-only", "--elf", elf, cwd=folder)
    assert listed.status == 0, listed.stderr
    points = [(name, int(address, 16)) for name, address in re.findall(r"^(\S+) (0x\w+)$", listed.stdout, re.M)]
    return (folder / "p.ppdf").read_bytes(), points


# --- what is exported ---

def _message(lines):
    """A message of protoc's text: {field: [value]}."""
    fields = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            return fields
        if line.endswith(" {"):
            fields.setdefault(line[:-2], []).append(_message(lines))
            continue
        key, value = line.split(": ", 1)
        if value.startswith('"'):
            value = value[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
        elif re.fullmatch(r"-?\d+", value):
            value = int(value)
        fields.setdefault(key, []).append(value)
    return fields


class Trace:
    """A file of --perfetto, read by protoc. tracks: name -> number; kinds: number -> "thread", "counter" or "track"; events:
    [(ns, type, track's name, name of the event or value, {annotation: value})]."""

    def __init__(self, path):
        folder = TOP / "host/export"
        text = subprocess.run([program("protoc"), f"--proto_path={folder}", "--decode=perfetto.Trace", "perfetto.proto"],
                              input=path.read_bytes(), capture_output=True, check=True).stdout.decode()
        self.packets = _message(iter(text.splitlines()))["packet"]
        self.tracks, self.kinds, self.events, self.clocks = {}, {}, [], []
        names, values = {}, {}
        for packet in self.packets:
            for told in packet.get("interned_data", ()):
                names.update((one["iid"][0], one["name"][0]) for one in told.get("event_names", ()))
                values.update((one["iid"][0], one["name"][0]) for one in told.get("debug_annotation_names", ()))
            for track in packet.get("track_descriptor", ()):
                self._track(track)
            for event in packet.get("track_event", ()):
                self._event(packet, event, names, values)
            self.clocks += packet.get("clock_snapshot", ())

    def _track(self, track):
        thread, process = track.get("thread"), track.get("process")
        name = thread[0]["thread_name"][0] if thread else process[0]["process_name"][0] if process else track["name"][0]
        self.tracks[name] = track["uuid"][0]
        self.kinds[name] = "thread" if thread else "counter" if "counter" in track else "track"

    def _event(self, packet, event, names, values):
        kind = event["type"][0].removeprefix("TYPE_")
        track = next(name for name, number in self.tracks.items() if number == event["track_uuid"][0])
        name = event.get("name", [names.get(event.get("name_iid", [None])[0])])[0]
        if kind == "COUNTER":
            name = event.get("counter_value", event.get("double_counter_value"))[0]
        told = {values[one["name_iid"][0]]: next(value[0] for key, value in one.items() if key.endswith("_value"))
                for one in event.get("debug_annotations", ())}
        self.events.append((packet["timestamp"][0], kind, track, name, told))

    def of(self, kind, track=None):
        """[(ns, name or value, annotations)]"""
        return [(ns, name, told) for ns, what, on, name, told in self.events if what == kind and track in (None, on)]

    def slices(self, track):
        """[(begin, end, name)] of complete slices; each end has a begin."""
        found, opened = [], []
        for ns, kind, on, name, _ in self.events:
            if on == track and kind == "SLICE_BEGIN":
                opened.append((ns, name))
            elif on == track and kind == "SLICE_END":
                begin, name = opened.pop()
                assert begin <= ns
                found.append((begin, ns, name))
        return found


def ctf_events(folder):
    """[(seconds since 1970 or the start, name, text of the fields)] as babeltrace2 prints them, and its warnings."""
    run = subprocess.run([program("babeltrace2"), "--clock-seconds", folder], capture_output=True, text=True, check=True)
    rows = [re.fullmatch(r"\[([\d.]+)\] \(\S+\) (?:\w+ )?(.*?): (?:\{ cpu_id = \d+ \}, )?\{ ?(.*?) ?\}", line) for line in run.stdout.splitlines()]
    assert None not in rows, run.stdout[:2000]
    return [(float(row[1]), row[2], row[3]) for row in rows], run.stderr
