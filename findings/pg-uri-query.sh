#!/usr/bin/env bash
# A PostgreSQL URI with its user in the query: the user ops+ci is "ops ci" for five of seven libraries.
#
# Software:  psycopg 3.3.9 with psycopg-binary (libpq of PostgreSQL), asyncpg 0.32.0, SQLAlchemy 2.1.9 and
#            dj-database-url 3.1.2 (PyPI), github.com/jackc/pgx/v5 v5.12.0 and github.com/lib/pq v1.12.3 (Go),
#            pg-connection-string 2.14.1 (npm, that of node-postgres).
# Expected:  PostgreSQL documents its connection URIs: each part may stand in the query as well, such as user, host and
#            dbname, and percent signs encode letters. So one URI means the same to each library that takes it, and a
#            plus is a plus wherever it stands; or a plus is a blank to all, as in forms of web pages.
# Seen:      libpq and pgx keep the plus in the query. lib/pq, asyncpg, SQLAlchemy, dj-database-url and
#            pg-connection-string take it for a blank: user and password are others. Before the @ it is a plus to all
#            seven. SQLAlchemy and dj-database-url hand their blank to libpq, so even libpq gets two users for one URI.
#            pg-connection-string does not know dbname in the query, and leaves %2F in a path as it is.
# Matters:   one URI in a Secret is often shared by a service in Go, a script in Python and a job in Node. Users made
#            from addresses or workloads have a plus in their name, and passwords made by chance too. One of the three
#            then is refused, or is connected with the database that has the user's name. %2B, and the name of the
#            database in the path, mean the same to all.
# Date:      2026-11-30
# Source:    PostgreSQL's manual, chapter on libpq, section Connection URIs
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# What libpq and others read besides the URI.
unset "${!PG@}"
export PGPASSFILE=/dev/null

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  psycopg==3.3.9 psycopg-binary==3.3.9 asyncpg==0.32.0 sqlalchemy==2.1.9 dj-database-url==3.1.2
npm install --silent --no-audit --no-fund --ignore-scripts pg-connection-string@2.14.1

uris=(
  "postgresql://ops+ci:p+q@db.example.com/app"
  "postgresql://db.example.com/app?user=ops+ci&password=p+q"
  "postgresql://db.example.com/app?user=ops%2Bci&password=p%2Bq"
  "postgresql://ops:p@db.example.com?dbname=app"
  "postgresql://ops:p@db.example.com/a%2Fb"
)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/jackc/pgx/v5 v5.12.0
	github.com/lib/pq v1.12.3
)
EOF
cat >main.go <<'EOF'
package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	for _, uri := range os.Args[1:] {
		read := must(pgconn.ParseConfig(uri))
		fmt.Printf("pgx: user %s, password %s, database %s\n", read.User, read.Password, cmp.Or(read.Database, "none"))
	}
	for _, uri := range os.Args[1:] {
		read := must(pq.NewConfig(uri))
		fmt.Printf("pq: user %s, password %s, database %s\n", read.User, read.Password, cmp.Or(read.Database, "none"))
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

# asyncpg and SQLAlchemy are asked with what they hand to a connection, which is not made.
cat >read.py <<'EOF'
import asyncio
import sys
from unittest import mock

import asyncpg
import dj_database_url
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import create_engine


def by_libpq(uri):
    read = conninfo_to_dict(uri)
    return read["user"], read["password"], read.get("dbname")


def by_asyncpg(uri):
    handed = {}

    async def connect_to(*, params, **_):
        handed["params"] = params
        raise OSError

    with mock.patch("asyncpg.connect_utils._connect_addr", connect_to):
        try:
            asyncio.run(asyncpg.connect(uri))
        except OSError:
            pass
    read = handed["params"]
    return read.user, read.password, read.database


def by_sqlalchemy(uri):
    engine = create_engine(uri.replace("postgresql:", "postgresql+psycopg:"))
    read = engine.dialect.create_connect_args(engine.url)[1]
    return read["user"], read["password"], read.get("dbname")


def by_django(uri):
    read = dj_database_url.parse(uri)
    handed = {"user": read["USER"], "password": read["PASSWORD"], "dbname": read["NAME"], **read.get("OPTIONS", {})}
    return handed["user"], handed["password"], handed["dbname"]


libraries = {
    "libpq": by_libpq,
    "asyncpg": by_asyncpg,
    "sqlalchemy": by_sqlalchemy,
    "dj-database-url": by_django,
}
for name, read in libraries.items():
    for uri in sys.argv[1:]:
        user, password, database = read(uri)
        print(f"{name}: user {user}, password {password}, database {database or 'none'}")
EOF

cat >read.mjs <<'EOF'
import pg from "pg-connection-string";

for (const uri of process.argv.slice(2)) {
  const { user, password, database } = pg.parse(uri);
  console.log(`pg-connection-string: user ${user}, password ${password}, database ${database || "none"}`);
}
EOF

seen=$(
  ./finding "${uris[@]}"
  venv/bin/python read.py "${uris[@]}"
  node read.mjs "${uris[@]}"
)

echo "software: pgx v5.12.0, pq v1.12.3, psycopg 3.3.9, asyncpg 0.32.0, SQLAlchemy 2.1.9, dj-database-url 3.1.2,"
echo "  pg-connection-string 2.14.1"
echo "URIs:"
printf '  %s\n' "${uris[@]}"
echo "expected of each: user ops+ci and password p+q three times, then the databases app and a/b"
echo "seen:"
echo "$seen"

known='pgx: user ops+ci, password p+q, database app
pgx: user ops+ci, password p+q, database app
pgx: user ops+ci, password p+q, database app
pgx: user ops, password p, database app
pgx: user ops, password p, database a/b
pq: user ops+ci, password p+q, database app
pq: user ops ci, password p q, database app
pq: user ops+ci, password p+q, database app
pq: user ops, password p, database app
pq: user ops, password p, database a/b
libpq: user ops+ci, password p+q, database app
libpq: user ops+ci, password p+q, database app
libpq: user ops+ci, password p+q, database app
libpq: user ops, password p, database app
libpq: user ops, password p, database a/b
asyncpg: user ops+ci, password p+q, database app
asyncpg: user ops ci, password p q, database app
asyncpg: user ops+ci, password p+q, database app
asyncpg: user ops, password p, database app
asyncpg: user ops, password p, database a/b
sqlalchemy: user ops+ci, password p+q, database app
sqlalchemy: user ops ci, password p q, database app
sqlalchemy: user ops+ci, password p+q, database app
sqlalchemy: user ops, password p, database app
sqlalchemy: user ops, password p, database a/b
dj-database-url: user ops+ci, password p+q, database app
dj-database-url: user ops ci, password p q, database app
dj-database-url: user ops+ci, password p+q, database app
dj-database-url: user ops, password p, database app
dj-database-url: user ops, password p, database a/b
pg-connection-string: user ops+ci, password p+q, database app
pg-connection-string: user ops ci, password p q, database app
pg-connection-string: user ops+ci, password p+q, database app
pg-connection-string: user ops, password p, database none
pg-connection-string: user ops, password p, database a%2Fb'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the users or databases are not the known ones" >&2
  exit 1
fi
echo "unchanged: five of seven take a plus in the query for a blank"
