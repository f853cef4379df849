# SPDX-License-Identifier: MIT
"""Sessions: SQLite files with more, other or worse tables than ours."""
import os
import sqlite3
import struct
import subprocess

from case import case

REPORT = [["report", "{}"], ["report", "-j", "{}"]]
READERS = [*REPORT, ["check", "{}"], ["report", "{}", "--save", "new.pms", "-o", "out"]]


def session(change=None, source="arm-one.csv", script=None):
    """A function that writes one: of counts of the tests, then changed."""
    def write(path):
        data = os.path.join(os.environ["SOURCE"], "tests/data/perf-stat", source)
        subprocess.run([os.environ["PMUSCOPE"], "report", data, "--mcpu", "neoverse-v1", "--save", path], check=True,
                       capture_output=True, env=dict(os.environ, PMUSCOPE_DATA=os.environ["SOURCE"]))
        base = sqlite3.connect(path)
        if script:
            base.executescript(script)
        if change:
            change(base)
        base.commit()
        base.close()
    return write


def add(n, statement, row):
    return session(lambda base: base.executemany(statement, (row(i) for i in range(1, n + 1))))


def with_script(name, script, **options):
    case(f"session/{name}", READERS, **options)(lambda: {"f": session(script=script)})


# SQL that the file's author wrote is not run. Here it is made to take long after the rows are there.
SLOW = "length(hex(zeroblob(100000000 * 0)))"
FILL = """; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO slow(x) SELECT i FROM n;
    PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '* 0', '+ 0')"""
with_script("generated",
            f"CREATE TABLE slow(x INTEGER, y INTEGER GENERATED ALWAYS AS ({SLOW}) VIRTUAL NOT NULL)" + FILL)
with_script("checks", f"CREATE TABLE slow(x INTEGER CHECK ({SLOW} >= 0))" + FILL)
with_script("indexed-expression", f"CREATE TABLE slow(x INTEGER); CREATE INDEX slow_by ON slow({SLOW})" + FILL)
with_script("partial-index", f"CREATE TABLE slow(x INTEGER); CREATE INDEX slow_by ON slow(x) WHERE {SLOW} >= 0" + FILL)
with_script("view", """
    ALTER TABLE event RENAME TO kept;
    CREATE VIEW event AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS id, 'E' || i AS name, NULL AS code FROM n""")
with_script("view-of-itself", "CREATE VIEW a AS SELECT * FROM b; CREATE VIEW b AS SELECT * FROM a")
with_script("trigger", """
    CREATE TRIGGER t AFTER INSERT ON event BEGIN INSERT INTO event SELECT id + 1, name, code FROM event; END""")
with_script("virtual", "CREATE VIRTUAL TABLE v USING fts5(x); INSERT INTO v VALUES ('a')")
with_script("unlike-columns", "ALTER TABLE event RENAME COLUMN name TO other")
with_script("no-session", "DELETE FROM session")
with_script("two-sessions", "INSERT INTO session SELECT * FROM session")
with_script("blobs", "UPDATE session SET core = zeroblob(1000000), catalog = zeroblob(1000000)")
with_script("specials", "UPDATE count SET count = 9e999; UPDATE interval SET end_s = -9e999" )
with_script("numbers", "UPDATE scope SET number = -9223372036854775808; UPDATE event SET code = -1")
with_script("words", "UPDATE scope SET kind = 'nothing'")
with_script("path", "UPDATE session SET catalog = '../../../../etc'")
with_script("cyclic-passes", "INSERT INTO scope VALUES (0, 1, 'pass', 0, '2'), (0, 2, 'pass', 0, '1'), (0, 3, 'run', 0, '3')")
with_script("escapes", """
    UPDATE session SET core = 'x' || char(27) || ']0;pwn' || char(7) || char(155) || '31m' || char(8238) || char(13);
    UPDATE event SET name = name || char(27) || '[31m'; UPDATE scope SET name = char(27) || '[2J' """)
with_script("escapes-catalog", "UPDATE session SET catalog = 'x' || char(27) || ']0;pwn' || char(7)", status=(2,))
with_script("escapes-table", """CREATE TABLE "x\x1b]0;pwn\x07" (x UNIQUE); INSERT INTO "x\x1b]0;pwn\x07" VALUES (1)""")
for where in ("/dev/zero", "/dev/stdin", "/proc/self/mem", "/", "/nowhere\x1b[31m"):
    with_script(f"specification-{where.strip('/').replace('/', '-')[:12] or 'root'}",
                f"UPDATE session SET specification = '{where}'")


@case("session/specification-is-a-fifo", REPORT, status=(2,))
def specification_is_a_fifo():
    def write(path):
        os.mkfifo(path + "ifo")
        session(script=f"UPDATE session SET specification = '{path}ifo'")(path)
    return {"f": write}


@case("session/is-a-folder", REPORT, status=(2,))
def is_a_folder():
    return {"f": os.mkdir}


@case("session/hot-journal", READERS)
def hot_journal():
    """Rolling back deletes the file that the journal names: it has to stay."""
    def write(path):
        session()(path)
        with open(path, "rb") as file:
            data = file.read()
        page = struct.unpack(">H", data[16:18])[0]
        victim = path + "-victim"
        with open(victim, "wb") as file:
            file.write(b"mine\n")
        magic = bytes.fromhex("d9d505f920a163d7")
        head = (magic + struct.pack(">IIIII", 0, 0x1234, len(data) // page, 512, page)).ljust(512, b"\0")
        name = victim.encode()
        with open(path + "-journal", "wb") as file:
            file.write(head + struct.pack(">I", (1 << 30) // page + 1) + name +
                       struct.pack(">II", len(name), sum(name)) + magic)
    return {"f": write}


@case("session/log-beside", READERS)
def log_beside():
    """A write-ahead log and its index of somebody else."""
    def write(path):
        session(script="PRAGMA journal_mode = WAL; CREATE TABLE x(y)")(path)
        for tail in ("-wal", "-shm"):
            with open(path + tail, "wb") as file:
                file.write(b"\xff" * 65536)
    return {"f": write}


@case("session/many-tables", READERS, (50, 4000))
def many_tables(n):
    return {"f": session(script=";".join(f"CREATE TABLE t{i}(x)" for i in range(n)))}


@case("session/wide-table", READERS, (500, 1900))
def wide_table(n):
    return {"f": session(script=f"CREATE TABLE wide({','.join(f'c{i} DEFAULT {i}' for i in range(min(n, 1900)))})")}


@case("session/long-check", READERS, (100, 4000))
def long_check(n):
    return {"f": session(script=f"CREATE TABLE long(x CHECK ({' AND '.join(['x > 0'] * min(n, 900))}))")}


@case("session/events", READERS, (4000, 16300))
def events(n):
    return {"f": add(n, "INSERT INTO event VALUES (?, ?, NULL)", lambda i: (100 + i, f"E{i}"))}


@case("session/threads", READERS, (1000, 4000))
def threads(n):
    return {"f": add(n, "INSERT INTO scope VALUES (0, ?, 'thread', ?, 'x')", lambda i: (i, i))}


@case("session/events-times-intervals", REPORT, (100, 1000))
def events_times_intervals(n):
    def change(base):
        base.executemany("INSERT INTO event VALUES (?, ?, NULL)", ((100 + i, f"E{i}") for i in range(n * 8)))
        base.executemany("INSERT INTO interval VALUES (?, ?)", ((i, float(i)) for i in range(1, 41)))
        base.executemany("INSERT INTO scope VALUES (?, 0, 'total', 0, '')", ((i,) for i in range(1, 41)))
    return {"f": session(change)}


@case("session/intervals", REPORT, (250, 4000))
def intervals(n):
    def change(base):
        base.executemany("INSERT INTO interval VALUES (?, ?)", ((i, float(i)) for i in range(1, n + 1)))
        base.executemany("INSERT INTO scope VALUES (?, 0, 'total', 0, '')", ((i,) for i in range(1, n + 1)))
    return {"f": session(change)}


@case("session/passes-and-runs", READERS, (500, 4000))
def passes_and_runs(n):
    def change(base):
        base.executemany("INSERT INTO scope VALUES (0, ?, 'thread', ?, 'x')", ((i, i) for i in range(1, n)))
        base.executemany("INSERT INTO scope VALUES (0, ?, 'pass', 0, ?)", ((n + i, str(i)) for i in range(1, n)))
        base.executemany("INSERT INTO scope VALUES (0, ?, 'run', ?, ?)", ((2 * n + i, i, str(n + 1)) for i in range(1, n)))
    return {"f": session(change)}


@case("session/reasons", READERS, (4000, 16000))
def reasons(n):
    def change(base):
        columns = [row[1] for row in base.execute("PRAGMA table_info(count)")]
        row = dict(zip(columns, base.execute("SELECT * FROM count LIMIT 1").fetchone()))
        base.executemany("INSERT INTO event VALUES (?, ?, NULL)", ((100 + i, f"E{i}") for i in range(n)))
        for i in range(n):
            values = dict(row, event=100 + i, state="not counted")
            for name in ("because", "reason"):
                if name in values:
                    values[name] = f"because {i}"
            base.execute(f"INSERT INTO count({','.join(values)}) VALUES ({','.join('?' * len(values))})",
                         list(values.values()))
    return {"f": session(change)}


@case("session/warnings", READERS, (4000, 60000))
def warnings(n):
    def change(base):
        columns = [row[1] for row in base.execute("PRAGMA table_info(warning)")]
        base.executemany(f"INSERT INTO warning({','.join(columns)}) VALUES ({','.join('?' * len(columns))})",
                         ([i if k == 0 else 0 if c != "text" else f"warning {i}" for k, c in enumerate(columns)]
                          for i in range(100, 100 + n)))
    return {"f": session(change)}


@case("session/words", READERS, (10000, 400000))
def command_words(n):
    return {"f": add(n, "INSERT INTO argument VALUES (?, ?)", lambda i: (i + 100, "x"))}


PROFILE = """INSERT INTO profile VALUES ('modelled', 1.0, 8, 0);
    INSERT INTO profile_kind VALUES (0, 'cycles', 'Cycles', 'cycles', 'none', NULL, NULL);
    INSERT INTO profile_kind VALUES (1, 'slots_be_rob', 'Slots', 'slots', 'backend_bound', 'reorder buffer full', NULL);
    INSERT INTO profile_object VALUES (0, 'file', '/bin/true', '');
    INSERT INTO profile_thread VALUES (0, 1, 1, 'main');
    INSERT INTO profile_row VALUES (0, 0, 4096, 0, NULL), (1, NULL, 0, NULL, NULL);
    INSERT INTO profile_value VALUES (0, 0, 7), (0, 1, 8), (1, 0, 9);"""
with_script("profile", PROFILE)
with_script("profile-negative", PROFILE + "UPDATE profile_value SET value = -1; UPDATE profile_row SET address = -1")
with_script("profile-escapes", PROFILE + """
    UPDATE profile_kind SET title = char(27) || ']0;pwn' || char(7), cause = char(8238) || char(27) || '[31m';
    UPDATE profile_object SET path = '/x' || char(27) || '[2J'; UPDATE profile_thread SET name = char(155) || '31m' """)
for where in ("/dev/zero", "/dev/stdin", "/proc/self/mem", "/"):
    with_script(f"profile-object-{where.strip('/').replace('/', '-') or 'root'}",
                PROFILE + f"UPDATE profile_object SET path = '{where}'")


@case("session/profile-rows", READERS, (50000, 800000))
def profile_rows(n):
    def change(base):
        base.executescript(PROFILE + "DELETE FROM profile_row; DELETE FROM profile_value")
        base.executemany("INSERT INTO profile_row VALUES (?, 0, ?, NULL, NULL)", ((i, i) for i in range(n)))
        base.execute("INSERT INTO profile_value SELECT id, 0, 1 FROM profile_row")
    return {"f": session(change)}


@case("session/profile-edges", READERS, (50000, 400000))
def profile_edges(n):
    def change(base):
        base.executescript(PROFILE)
        base.executemany("INSERT INTO profile_edge VALUES (?, 0, ?, 0, 1, 'jump', 1, 0)", ((i, i) for i in range(n)))
    return {"f": session(change)}


@case("session/profile-frames", READERS, (20000, 200000))
def profile_frames(n):
    """A path of calls as deep as the file is long."""
    def change(base):
        base.executescript(PROFILE)
        base.executemany("INSERT INTO profile_frame VALUES (?, ?, 0, 1)", ((i, i - 1 if i else None) for i in range(n)))
        base.execute("UPDATE profile_row SET frame = ? WHERE id = 0", (n - 1,))
    return {"f": session(change)}


@case("session/long-text", READERS, (200000, 1000000))
def long_text(n):
    return {"f": session(lambda base: base.execute("UPDATE session SET core = ?", ("x" * n,)))}


def bent():
    """The file's own structure: pages that lead to themselves, sizes that lie, the end cut off."""
    for at, form, n in ((16, ">H", 1), (16, ">H", 511), (16, ">H", 0), (20, ">B", 255), (28, ">I", 1 << 31), (32, ">I", 2),
                        (36, ">I", 1 << 31), (44, ">I", 9), (48, ">I", 1), (52, ">I", 2), (56, ">I", 3), (60, ">I", 99),
                        (68, ">I", 1), (100, ">B", 5), (103, ">H", 65535), (105, ">H", 65535), (108, ">I", 1)):
        yield f"bent-{at}-{n}", lambda data, at=at, form=form, n=n: struct.pack_into(form, data, at, n)
    for n in (1, 16, 99, 100, 512, 4096, 8192):
        yield f"cut-{n}", lambda data, n=n: data.__delitem__(slice(n, None))
    for page in range(1, 12):
        yield f"ff-{page}", lambda data, page=page: data.__setitem__(slice(page * 4096, page * 4096 + 64), b"\xff" * 64)
        yield f"first-{page}", lambda data, page=page: data.__setitem__(slice(page * 4096, page * 4096 + 4096), data[:4096])


def write_bent(bend):
    def write(path):
        session()(path)
        with open(path, "rb") as file:
            data = bytearray(file.read())
        bend(data)
        with open(path, "wb") as file:
            file.write(data)
    return write


for name, bend in bent():
    case(f"session/{name}", REPORT[:1])(lambda bend=bend: {"f": write_bent(bend)})
