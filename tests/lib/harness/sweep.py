# SPDX-License-Identifier: BSD-2-Clause
"""Every instruction of a board's demo firmware, probed while the firmware's self-test runs.

Sites are what the disassembler finds in the text that may be probed. They are installed in batches
as large as the agent's table, spread over the text; the self-test and the shell's answers must be
those of the undisturbed run. A batch that goes wrong is halved, on a fresh boot, until one
instruction is left.
"""
import bisect
import collections
import json
import random
import re
import subprocess
import time

from . import process, qemu, tool
from .paths import TOP, built
import cpus
import sources_mk

BATCH = 64  # DP_MAX_PROBES
ROUNDS = 2
FINDINGS_MAX = 12
REFUSED_MAX = 0.005  # of the instructions that were swept
# Instructions, not the machine's load, decide how far the firmware is when the next tick comes.
CLOCK = ("-icount", "shift=2,sleep=on")
# An interrupt with a probe at each of its instructions ends before the next one comes: a CPU of twice the speed.
DENSE_CLOCK = ("-icount", "shift=1,sleep=on")
DATA = re.compile(r"\.(word|short|byte|inst|insn)\b")

Site = collections.namedtuple("Site", "address text name function")
Finding = collections.namedtuple("Finding", "kind site what")


def batches(sites, most=BATCH):
    """All sites, each with its neighbours."""
    return [sites[first:first + most] for first in range(0, len(sites), most)]


class Image:
    """The instructions of a firmware that may be probed, from the symbol first on."""

    def __init__(self, board, elf=None, first="exception_end"):
        self.elf = elf or built("boards", board, "demo.elf")
        cross = sources_mk.read(str(TOP / "boards" / board))["CROSS"]
        self._symbols(cross)
        self.agent_ranges = self._between("start_dprobes_text", "stop_dprobes_text")
        self.refused_ranges = self._between("text_start", first) + self.agent_ranges
        self.sites, self.data_words = self._disassemble(cross)

    def _output(self, *command):
        return subprocess.run([*command, str(self.elf)], capture_output=True, text=True, check=True).stdout

    def _symbols(self, cross):
        found = re.findall(r"^([0-9a-f]+) (\w) (\S+)$", self._output(f"{cross}nm", "-n"), re.M)
        self.symbols = {name: int(value, 16) & 0xffffffff for value, _, name in found}
        functions = sorted((int(value, 16) & 0xfffffffe, name) for value, kind, name in found
                           if kind in "tTwW" and not name.startswith("$"))
        self._function_at = [address for address, _ in functions]
        self._functions = [name for _, name in functions]

    def _between(self, first, last):
        return [(self.symbols[f"__{first}"], self.symbols[f"__{last}"])]

    def function(self, address):
        """The symbol before an address, with the distance."""
        n = bisect.bisect_right(self._function_at, address) - 1
        return f"{self._functions[n]}+{address - self._function_at[n]:#x}" if n >= 0 else "?"

    def _disassemble(self, cross):
        sites, data = [], 0
        # -z: a run of zeros is instructions, on MIPS. Literal pools: the ELF's mapping symbols.
        listing = self._output(f"{cross}objdump", "-d", "-z", "-w", "-j", ".text")
        for address, text in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", listing, re.M):
            address = int(address, 16) & 0xffffffff
            if any(first <= address < last for first, last in self.refused_ranges):
                continue
            if DATA.match(text):
                data += 1
                continue
            sites.append(Site(address, " ".join(text.split()), text.split()[0], self.function(address)))
        return sites, data


class Wrong(Exception):
    """The firmware did not do what it does undisturbed."""


class Hang(Exception):
    """It did not answer."""


def _constant(name):
    text = (TOP / "boards" / "demo" / "selftest.h").read_text(encoding="utf-8")
    return re.search(rf"#define {name} 0x([0-9a-f]{{8}})u", text).group(1).encode()


# Its words; the address is that of an instruction, or none.
FAULT = rb"(?:task (victim: .*) at 0x[0-9a-f]+; the task ends|fault: (.*))\n"

# What is typed, the pattern of the answer, and whether its groups must be the same each time.
WORKLOAD = (
    (f"selftest {ROUNDS}", rb"selftest: crc ([0-9a-f]{8}) rounds \d+ ticks \d+\n", True),
    ("selftest library", rb"selftest: library crc (" + _constant("SELFTEST_LIBRARY_CRC") + rb")\n", True),
    ("peek 0xdead0000", rb"dead0000: (.*)\n", True),
    ("help", rb"((?:\w+ .*\n){12})", True),
    ("ps", rb"id name +pri state +switches +ticks pc +sp +stack\n((?: *\d+ \w+ +\d \w+ .*\n)+)", False),
    ("stats", rb"sensor: made .*\n(?:.*\n)*results \d+ (overruns com1 0)", True),
    *((f"fault {kind}", FAULT, True) for kind in
      ("undef", "read", "write", "null", "jump", "nothing")),
    # QEMU's BookE CPUs leave in ESR what the exception before it said, which may be a probe's trap.
    ("fault align", FAULT.replace(b".*)", b".*?)(?: ESR 0x[0-9a-f]+)?", 1), True),
    ("com2 one two", rb"(com2 one two)\n", True),
    ("nothing", rb"(unknown command 'nothing'; try help)\n", True),
    ("pex\bek", rb"(peek: which address\?)\n", True),
    ("load maybe", rb"(load: on or off, not 'maybe'\nload is on)\n", True),
    ("load off", rb"(load is off)\n", True),
    ("load on", rb"(load is on)\n", True),
)


def workload_of(board):
    """Without what the board's CPU cannot do while it is probed."""
    without = {line for row in cpus.rows() for line in row.sweep_without.get(board, ())}
    return tuple(step for step in WORKLOAD if step[0] not in without)


# Of a kernel with the C library in full: its checksum, which the first run gives. Everything else is the other sweeps'.
LIBRARY_WORKLOAD = (("selftest library", rb"selftest: library crc ([0-9a-f]{8})\n", True),)


def library_forms(board):
    """The forms of the C library that the board has kernels with."""
    return sources_mk.words(sources_mk.read(str(TOP / "boards" / board)), "LIBRARIES")


def library(board, form, scratch):
    """The sweep of such a kernel, which has more probes at once than others."""
    knobs = dict(word.split("=") for word in sources_mk.words(sources_mk.read(str(TOP / "boards" / board)), "LIBRARY_AGENT"))
    image = Image(board, built("boards", board, f"library-{form}", f"library-{form}.elf"))
    return Sweep(board, scratch, image, LIBRARY_WORKLOAD, f"{board} library-{form}", int(knobs["DP_MAX_PROBES"]))


def libm_functions(board, form):
    """Names of the functions of the libm that this form has, those for programs."""
    facts = sources_mk.read(str(TOP / "boards" / board))
    flags = [word for word in sources_mk.words(facts, f"LIBRARY_{form.replace('-', '_')}_LINK") if not word.startswith("-Wl")]
    archive = subprocess.run([f"{facts['CROSS']}gcc", *flags, "-print-file-name=libm.a"], capture_output=True, text=True, check=True).stdout
    names = subprocess.run([f"{facts['CROSS']}nm", "--defined-only", archive.strip()], capture_output=True, text=True, check=True).stdout
    return {name for name in re.findall(r"^\S+ [TW] (\S+)$", names, re.M) if not name.startswith("_")}


class Firmware:
    """A board that runs the workload, and dprobes on its second line."""

    def __init__(self, board, image, scratch, workload=None):
        self.board, self.image, self.scratch, self.workload = board, image, scratch, workload or workload_of(board)
        self.usual = workload is None
        self.clock = CLOCK
        self.tool = tool.Tool()
        self.machine = None
        self.expected = None
        self.boots = 0

    def boot(self):
        """Power on anew. The first time, learn what the workload answers."""
        self.close()
        self.machine = qemu.Machine(self.board, elf=self.image.elf, extra=self.clock)
        self.boots += 1
        self.machine.com1.expect("demo> ")
        if self.usual:
            self._type("load on", rb"load is on\n")
        if self.expected is None:
            self.expected = [self._type(*step[:2]) for step in self.workload]

    def close(self):
        if self.machine:
            self.machine.close()
        self.machine = None

    def _type(self, line, pattern):
        """Type a line; what the pattern's group says."""
        com1 = self.machine.com1
        start = len(com1.data)
        com1.send(line + "\r")
        regex = re.compile(pattern + rb"(?:.*\n)*?.*demo> $")
        deadline = time.monotonic() + process.TIMEOUT_S
        while True:
            data = com1.data
            text = data[start:].replace(b"\r", b"")
            # The agent's notices, and what more urgent tasks say in between.
            text = re.sub(rb"~[A-Z][0-9A-F]+\n|monitor: .*\n", b"", text)
            if b"panic" in text or b"kernel:" in text:
                raise Wrong(f"'{line}': {text.decode(errors='replace')[-600:]}")
            match = regex.search(text)
            if match:
                return match.groups()
            if time.monotonic() > deadline or com1.closed:
                ended = b"demo> " in text
                raise (Wrong if ended else Hang)(f"'{line}': {text.decode(errors='replace')[-600:]}")
            com1.wait_for_more(len(data), deadline - time.monotonic())

    def work(self):
        """The workload; raises Wrong or Hang."""
        for (line, pattern, same), expected in zip(self.workload, self.expected):
            found = self._type(line, pattern)
            if same and found != expected:
                raise Wrong(f"'{line}': {found}, undisturbed {expected}")

    def command(self, *words):
        """dprobes; its result."""
        try:
            return self.tool(*words, "--port", self.machine.url("com2"), env={"DPROBES_ELF": str(self.image.elf)},
                             sanitized=False, timeout_s=process.TIMEOUT_S)
        except AssertionError as error:
            raise Hang(f"dprobes {words[0]}: {error}") from None

    def insert(self, sites, handler):
        """Install one program with all the sites. None, or (site, reason) of one that is refused."""
        return next(iter(self.refusals(sites, handler).items()), None)

    def refusals(self, sites, handler):
        """Install one program with all the sites. {site: reason} of refused ones: nothing is installed then."""
        text = ['name = "sweep"', "modtype = kernel", "major = 1", "gvars = 1"]
        for number, site in enumerate(sites):
            text += [f"address = {site.address:#x}", f"minor = {number}", handler]
        self.scratch.write_text("\n".join(text) + "\n", encoding="ascii")
        result = self.command("insert", self.scratch)
        if result.status == 0:
            return {}
        why = re.findall(r"error: .*probe point \d+ \(minor (\d+), 0x[0-9a-f]+\): (.*?)(?: \(found .*)?\n",
                         result.stderr)
        if result.status == 4 and why:
            return {sites[int(number)]: reason for number, reason in why}
        why = re.search(rf"{re.escape(self.scratch.name)}:(\d+):\d+: error: (.*)\n", result.stderr)
        if result.status == 1 and why:
            return {sites[(int(why.group(1)) - 5) // 3]: why.group(2)}
        raise Hang(f"insert: status {result.status}: {result.stderr}")

    def counters(self):
        """Minor -> (hits, missed)."""
        result = self.command("list", "--format", "json")
        if result.status != 0:
            raise Hang(f"list: status {result.status}: {result.stderr}")
        return {probe["minor"]: (probe["hits"], probe["missed"])
                for program in map(json.loads, result.stdout.splitlines()) if program["kind"] == "program"
                for probe in program["probes"]}

    def remove(self):
        result = self.command("remove", "--all")
        if result.status != 0:
            raise Hang(f"remove: status {result.status}: {result.stderr}")

    def text_differs(self):
        """What info says about the text, or None when it is the ELF's."""
        result = self.command("info", "--verify-text")
        line = re.search(r"^text: .*$", result.stdout, re.M)
        return None if line and "the same as in" in line.group() else result.stdout + result.stderr


class Sweep:
    """One sweep of a board. batches(...) chooses what; run() does it; table() prints it."""

    def __init__(self, board, scratch, image=None, workload=None, title=None, batch=BATCH):
        self.image = image or Image(board)
        self.firmware = Firmware(board, self.image, scratch, workload)
        self.board = title or board
        self.batch = batch
        self.refused = {}   # site -> reason
        self.probed = set()
        self.reached = {}   # site -> hits
        self.missed = 0
        self.findings = []
        self.alone = 0      # batches that went wrong once, and not when they were tried again
        self.seconds = 0

    def spread(self, share=1.0, seed=1):
        """Batches of instructions that are no neighbours; a share of them, chosen by the seed."""
        sites = self.image.sites
        stride = -(-len(sites) // self.batch)
        batches = [sites[first::stride] for first in range(stride)]
        random.Random(seed).shuffle(batches)
        return batches[:max(1, round(share * len(batches)))]

    def dense(self):
        """Batches of neighbours: every delay slot and every IT block with all its probes."""
        self.firmware.clock = DENSE_CLOCK
        return batches(self.image.sites, self.batch)

    def run(self, batches, seconds=None):
        """Probe the batches; with seconds, as many as fit. Returns how many were done."""
        begin, done = time.monotonic(), 0
        try:
            self.firmware.boot()
            for number, batch in enumerate(batches):
                # A null program and one that counts, in turns.
                self._batch(batch, "exit" if number % 2 else "inc gv, 0\nexit", 0)
                done += 1
                if len(self.findings) >= FINDINGS_MAX or (
                        seconds and time.monotonic() - begin > seconds):
                    break
            differs = self.firmware.text_differs()
            if differs:
                self.findings.append(Finding("text", None, differs))
        finally:
            self.firmware.close()
            self.seconds += time.monotonic() - begin
        return done

    def _try(self, batch, handler):
        """Probe what is not refused, and let the firmware work; the sites and their counters. Raises Wrong or Hang."""
        sites = [site for site in batch if site not in self.refused]
        while sites:
            refusal = self.firmware.insert(sites, handler)
            if refusal is None:
                break
            self.refused[refusal[0]] = refusal[1]
            sites.remove(refusal[0])
        if not sites:
            return sites, {}
        self.firmware.work()
        counters = self.firmware.counters()
        self.firmware.remove()
        return sites, counters

    def _batch(self, batch, handler, depth, again=True):
        try:
            sites, counters = self._try(batch, handler)
        except (Wrong, Hang) as error:
            sites = [site for site in batch if site not in self.refused]
            kind = type(error).__name__.lower()
            self.firmware.boot()
            if again and kind == "hang":  # a busy machine answers late
                before = len(self.findings)
                self._batch(batch, handler, depth, again=False)
                self.alone += len(self.findings) == before
                return
            if len(sites) == 1:
                self.findings.append(Finding(kind, sites[0], str(error)))
                self.probed.add(sites[0])
                return
            before = len(self.findings)
            for half in (sites[::2], sites[1::2]):
                self._batch(half, handler, depth + 1)
            if depth == 0 and len(self.findings) == before:
                # Only together: name them all.
                self.findings.append(Finding(kind, sites[0], f"{error}; only with {len(sites)} probes: " +
                                             " ".join(hex(s.address) for s in sites)))
            return
        self.probed.update(sites)
        for number, site in enumerate(sites):
            hits, missed = counters[number]
            self.missed += missed
            if hits:
                self.reached[site] = self.reached.get(site, 0) + hits

    def too_many_refused(self):
        return len(self.refused) > REFUSED_MAX * (len(self.probed) + len(self.refused))

    def unreached(self):
        """Function -> instructions that were probed and never hit."""
        return collections.Counter(site.function.split("+")[0] for site in self.probed
                                   if site not in self.reached)

    def table(self):
        """What was swept, as text."""
        swept = len(self.probed) + len(self.refused)
        lines = [f"{self.board}: {len(self.image.sites)} instructions, {self.image.data_words} words of data "
                 f"left out; swept {swept} ({100 * swept / len(self.image.sites):.1f} %) in {self.seconds:.0f} s",
                 f"  probed {len(self.probed)} ({100 * len(self.probed) / swept:.2f} %), of these hit "
                 f"{len(self.reached)} ({100 * len(self.reached) / max(1, len(self.probed)):.1f} %), "
                 f"{sum(self.reached.values())} times; missed hits {self.missed}",
                 f"  refused {len(self.refused)} ({100 * len(self.refused) / swept:.2f} %)"]
        classes = collections.Counter((reason, site.name) for site, reason in self.refused.items())
        for (reason, name), count in sorted(classes.items(), key=lambda item: (-item[1], item[0])):
            where = [site.function for site, why in self.refused.items() if (why, site.name) == (reason, name)]
            lines.append(f"    {count:4} {name:8} {100 * count / swept:.3f} %  {reason}  ({', '.join(where[:4])}"
                         f"{', ...' if len(where) > 4 else ''})")
        kinds = collections.Counter(finding.kind for finding in self.findings)
        lines.append(f"  wrong {kinds['wrong']}, hang {kinds['hang']}, text {kinds['text']}; "
                     f"boots {self.firmware.boots}; {self.alone} batch(es) in vain, and right when tried again")
        for finding in self.findings:
            site = finding.site
            lines.append(f"  {finding.kind}: " + (f"{site.address:#x} {site.text} ({site.function}): " if site else
                                                  "") + " ".join(finding.what.split())[:700])
        return "\n".join(lines)
