# SPDX-License-Identifier: BSD-2-Clause
"""A host that dies between STOP and the reading of the maps: the counts stay in the agent, and the next host reads them."""
from harness import process
from harness.noisyline import NoisyLine

STOP = 0x26  # protocol/commands.def


# proves: R5.63
def test_the_next_host_reads_the_maps(ask, dprobes, tmp_path):
    program, source = tmp_path / "counts.ppdf", tmp_path / "counts.d"
    source.write_text('hot:entry { @calls[probefunc] = count(); printf("hit"); }\n', encoding="utf-8")
    built = dprobes("build", source, "--sym", ask.target.map, "--dont-verify-opcodes", "-o", program)
    assert built.status == 0, built.stderr
    line = NoisyLine(tmp_path / "line", ask.target.paths["com2"], 0, {}, {}, last=STOP)
    running = dprobes.start("run", program, "--port", line.url)
    running.out.expect("hit")
    running.process.send_signal(process.signal.SIGINT)
    assert line.behind.wait(process.TIMEOUT_S), "no request behind STOP"
    running.close()  # kill -9
    line.close()
    listed, = ask("list", "--format", "json").objects()
    probe, = listed["probes"]
    assert probe["hits"] > 0 and probe["state"] == "stopped", probe
    for _ in range(2):  # reading leaves them there
        found = ask("aggs", program, "--format", "json")
        assert found.status == 0, found.stderr
        row, = found.objects()
        assert (row["function"], row["keys"], row["value"]) == ("count", ["hot"], probe["hits"]), row
    assert ask("remove", "--all").stdout == "removed: 1 program(s)\n"
    assert ask.target.text_is_original()
