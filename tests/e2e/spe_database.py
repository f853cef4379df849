#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Load exports of SPE records into databases, and ask these what spe report answers.

    spe_database.py sqlite FILE EXPORT.db            SQLite, with an export of FILE
    spe_database.py clickhouse FILE SERVER FOLDER    the server's program, which keeps its data in FOLDER

$PMUSCOPE is the command. Counts, sums and maxima have to be the same, means within rounding, percentiles
as near as reports say they are.
"""
import ctypes
import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

PMUSCOPE = os.environ["PMUSCOPE"]
PERCENTILES = (50, 90, 99)
LINE = 64


def pmuscope(*words):
    return subprocess.run([PMUSCOPE, "spe", *words], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


# Databases ------------------------------------------------------------------------------------------

class SQLite:
    """Its percentile is the first value that so many per cent of the values do not exceed."""
    bit = "({0} & {1})"
    not_bit = "({0} & ~{1})"
    true = "({0})"

    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def rows(self, sql):
        return self.connection.execute(sql).fetchall()

    def percentiles(self, keys, where, column):
        """(key..., percentile...) of the groups."""
        at = ", ".join(f"min(CASE WHEN n * 100 >= {p} * c THEN v END)" for p in PERCENTILES)
        names = ", ".join(f"k{i}" for i in range(len(keys)))
        chosen = ", ".join(f"{key} AS k{i}" for i, key in enumerate(keys))
        rows = self.rows(
            f"SELECT {names}, {at} FROM (SELECT {names}, v, row_number() OVER (PARTITION BY {names} ORDER BY v) AS n,"
            f" count(*) OVER (PARTITION BY {names}) AS c FROM (SELECT {chosen}, {column} AS v FROM spe"
            f" WHERE {column} IS NOT NULL AND {where})) GROUP BY {names}")
        return {exact(row[:len(keys)]): row[len(keys):] for row in rows}


class ClickHouse:
    bit = "bitAnd({0}, {1})"
    not_bit = "bitAnd({0}, bitNot(toUInt64({1})))"
    true = "ifNull({0}, 0)"

    def __init__(self, program, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.configure()
        self.log = open(os.path.join(folder, "log"), "wb")
        # Should this be killed, so is the server.
        self.server = subprocess.Popen([program, "--config-file=" + os.path.join(folder, "config.xml")],
                                       stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=folder,
                                       preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))
        self.wait()

    def configure(self):
        folder = self.folder
        with open(os.path.join(folder, "config.xml"), "w") as file:
            file.write(f"""<yandex>
<logger><level>error</level><console>1</console></logger>
<listen_host>127.0.0.1</listen_host><http_port>{self.port}</http_port>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>
<user_files_path>{folder}/files/</user_files_path><format_schema_path>{folder}/schemas/</format_schema_path>
<mark_cache_size>16777216</mark_cache_size><timezone>UTC</timezone>
<users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
</yandex>""")
        with open(os.path.join(folder, "users.xml"), "w") as file:
            file.write("""<yandex>
<profiles><default><max_memory_usage>3000000000</max_memory_usage><max_threads>2</max_threads></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></default></users>
<quotas><default></default></quotas>
</yandex>""")

    def wait(self):
        for _ in range(300):
            if self.server.poll() is not None:
                break
            try:
                self.send("SELECT 1")
                return
            except OSError:
                time.sleep(0.1)
        self.end()
        with open(os.path.join(self.folder, "log"), errors="replace") as log:
            sys.exit("ClickHouse did not start:\n" + log.read()[-2000:])

    def end(self):
        self.server.terminate()
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
        self.log.close()

    def send(self, sql, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        if body is None:
            connection.request("POST", "/", sql.encode())
        else:
            connection.request("POST", "/?query=" + sql.replace(" ", "+"), body)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status != 200:
            sys.exit(f"{sql[:500]}: {text.decode(errors='replace')[:500]}")
        return text

    def load(self, table, form, file, *options):
        """An export of @file by --to, into a table of that name; as ClickHouse calls the format."""
        to = {"RowBinary": "rowbinary", "CSVWithNames": "csv", "JSONEachRow": "jsonl"}[form]
        ddl = pmuscope("export", "--ddl").decode()
        self.send(ddl.replace("CREATE TABLE spe ", f"CREATE TABLE {table} "))
        path = os.path.join(self.folder, "export")
        pmuscope("export", file, "--to", to, "-o", path, *options)
        with open(path, "rb") as body:
            self.send(f"INSERT INTO {table} FORMAT {form}", body)
        os.unlink(path)

    def rows(self, sql):
        text = self.send(sql + " FORMAT JSONCompact")
        return [tuple(row) for row in json.loads(text)["data"]]

    def percentiles(self, keys, where, column):
        at = ", ".join(f"sorted[intDiv(length(sorted) * {p} + 99, 100)]" for p in PERCENTILES)
        names = ", ".join(f"k{i}" for i in range(len(keys)))
        chosen = ", ".join(f"{key} AS k{i}" for i, key in enumerate(keys))
        rows = self.rows(f"SELECT {names}, {at} FROM (SELECT {chosen}, arraySort(groupArray({column})) AS sorted"
                         f" FROM spe WHERE {column} IS NOT NULL AND {where} GROUP BY {names})")
        return {exact(row[:len(keys)]): tuple(map(int, row[len(keys):])) for row in rows}

    def digest(self, table, where="1"):
        """Each column's values, and in which rows they are."""
        columns = self.rows(f"SELECT name, type FROM system.columns WHERE table = '{table}' AND database = 'default'")
        assert len(columns) > 50
        sums = []
        for name, type_ in columns:
            value = f"ifNull(toString({name}), 'none')" if type_.startswith("Nullable") else f"toString({name})"
            sums.append(f"sum(cityHash64(stream, offset, {value}))")
        return self.rows(f"SELECT count(), {', '.join(sums)} FROM {table} WHERE {where}")


def exact(key):
    """JSON of ClickHouse has numbers of 64 bits as strings, SQLite has none without a sign."""
    key = (int(k) if isinstance(k, str) and k.isdigit() else k for k in key)
    return tuple(k % 2 ** 64 if isinstance(k, int) else k for k in key)


# Reports --------------------------------------------------------------------------------------------

def address(text):
    return None if text is None else int(text, 16)


def keys_of_line(row):
    if row["paddr"] is not None:
        return None, None, address(row["paddr"])
    return row["pid"], address(row["vaddr"]), None


def keys_of_pc(row):
    return row["object"], address(row["pc"])


def keys(db, by):
    """SQL of the keys, which records have them, and the same from a row of the report."""
    line = db.not_bit.format("{}", LINE - 1)
    of_line = [f"CASE WHEN paddr IS NULL THEN {what} END" for what in ("pid", line.format("vaddr"))]
    return {
        "op": (["op", "subclass"], "1", lambda row: (row["op"], row["subclass"])),
        "data-source": (["data_source"], "1", lambda row: (row["data_source"],)),
        "cpu": (["cpu"], "1", lambda row: (row["cpu"],)),
        "thread": (["tid", "pid", "thread_name"], "1", lambda row: (row["tid"], row["pid"], row["thread_name"])),
        "pc": (["object", "coalesce(object_offset, pc)"], "1", keys_of_pc),
        "cacheline": (of_line + [line.format("paddr")], "(vaddr IS NOT NULL OR paddr IS NOT NULL)", keys_of_line),
    }[by]


def ask(db, by):
    """By keys: what the database says of each group, under the report's names."""
    columns, where, _ = keys(db, by)
    one = "sum(CASE WHEN " + db.true + " THEN 1 ELSE 0 END)"
    event = lambda bit: one.format(db.bit.format("events", 1 << bit) + " <> 0")
    waits = "op = 'load' AND total_lat IS NOT NULL AND issue_lat IS NOT NULL"
    measures = {
        "records": "count(*)",
        "loads": one.format("op = 'load'"),
        "stores": one.format("op = 'store'"),
        "branches": one.format("op = 'branch'"),
        "l1d_access": event(2),
        "l1d_miss": event(3),
        "tlb_walk": event(5),
        "waits": one.format(waits),
        "wait": f"sum(CASE WHEN {db.true.format(waits)} THEN total_lat - issue_lat ELSE 0 END)",
        "total_mean": "avg(total_lat)",
        "total_max": "max(total_lat)",
        "issue_mean": "avg(issue_lat)",
        "xlat_mean": "avg(xlat_lat)",
    }
    chosen = ", ".join(f"{key} AS k{i}" for i, key in enumerate(columns))
    names = ", ".join(f"k{i}" for i in range(len(columns)))
    rows = db.rows(f"SELECT {chosen}, {', '.join(measures.values())} FROM spe WHERE {where} GROUP BY {names}")
    percentiles = db.percentiles(columns, where, "total_lat")
    groups = {}
    for row in rows:
        key = exact(row[:len(columns)])
        group = dict(zip(measures, row[len(columns):]))
        values = percentiles.get(key, (None,) * len(PERCENTILES))
        group.update({f"total_p{p}": v for p, v in zip(PERCENTILES, values)})
        groups[key] = group
    return groups


def number(value):
    return float(value) if isinstance(value, str) else value


def same(by, key, name, report, database):
    database = number(database)
    if name in ("wait", "l1d_access", "l1d_miss", "tlb_walk") and report is None:
        return  # not of this row's operations
    if report is None or database is None:
        assert report == database, (by, key, name, report, database)
    elif name in ("total_p50", "total_p90", "total_p99"):
        assert abs(report - database) <= 0.01 * database, (by, key, name, report, database)
    else:
        assert abs(report - database) <= 1e-9 * abs(database), (by, key, name, report, database)


def compare(db, file):
    for by in ("op", "data-source", "cpu", "thread", "pc", "cacheline"):
        report = json.loads(pmuscope("report", file, "--by", by, "--format", "json"))
        groups, key_of = ask(db, by), keys(db, by)[2]
        assert len(report["rows"]) == len(groups) and groups, (by, len(report["rows"]), len(groups))
        for row in report["rows"]:
            key = key_of(row)
            assert key in groups, (by, key, list(groups)[:3])
            group = groups[key]
            assert (row["wait"] is None) == (number(group.pop("waits")) == 0), (by, key)
            for name, value in group.items():
                same(by, key, name, row[name], value)
        print(f"{by}: {len(groups)} rows alike")


def sqlite(file, path):
    compare(SQLite(path), file)


def clickhouse(file, program, folder):
    for name in ("data", "tmp", "files", "schemas"):
        os.mkdir(os.path.join(folder, name))
    db = ClickHouse(program, os.path.abspath(folder))
    try:
        db.load("spe", "RowBinary", file)
        db.load("from_csv", "CSVWithNames", file, "--null", "\\N")
        db.load("from_json", "JSONEachRow", file, "--filter", "cpu==1 && op==branch")
        whole = db.digest("spe")
        assert int(whole[0][0]) == 1000000 and whole == db.digest("from_csv"), whole
        some = db.digest("from_json")
        assert int(some[0][0]) > 50000 and some == db.digest("spe", "cpu = 1 AND op = 'branch'"), some
        compare(db, file)
    finally:
        db.end()


if __name__ == "__main__":
    {"sqlite": sqlite, "clickhouse": clickhouse}[sys.argv[1]](*sys.argv[2:])
