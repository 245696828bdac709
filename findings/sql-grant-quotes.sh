#!/usr/bin/env bash
# A GRANT that goes through an SQL library: without its quotes it is for another role, and with new ones for another table.
#
# Software:  node-sql-parser 5.4.0 beside pgsql-parser 18.2.8 (npm), pglast 8.7 and sqlglot 30.30.0 (PyPI). What they write
#            is run on @electric-sql/pglite 0.5.14, which is PostgreSQL 18.6.
# Expected:  a statement that is parsed and written again does the same. In PostgreSQL alice and "Alice" are two roles, and
#            Accounts without quotes is the table accounts.
# Seen:      node-sql-parser writes the role in capitals and without quotes: what was for "Alice" is for alice, and a role
#            with a hyphen is a syntax error. It puts the table in quotes as it was typed: Accounts is then another table
#            than accounts. Its tree is the same for "Alice" and Alice, so a program that reads it cannot tell either. The
#            three others keep both.
# Matters:   migrations are rewritten by such libraries, to add a schema or to check what is granted. Roles made from
#            addresses or groups need quotes; a grant to one of them goes to whoever has the name in lower case, and no
#            error is told. Names in lower case, without hyphens, come through.
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pglast==8.7 sqlglot==30.30.0
npm install --silent --no-audit --no-fund --ignore-scripts \
  node-sql-parser@5.4.0 pgsql-parser@18.2.8 @electric-sql/pglite@0.5.14

statements=(
  'GRANT SELECT ON accounts TO "Alice"'
  'GRANT SELECT ON accounts TO "ops-team"'
  'GRANT SELECT ON Accounts TO bob'
)

cat >write.py <<'EOF'
import sys

import pglast.stream
import sqlglot

for statement in sys.argv[2:]:
    if sys.argv[1] == "pglast":
        print(pglast.stream.RawStream()(statement))
    else:
        print(sqlglot.transpile(statement, read="postgres", write="postgres")[0])
EOF

cat >write.mjs <<'EOF'
import sqlParser from "node-sql-parser";
import { deparse, parse } from "pgsql-parser";

const [name, ...statements] = process.argv.slice(2);
const parser = new sqlParser.Parser();
const postgres = { database: "postgresql" };
for (const statement of statements) {
  if (name === "pgsql-parser") console.log(await deparse(await parse(statement)));
  else console.log(parser.sqlify(parser.astify(statement, postgres), postgres));
}
EOF

# Runs the statements of its input, and tells which role may read which table.
cat >run.mjs <<'EOF'
import { readFileSync } from "fs";
import { PGlite } from "@electric-sql/pglite";

const database = new PGlite();
await database.exec(`CREATE TABLE accounts (id int); CREATE TABLE "Accounts" (id int);
  CREATE ROLE alice; CREATE ROLE "Alice"; CREATE ROLE "ops-team"; CREATE ROLE bob`);
for (const statement of readFileSync(0, "utf8").trim().split("\n")) {
  try {
    await database.exec(statement);
  } catch (error) {
    console.log(`  ${error.message}`);
  }
}
const { rows } = await database.query(`SELECT rolname, relname FROM pg_roles, pg_class
  WHERE rolname IN ('alice', 'Alice', 'ops-team', 'bob') AND relname IN ('accounts', 'Accounts')
    AND has_table_privilege(rolname, pg_class.oid, 'SELECT')
  ORDER BY rolname COLLATE "C"`);
for (const { rolname, relname } of rows) console.log(`  ${rolname} may read ${relname}`);
EOF

seen=$(
  for name in node-sql-parser pgsql-parser pglast sqlglot; do
    if [[ $name == *-parser ]]; then
      node write.mjs "$name" "${statements[@]}" >written.sql
    else
      venv/bin/python write.py "$name" "${statements[@]}" >written.sql
    fi
    echo "$name:"
    sed 's/^/  /' written.sql
    node run.mjs <written.sql
  done
)

echo "software: node-sql-parser 5.4.0, pgsql-parser 18.2.8, pglast 8.7, sqlglot 30.30.0, pglite 0.5.14"
printf '  %s\n' "${statements[@]}"
echo "expected of each: Alice, bob and ops-team may read accounts"
echo "seen:"
echo "$seen"

known='node-sql-parser:
  GRANT SELECT ON "accounts" TO ALICE
  GRANT SELECT ON "accounts" TO OPS-TEAM
  GRANT SELECT ON "Accounts" TO BOB
  syntax error at or near "-"
  alice may read accounts
  bob may read Accounts
pgsql-parser:
  GRANT SELECT ON accounts TO "Alice"
  GRANT SELECT ON accounts TO "ops-team"
  GRANT SELECT ON accounts TO bob
  Alice may read accounts
  bob may read accounts
  ops-team may read accounts
pglast:
  GRANT SELECT ON TABLE accounts TO "Alice"
  GRANT SELECT ON TABLE accounts TO "ops-team"
  GRANT SELECT ON TABLE accounts TO bob
  Alice may read accounts
  bob may read accounts
  ops-team may read accounts
sqlglot:
  GRANT SELECT ON accounts TO "Alice"
  GRANT SELECT ON accounts TO "ops-team"
  GRANT SELECT ON Accounts TO bob
  Alice may read accounts
  bob may read accounts
  ops-team may read accounts'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the grants are not the known ones" >&2
  exit 1
fi
echo "unchanged: node-sql-parser takes the quotes off a role, and puts quotes around a table"
