# SPDX-License-Identifier: MIT
"""What a hostile file is, to run.py: how it is made, what reads it, and how large it is made."""

CASES = []

PERF_STAT = [["report", "{}", "--mcpu", "neoverse-v1"]]
CHECK = [["check", "{}", "--mcpu", "neoverse-v1", "-j"]]
SPE_ALL = [["spe", "report", "{}"],
           ["spe", "report", "--by", "cacheline", "-j", "{}"],
           ["spe", "dump", "{}"],
           ["spe", "dump", "--records", "{}"],
           ["spe", "export", "--to", "csv", "{}"]]


class Case:
    """A kind of file. make(size) returns {name: bytes}, or {name: a function of the path}."""

    def __init__(self, name, make, commands, sizes, status, open_because):
        self.name, self.make, self.commands, self.sizes = name, make, commands, sizes
        self.status, self.open_because = status, open_because


def case(name, commands, sizes=None, status=(0, 1, 2), open_because=None):
    """Declare one: @case("name", commands, (size, largest size)).

    {} in a command is the folder's file f, {x} its file x; PMUSCOPE_DATA=... may stand before a command. Without sizes make() takes none. With sizes it is made in the
    first and in four times the first: time may not grow as the square. The largest is for ./dev test-hostile.
    open_because: what is promised is not kept, and why."""
    def declare(make):
        CASES.append(Case(name, make, commands, sizes, status, open_because))
        return make
    return declare
