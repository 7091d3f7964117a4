# SPDX-License-Identifier: BSD-2-Clause
"""A board that asks for a key: the command, the library and the Python module with the right key, another one and none,
and a sentence for each key file that will not do. The agent's side: tests/agent/test_agent_access.c."""
import socket
import sys

import pytest

from harness import process, wire
from harness.paths import TOP, built

sys.path.insert(0, str(TOP / "host" / "python"))
import dprobes as dprobes_module  # noqa: E402

KEY = "000102030405060708090a0b0c0d0e0f"
OTHER = "100102030405060708090a0b0c0d0e0f"
PROGRAM = "name = k\noffset = hot\nopcode = 0x10000140\npush 1\nlog 1\nexit\n"


@pytest.fixture
def board(sim_target):
    return sim_target("--key", KEY)


@pytest.fixture
def key_file(tmp_path):
    def write(text, mode=0o600):
        path = tmp_path / "board.key"
        path.write_text(text)
        path.chmod(mode)
        return path
    return write


def test_command(dprobes, board, key_file, tmp_path):
    """Nothing without the key; everything with it, from the option, the environment and dprobes.conf."""
    (tmp_path / "k.dp").write_text(PROGRAM)
    port = ("--port", board.url())
    insert = ("insert", tmp_path / "k.dp", "--sym", board.map, "--dont-verify-opcodes")
    for command in (("list",), ("remove", "--all"), ("info",), insert):
        run = dprobes(*command, *port)
        assert run.status == 4 and run.stdout == "", run
        assert run.stderr == ("dprobes: error: the board requires a key; name the file of the key with --key, "
                              "or with 'key =' in dprobes.conf\n")
    run = dprobes(*insert, *port, "--key", key_file(OTHER))
    assert run.status == 4 and "the agent refused 'prove': the key is not the board's key" in run.stderr
    assert board.text_is_original()
    key = key_file(KEY + "\n")
    assert dprobes(*insert, *port, "--key", key).status == 0
    assert "k: program 0" in dprobes("list", *port, env={"DPROBES_KEY": str(key)}).stdout
    (tmp_path / "dprobes.conf").write_text(f"[b]\nport = {board.url()}\nkey = {key.name}\n")
    (tmp_path / "below").mkdir()
    assert dprobes("remove", "--all", "--board", "b", cwd=tmp_path / "below").stdout == "removed: 1 program(s)\n"
    assert board.text_is_original()


def test_a_board_without_a_key_takes_everybody(dprobes, sim_target, key_file):
    board = sim_target()
    assert dprobes("list", "--port", board.url(), "--key", key_file(OTHER)).status == 0


@pytest.mark.parametrize("text, mode, said", [
    (KEY, 0o644, "other users may use this key file (mode 0644); allow its owner alone: chmod 600"),
    (KEY, 0o620, "other users may use this key file (mode 0620); allow its owner alone: chmod 600"),
    (KEY[:-1], 0o600, "a key has 32 hex digits; this file has 31 characters"),
    (KEY + "0", 0o600, "a key has 32 hex digits; this file has 33 characters"),
    ("", 0o600, "a key has 32 hex digits; this file has 0 characters"),
    (KEY[:9] + "g" + KEY[10:], 0o600, "a key has 32 hex digits; character 10 is none"),
])
def test_bad_key_files(dprobes, key_file, text, mode, said):
    """Said before the line is opened, and no message shows a part of the key."""
    path = key_file(text, mode)
    run = dprobes("list", "--port", "unix:/no/line", "--key", path)
    assert run.status == 1 and run.stderr == f"{path}: error: {said}\n"


def test_missing_key_file(dprobes):
    run = dprobes("list", "--port", "unix:/no/line", "--key", "/no/key")
    assert run.status == 1 and run.stderr == "/no/key: error: cannot read the key: No such file or directory\n"


def test_python(board, key_file):
    library = built("host", "libdprobes.so.0.1")
    with pytest.raises(dprobes_module.Error, match="the board requires a key"):
        dprobes_module.Session(library, port=board.url())
    with pytest.raises(dprobes_module.Error, match="31 characters"):
        dprobes_module.Session(library, port=board.url(), key=str(key_file(KEY[1:])))
    with dprobes_module.Session(library, port=board.url(), key=str(key_file(KEY)), sym=board.map, any_opcode=True) as session:
        session.insert(PROGRAM)


# proves: R5.78 R5.79 R5.80 R5.81
@pytest.mark.parametrize("sealed", [True, False], ids=["sealed", "a host of before"])
def test_second_implementation(board, sealed):
    """The proof and the seals of PROTOCOL.md 5.2 as Python computes them, in a session by hand."""
    key = bytes.fromhex(KEY)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(board.paths["com2"]))
        line.settimeout(process.TIMEOUT_S)
        data = b""

        def ask(seq, session, payload, nonce=0, by=None):
            nonlocal data
            line.sendall(wire.sealed(by, "Q", seq, payload) if by else wire.control("Q", session, seq, payload, nonce))
            while True:
                while b"\n" not in data:
                    more = line.recv(4096)
                    assert more
                    data += more
                text, data = data.split(b"\n", 1)
                assert not text.startswith(b"~K"), "the check is wrong"
                answer = wire.parse_sealed(text.decode(), by, seq, "Z") if by and text.startswith(b"~Z") \
                    else wire.parse_control(text.decode(), session, nonce)
                if answer and answer[0] == seq:
                    return answer[1]

        hello = ask(1, 0, bytes([1, wire.VERSION]) + (9).to_bytes(4, "big") + bytes([wire.ALL_BUT_WRITE]))
        nonce = int.from_bytes(hello[2 + 36:2 + 44], "big")
        assert hello[1] == 0 and hello[2 + 11] == 0
        proof = wire.proof(key, nonce, 9, wire.ALL_BUT_WRITE, b"\1" if sealed else b"")
        assert ask(7, 9, bytes([6]) + proof + (b"\1" if sealed else b""), nonce) == bytes([6, 0, wire.ALL_BUT_WRITE if sealed else 6])
        by = wire.session_key(key, nonce, 9, wire.ALL_BUT_WRITE) if sealed else None
        assert ask(1, 9, bytes([4]), nonce, by)[1] == 0
        assert ask(2, 9, bytes([0x20, 0xff]), nonce, by)[1] == (0 if sealed else 72)
