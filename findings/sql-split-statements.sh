#!/usr/bin/env bash
# A script of PostgreSQL split into its statements: six of seven libraries cut it elsewhere than PostgreSQL.
#
# Software:  sqlparse 0.6.1, sqlglot 30.30.0 and pglast 8.7, the parser of PostgreSQL itself (PyPI), dbgate-query-splitter
#            4.12.0, @databases/split-sql-query 1.0.4 with @databases/sql 3.3.0 and postgres-semicolons 0.1.2 (npm),
#            ariga.io/atlas v0.32.1-0.20250325101103-175b25e1c1b9 (Go, sql/migrate).
# Expected:  PostgreSQL's manual says where a statement ends: no semicolon counts inside of comments, which nest, inside of
#            E'' with its backslashes, inside of the body of a function that begins with BEGIN ATOMIC (new in version 14),
#            or inside of parentheses. So a library that says it splits SQL for PostgreSQL hands out what psql sends.
# Seen:      pglast tells two statements for each script. dbgate and split-sql-query end a statement within the function,
#            the rule and the nested comment, and for E'it\'s' they leave two statements in one. postgres-semicolons and
#            sqlglot cut the function, and the rule, for which sqlglot raises an error. sqlparse ends the nested comment at
#            its first */ and takes # for a comment, so two statements are one. atlas does so with the comment too, and
#            raises an error for E'it\'s'.
# Matters:   migrations, grants and audit functions are sent statement by statement by such libraries. A piece of a
#            function is a syntax error, and where errors are only logged, the rest of its body runs at once, by whoever
#            migrates. A body between two dollar signs is kept whole by all seven.
# Date:      2026-11-30
# Source:    PostgreSQL's manual, chapter SQL Syntax, section Lexical Structure, and the page of CREATE FUNCTION
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check sqlparse==0.6.1 sqlglot==30.30.0 pglast==8.7
npm install --silent --no-audit --no-fund --ignore-scripts \
  dbgate-query-splitter@4.12.0 @databases/split-sql-query@1.0.4 @databases/sql@3.3.0 postgres-semicolons@0.1.2

# Each script has two statements.
cat >scripts.json <<'END'
[
  "CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; SELECT 2 $$ LANGUAGE sql; GRANT viewer TO jane;",
  "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT 2; END; GRANT viewer TO jane;",
  "CREATE RULE r AS ON DELETE TO t DO ALSO (INSERT INTO a VALUES (1); INSERT INTO b VALUES (2)); GRANT viewer TO jane;",
  "/* old: /* REVOKE; */ GRANT; */ GRANT viewer TO jane; GRANT viewer TO bob;",
  "COMMENT ON ROLE viewer IS E'it\\'s'; GRANT viewer TO jane;",
  "UPDATE grants SET flags = flags # 4; GRANT viewer TO jane;"
]
END

cat >split.py <<'END'
import json
import logging

import pglast
import sqlglot
import sqlparse

logging.disable()
with open("scripts.json") as file:
    scripts = json.load(file)
libraries = {
    "pglast": pglast.split,
    "sqlparse": sqlparse.split,
    "sqlglot": lambda script: sqlglot.parse(script, dialect="postgres"),
}
for name, split in libraries.items():
    counts = []
    for script in scripts:
        try:
            counts.append(str(len(split(script))))
        except sqlglot.errors.ParseError:
            counts.append("error")
    print(f"{name}:", *counts)
END

cat >split.mjs <<'END'
import { readFileSync } from "fs";
import sql from "@databases/sql";
import splitSqlQuery from "@databases/split-sql-query";
import dbgate from "dbgate-query-splitter";
import semicolons from "postgres-semicolons";

const scripts = JSON.parse(readFileSync("scripts.json"));
const libraries = {
  dbgate: (script) => dbgate.splitQuery(script, dbgate.postgreSplitterOptions),
  "split-sql-query": (script) => splitSqlQuery.default(sql.default.__dangerous__rawValue(script)),
  "postgres-semicolons": (script) => semicolons.nonEmptyStatements(script, semicolons.parseSplits(script, true).positions),
};
for (const [name, split] of Object.entries(libraries)) {
  console.log(`${name}: ${scripts.map((script) => split(script).length).join(" ")}`);
}
END

cat >go.mod <<'END'
module finding

go 1.26.0

require ariga.io/atlas v0.32.1-0.20250325101103-175b25e1c1b9
END
cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"ariga.io/atlas/sql/migrate"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var scripts []string
	must(0, json.Unmarshal(must(os.ReadFile("scripts.json")), &scripts))
	// What atlas sets for PostgreSQL.
	scanner := migrate.Scanner{ScannerOptions: migrate.ScannerOptions{
		MatchBegin: true, MatchBeginAtomic: true, MatchDollarQuote: true, EscapedStringExt: true,
	}}
	fmt.Print("atlas:")
	for _, script := range scripts {
		if statements, err := scanner.Scan(script); err != nil {
			fmt.Print(" error")
		} else {
			fmt.Print(" ", len(statements))
		}
	}
	fmt.Println()
}
END
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  venv/bin/python split.py
  node split.mjs
  ./finding
)

echo "software: pglast 8.7, sqlparse 0.6.1, sqlglot 30.30.0, dbgate-query-splitter 4.12.0,"
echo "  @databases/split-sql-query 1.0.4, postgres-semicolons 0.1.2, ariga.io/atlas v0.32.1-0.20250325101103-175b25e1c1b9"
echo "scripts:"
sed -n 's/^  /  /p' scripts.json
echo "expected of each: 2 2 2 2 2 2 statements"
echo "seen:"
echo "$seen"

known='pglast: 2 2 2 2 2 2
sqlparse: 2 2 2 3 2 1
sqlglot: 2 4 error 2 2 2
dbgate: 2 4 3 3 1 2
split-sql-query: 2 4 3 3 1 2
postgres-semicolons: 2 4 3 2 2 2
atlas: 2 2 2 3 error 2'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the numbers of statements are not the known ones" >&2
  exit 1
fi
echo "unchanged: six of seven end a statement elsewhere than PostgreSQL"
