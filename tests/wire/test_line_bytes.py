# SPDX-License-Identifier: BSD-2-Clause
"""How many characters of the line an upload takes. At 115200 baud a character takes 87 us."""
import pytest

from harness import noisyline, ppdf, sim

POINTS = 50
# 40 bytes of code. {0}: of each point, or the same for all.
HANDLER = "inc lv, {0}\npush lv, {0}\npush 0x100\nand\njz quiet\npush r, r0\npush r, r1\npush 0x12345678\nxor\n" \
    "push r, r2\npush 2\nadd\nlog 3\nexit\nquiet: abort\n"


@pytest.fixture
def target(tmp_path):
    made = sim.SimTarget(tmp_path)
    yield made
    made.close()


def source(handlers):
    return f'name = "fifty"\nvars = {POINTS}\n' + "".join(
        f"offset = {0x08000200 + 4 * n:#x}\nopcode = {0x10000200 + 4 * n:#x}\nminor = {n}\n" + HANDLER.format(n % handlers)
        for n in range(POINTS))


# The second row is for handlers that differ: each of them travels.
@pytest.mark.parametrize("handlers, most", [(1, 4200), (POINTS, 9300)])
def test_upload_of_50_probes(target, dprobes, tmp_path, handlers, most):
    """HELLO to CLOSE, both ways."""
    (tmp_path / "t.dp").write_text(source(handlers))
    assert dprobes("build", "--cpu", "sim", "t.dp", "-o", "t.ppdf", cwd=tmp_path).status == 0
    made = ppdf.Ppdf((tmp_path / "t.ppdf").read_bytes())
    points = list(made.points)
    assert len(points) == POINTS and len({point.entry for point in points}) == handlers
    assert len(made.code) == 40 * handlers and len(made.sections[ppdf.POINTS_SECTION]) == 24 * POINTS
    assert len(made.sections[ppdf.TRAITS_SECTION]) == 24
    line = noisyline.NoisyLine(tmp_path / "line", target.paths["com2"], 1, {}, {})
    run = dprobes("insert", tmp_path / "t.ppdf", "--port", line.url)
    line.close()
    assert run.status == 0, run.stderr
    print(f"{handlers} handlers: {made.travelling} bytes, {len(line.said)} characters to the agent, {line.passed} to the host")
    assert len(line.said) <= most and line.passed <= most
    listed = dprobes("list", "--port", target.url())
    assert listed.status == 0 and listed.stdout.count("armed, ") == POINTS + 1
