# SPDX-License-Identifier: BSD-2-Clause
"""A message grows by one row of messages.def and one source in the agent: agents and hosts with and without the row, each with each."""
import re
import shutil
import subprocess

import pytest

import sources_mk
from harness import agents, process, sim
from harness.paths import TESTS, TOP, program

ROW = 'DP_LATER(hello, answer, colour, u32, 0xabcdef, "a field of this test")\n'
# Where the agent finds the field: in a constant of the build that stands nowhere else in this answer.
SOURCE = "-DDP_hello_answer_colour=DP_BUILD(DP_STEP_BUDGET)"
BUDGET = 4321
pytestmark = pytest.mark.xdist_group("grown hello")  # one process compiles agent and host


@pytest.fixture(scope="session")
def protocol(tmp_path_factory):
    """protocol/ with one row more."""
    folder = tmp_path_factory.mktemp("grown") / "protocol"
    shutil.copytree(TOP / "protocol", folder)
    text = (folder / "messages.def").read_text(encoding="utf-8")
    grown = re.sub(r"^(?=DP_END\(hello, answer\)$)", ROW, text, flags=re.M)
    assert grown.count(ROW) == 1 and grown.replace(ROW, "") == text
    (folder / "messages.def").write_text(grown, encoding="utf-8")
    return folder


def compiled(protocol, name, files, *options):
    """A program of files, those of protocol/ taken from the changed copy."""
    files = [protocol / file.name if file.parent == TOP / "protocol" else file for file in files]
    subprocess.run([program("gcc"), "-O1", *agents.WARNINGS, f"-I{protocol}", *agents.INCLUDES, *options,
                    "-o", protocol.parent / name, *dict.fromkeys(files), "-lserialport"], check=True)
    return protocol.parent / name


@pytest.fixture(scope="session")
def grown_agent(protocol):
    files, _ = agents.agent_files()
    return compiled(protocol, "agent", [*files, *agents.SIM_FILES, TESTS / "lib/target/sim_firmware.c", TESTS / "lib/target/sim_target.c"],
                    SOURCE, f"-DDP_STEP_BUDGET={BUDGET}", "-DDP_PROFILE=1", f"-I{TESTS / 'lib/target'}")


@pytest.fixture(scope="session")
def grown_host(protocol):
    lists = sources_mk.read(str(TOP / "protocol"))
    files = [TOP / "protocol" / file for name in ("PROTOCOL_SOURCES", "READER_SOURCES") for file in sources_mk.words(lists, name)]
    files += [file for layer in ("session", "stream", "wire") for file in sorted((TOP / "host" / layer).glob("*.c"))]
    return compiled(protocol, "host", [TESTS / "wire/print_hello.c", TOP / "host/tables/errors.c", *files],
                    f"-I{TOP / 'host'}", f"-I{TOP / 'host/include'}")


def asked(host, target):
    run = subprocess.run([host, target.url()], capture_output=True, text=True, timeout=process.TIMEOUT_S, check=False)
    assert run.returncode == 0, run.stdout
    return dict(line.split() for line in run.stdout.splitlines())


@pytest.fixture
def target_of(tmp_path, monkeypatch):
    targets = []

    def start(agent=None):
        if agent is not None:
            monkeypatch.setattr(sim, "built", lambda *_: agent)
        targets.append(sim.SimTarget(tmp_path))
        return targets[-1]

    yield start
    for target in targets:
        target.close()


# proves: R5.9
def test_the_field_arrives(grown_agent, grown_host, target_of):
    hello = asked(grown_host, target_of(grown_agent))
    assert hello["colour"] == str(BUDGET) and hello["boot"] == "1" and hello["parts"] != str(0xffffffff)


# proves: R5.9 R5.10
def test_an_older_agent_ends_before_it(grown_host, target_of):
    hello = asked(grown_host, target_of())
    assert hello["colour"] == str(0xabcdef) and hello["boot"] == "1"


# proves: R5.10
def test_an_older_host_skips_it(grown_agent, target_of, dprobes):
    run = dprobes("info", "--port", target_of(grown_agent).url())
    assert run.status == 0 and str(BUDGET) in run.stdout, run
