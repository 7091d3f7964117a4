# SPDX-License-Identifier: BSD-2-Clause
"""What each cost was when it was last measured: the rows of tests/lib/bench_limits.txt.

A row is a value and a name. `scons bench` fails when a value grows by more than 5 % and by more than 10 (instructions), and
when one that is the same in each run is another one. `scons bench --update` writes the table anew.
"""
import pathlib

TABLE = pathlib.Path(__file__).parents[1] / "bench_limits.txt"
GROWTH, SLACK = 1.05, 10
HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# Costs as last measured: a value and a name. `scons bench --update` writes this file (lib/harness/limits.py).
"""


def read(path=TABLE):
    """{name: value}"""
    rows = [line.split(None, 1) for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {name: float(value) if "." in value else int(value) for value, name in rows}


def _text(value):
    return str(value) if isinstance(value, int) else f"{value:.1f}"


def has_grown(value, before, slack=SLACK):
    """By more than 5 % and by more than slack."""
    return value > before * GROWTH and value > before + slack


class Limits:
    """The table, and what one run has measured."""

    def __init__(self, path=TABLE, update=False):
        self._path, self._update, self.measured = path, update, {}
        self._rows = read(path) if path.exists() else {}

    def check(self, values, slack=SLACK):
        """values: {name: value}. slack: 10 instructions; 0 for what is not counted in instructions. Fails when one has grown
        or has no row. A smaller value is printed: the table should have it."""
        values = {name: value if isinstance(value, int) else round(value, 1) for name, value in values.items()}
        self.measured.update(values)
        if self._update:
            return
        missing = [name for name in values if name not in self._rows]
        assert not missing, f"no row of {self._path.name} for {missing}: scons bench --update"
        for name, value in values.items():
            if has_grown(self._rows[name], value, slack):
                print(f"{name}: {value}, and {self._rows[name]} in the table: scons bench --update")
        grown = {name: f"{value}, it was {self._rows[name]}" for name, value in values.items()
                 if has_grown(value, self._rows[name], slack)}
        assert not grown, grown

    def check_exact(self, values):
        """Of what is the same in each run: the table has what is counted now, so that documents can have it, too."""
        self.measured.update(values)
        other = {name: f"{value}, and {self._rows.get(name)} in the table: scons bench --update" for name, value in values.items()
                 if self._rows.get(name) != value}
        assert self._update or not other, other

    def write(self, whole):
        """Write the table. whole: the run has measured everything, so rows it did not measure go."""
        if not self._update or not self.measured:
            return
        rows = {**({} if whole else self._rows), **self.measured}
        self._path.write_text(HEAD + "".join(f"{_text(value):>7}  {name}\n" for name, value in sorted(rows.items())),
                              encoding="utf-8")
