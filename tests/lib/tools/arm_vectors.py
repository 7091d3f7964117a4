# SPDX-License-Identifier: BSD-2-Clause
"""Measures tests/port/vectors/arm-ARCH.txt: single steps of plain instructions in QEMU.

    arm_vectors.py BOARD      versatilepb or vexpress-a9

Speaks with QEMU's gdb stub itself: a breakpoint at run_go in the guest, which is about to enter the
instruction, two steps, and a look at registers and data. No code of the port runs in between.
"""
import pathlib
import socket
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "port"), str(TESTS / "lib"), str(TESTS / "lib" / "tools")]
import test_arm_port as port  # noqa: E402

sys.path.insert(0, str(port.GUEST))
import vectors  # noqa: E402

CPSR = 25
DATA_WORDS = 256
MEASURE = 1


class Stub:
    """The remote protocol, as much as is needed here."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(600)
        self._socket.connect(path)
        self._data = b""
        # Without these QEMU numbers the status word otherwise.
        self.ask("qSupported:xmlRegisters=arm")
        self.ask("qXfer:features:read:target.xml:0,ffb")

    def _byte(self):
        if not self._data:
            self._data = self._socket.recv(65536)
        byte, self._data = self._data[:1], self._data[1:]
        return byte

    def ask(self, text):
        """Send a packet; the answer to it."""
        body = text.encode()
        self._socket.sendall(b"$" + body + b"#%02x" % (sum(body) & 255))
        while self._byte() != b"$":
            pass
        answer = b""
        while (byte := self._byte()) != b"#":
            answer += byte
        self._byte()
        self._byte()
        self._socket.sendall(b"+")
        return answer.decode()

    def words(self, address, count):
        data = bytes.fromhex(self.ask(f"m{address:x},{4 * count:x}"))
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]

    def put(self, address, word):
        assert self.ask(f"M{address:x},4:" + word.to_bytes(4, "little").hex()) == "OK"

    def registers(self):
        """r0 .. r15, cpsr"""
        data = bytes.fromhex(self.ask("g")[:128])
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, 64, 4)] + [
            int.from_bytes(bytes.fromhex(self.ask(f"p{CPSR:x}")), "little")]


def symbols(elf):
    text = subprocess.run(["arm-none-eabi-nm", elf], check=True, capture_output=True, text=True).stdout
    return {name: int(value, 16) for value, _, name in map(str.split, text.splitlines())}


def measure(stub, where, wanted):
    """The lines of the file."""
    stub.put(where["vector_mode"], MEASURE)
    assert stub.ask(f"Z0,{where['run_go']:x},4") == "OK"
    for vector in wanted:
        assert stub.ask("c").startswith("T05")
        stub.ask("s")
        data = where["field"] + port.MARGIN_BYTES
        before, at = stub.words(data, DATA_WORDS), stub.registers()
        assert at[16] == vector[1] and at[15] & 3 == vector[3], (vector, at)
        stub.ask("s")
        after = stub.words(data, DATA_WORDS)
        changed = [(i, word) for i, word in enumerate(after) if word != before[i]]
        assert len(changed) <= vectors.CHANGED_MAX
        yield vectors.line(vector, stub.registers(), changed)


def main(board):
    facts = port.TARGETS[board]
    elf = port.build(board)
    version = subprocess.run(["qemu-system-arm", "--version"], check=True, capture_output=True,
                             text=True).stdout.split("\n", maxsplit=1)[0]
    with tempfile.TemporaryDirectory() as folder:
        command = ["qemu-system-arm", "-M", board, "-display", "none", "-monitor", "none", "-serial", "null",
                   "-semihosting", "-audiodev", "none,id=a0", "-S", "-gdb", f"unix:{folder}/gdb,server=on,wait=on",
                   "-kernel", elf]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as qemu:
            try:
                while not pathlib.Path(folder, "gdb").exists():
                    assert qemu.poll() is None
                found = list(measure(Stub(f"{folder}/gdb"), symbols(elf), list(vectors.inputs(facts["architecture"]))))
            finally:
                qemu.kill()
    head = ["# SPDX-License-Identifier: BSD-2-Clause",
            f"# Measured: {version}, {board}, single steps; tests/lib/tools/arm_vectors.py. Format: vectors.py"]
    vectors.path(facts["arch"]).write_text("\n".join(head + found) + "\n", encoding="ascii")
    print(f"{board}: {len(found)} vectors")


if __name__ == "__main__":
    main(sys.argv[1])
