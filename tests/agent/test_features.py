# SPDX-License-Identifier: BSD-2-Clause
"""Every feature of protocol/features.def alone and every agent without one: each is compiled, asks for the port's functions
only, and goes through a session that holds it to PROTOCOL.md and RPN.md. A new part needs a row in lib/harness/feature_programs.py
or a step of its own in lib/harness/feature_parts.py. What the configurations minimal and small do: test_minimal.py, test_small.py."""
import struct

import pytest

import agent_features

from harness import agents, feature_parts, feature_steps, tool
from harness.feature_host import BUILD_ID, Host, text_crc, with_identity
from harness.feature_programs import HOT, ONE, TEXT, TEXT_BYTES, point, source
from harness.session import FEATURES, Session, parts_of_features

STEPS = (
    feature_steps.start, feature_steps.two_programs, feature_steps.repeats, feature_steps.uses,
    feature_steps.refusals, feature_parts.chains, feature_parts.items_with_times, feature_parts.select,
    feature_parts.merge, feature_parts.variables, feature_parts.requests, feature_parts.rows, feature_parts.log, feature_parts.owners, feature_parts.second_line,
    feature_parts.console, feature_parts.modules, feature_parts.rules, feature_parts.timers, feature_parts.own_text, feature_parts.storm,
    feature_parts.stray, feature_parts.overwritten, feature_parts.damaged, feature_parts.all_removed,
    feature_parts.typed, feature_parts.restarted, feature_parts.key, feature_parts.locked)


def session_without_build_id(firmware, parts, build):
    """The image is told by its text."""
    h = Host(Session(firmware, parts, "unstamped"), build)
    h.session.hello()
    identity = struct.pack(">II", text_crc(), TEXT_BYTES)
    assert h.session.good("MODULE", b"\0\0").startswith(struct.pack(">BBQQQB", 0, 2, TEXT, TEXT_BYTES, TEXT, 8) + identity)
    data = h.build(source(point(ONE)))
    h.refused("WRONG_IMAGE", None, with_identity(data, 1, BUILD_ID), options=0)
    h.refused("WRONG_IMAGE", None, with_identity(data, 2, bytes(8)), options=0)
    assert h.session.commit(with_identity(data, 2, identity), options=0)[0] == 0
    h.session.close()


# ---- the agents ---------------------------------------------------------------------------------

@pytest.fixture(scope="session")
def objects():
    return agents.Objects()


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """What a program's text is built to; once."""
    folder, made, run = tmp_path_factory.mktemp("programs"), {}, tool.Tool()

    def data_of(text):
        if text not in made:
            source_, object_ = folder / "t.dp", folder / "t.ppdf"
            source_.write_text(text)
            done = run("build", "--cpu", "sim", "--word", "32", "--endian", "little", "--output", object_, source_)
            assert done.status == 0, done.stderr
            data = object_.read_bytes()
            made[text] = data[:int.from_bytes(data[8:12], "big")]
        return made[text]
    return data_of


@pytest.fixture
def own_agent(objects, build, tmp_path):
    """Compiles an agent with these options, and holds a session with it. Returns its features."""
    def check(options):
        features = agent_features.features(agent_features.values_of(options))
        files = agents.files_of(features, FEATURES)
        made = objects([*files, *agents.SIM_FILES], options)
        assert not agents.asked_of_others(made[:len(files)])
        run = agents.linked(tmp_path / "firmware", [*made, *agents.hosted_objects("firmware_session.c", objects, options)])
        assert run.returncode == 0, run.stderr
        parts = parts_of_features(features - {"HALT"})  # agents of profile READ stop nothing
        host = Host(Session(tmp_path / "firmware", parts), build)
        for step in STEPS:
            step(host)
        host.session.close()
        session_without_build_id(tmp_path / "firmware", parts, build)
        return features
    return check


# What a feature brings with it.
BRINGS = {"D": {"COUNTS"}}


def each(*usual):
    """Every feature; those that are not usual at night."""
    assert set(usual) <= set(FEATURES)
    return pytest.mark.parametrize("feature", [feature if feature in usual else pytest.param(feature, marks=pytest.mark.nightly)
                                               for feature in FEATURES])


@each("LANGUAGE", "SHARED_LINE", "STORM", "TIMERS", "COUNTS", "D")
def test_each_feature_alone(feature, own_agent):
    """The small way: all left out but this one."""
    assert own_agent(["-DDP_WITH_ALL=0", f"-DDP_WITH_{feature}=1"]) == {feature, *BRINGS.get(feature, ())}


# proves: R4.17 R5.1 R5.3
@each("STREAM")
def test_each_feature_left_out(feature, own_agent):
    """An agent without just this one."""
    gone = {feature, *(name for name, brings in BRINGS.items() if feature in brings)}
    assert own_agent([f"-DDP_WITH_{feature}=0"]) == set(FEATURES) - gone


def test_no_feature(own_agent):
    assert own_agent(["-DDP_WITH_ALL=0"]) == set()


def test_files_may_be_compiled_without_their_feature(objects):
    """A build that compiles every file of the folder leaves out features by their knobs alone: nothing calls these files."""
    files, needed = agents.agent_files()[0], agents.files_of(set(), FEATURES)
    made = dict(zip(files, objects(files, ["-DDP_WITH_ALL=0"])))
    assert len(needed) < len(files) - 15
    assert not agents.asked_of_others([made[file] for file in needed])


# proves: R5.2
def test_a_phase_that_the_port_lacks(objects, build, tmp_path):
    options = ["-DDP_WITH_ALL=0", "-DDP_PORT_PHASES=3"]
    run = agents.firmware("firmware_session.c", objects, tmp_path, agents.files_of(set(), FEATURES), options)
    assert run.returncode == 0, run.stderr
    host = Host(Session(tmp_path / "firmware", parts_of_features(set())), build)
    assert host.session.hello().phases == 3
    host.refused("BAD_PHASE", None, build(source(point("exit", HOT, "phase = fault\n"))))
    host.remove(host.install(source(point("exit", HOT, "phase = after\n"))))
    host.session.close()


# proves: R9.7
def test_starts_have_numbers_without_integrity(objects, build, tmp_path):
    """Records of several starts lie in the recorder, and the keep area of an agent without INTEGRITY counts no start."""
    options = ["-DDP_WITH_ALL=0", "-DDP_WITH_HISTORY=1", "-DDP_FLIGHT_BYTES=256"]
    run = agents.firmware("firmware_session.c", objects, tmp_path, agents.files_of({"HISTORY"}, FEATURES), options)
    assert run.returncode == 0, run.stderr
    host = Host(Session(tmp_path / "firmware", parts_of_features({"HISTORY"})), build)
    for boot in (1, 2, 3):
        host.session.hello()
        assert host.session.good("FLIGHT", b"\0\xff\xff\xff\xff")[1:7] == struct.pack(">HI", boot, 256)
        host.session.do("b")
        host.session.restarted()
        host.session.poll()
    host.session.close()
