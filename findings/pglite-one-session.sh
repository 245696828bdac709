#!/usr/bin/env bash
# PGlite as PostgreSQL server: an advisory lock is granted to two clients at once, and outlives its holder.
#
# Software:  @electric-sql/pglite 0.5.14 (PostgreSQL 18.6 in WebAssembly) served by @electric-sql/pglite-socket 0.2.17 with
#            several connections, and the client pg 8.23.1.
# Expected:  each connection is a session. So the second client to ask for an advisory lock does not get it, a setting of
#            one client is not seen by another, and all of a client ends with its connection. The server takes several
#            connections and says that not each use works; transactions of two clients are indeed kept apart.
# Seen:      all clients share one session: one backend id, one set of locks, one set of settings. Two clients hold the
#            same exclusive lock, and it stays held when the first of them has gone. A transaction does keep others out.
# Matters:   programs that change access run as replicas, and elect the one that writes by such a lock. Tried on PGlite,
#            which starts without a server, each replica is the leader: a test of the election proves nothing, or two
#            writers change the same policy. A claim by a row of a table, made in a transaction, is exclusive here too.
#
# Needs: bash, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

npm install --silent --no-audit --no-fund --ignore-scripts \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 pg@8.23.1

cat >clients.mjs <<'EOF'
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import pg from "pg";

const server = new PGLiteSocketServer({
  db: await PGlite.create(),
  path: `${process.cwd()}/.s.PGSQL.5432`,
  maxConnections: 4,
});
await server.start();

async function connect() {
  const client = new pg.Client({ host: process.cwd(), user: "postgres", database: "postgres" });
  await client.connect();
  return async (text) => {
    if (text === "end") return client.end();
    return Object.values((await client.query(text)).rows[0] ?? {})[0];
  };
}

const first = await connect();
const second = await connect();
const backends = [await first("select pg_backend_pid()"), await second("select pg_backend_pid()")];
console.log("both clients have one backend:", backends[0] === backends[1]);
console.log("the first client gets lock 7:", await first("select pg_try_advisory_lock(7)"));
console.log("the second client gets lock 7:", await second("select pg_try_advisory_lock(7)"));
await first("set lock_timeout = '7s'");
console.log("lock_timeout of the second client:", await second("show lock_timeout"));

// Transactions: the second client waits until the first one commits.
const order = [];
await first("begin");
const waiting = second("select 1").then(() => order.push("second"));
await first("select 1").then(() => order.push("first"));
await first("commit");
await waiting;
console.log("order while the first client is in a transaction:", order.join(" "));

await second("end");
await first("end");
const third = await connect();
const held = "select count(*)::int from pg_locks where locktype = 'advisory' and granted";
console.log("locks when both clients have gone:", await third(held));
await third("end");
await server.stop();
EOF
seen=$(node clients.mjs)

echo "software: @electric-sql/pglite 0.5.14, @electric-sql/pglite-socket 0.2.17, pg 8.23.1"
echo "expected: false, true, false, 0, 'first second', 0"
echo "seen:"
echo "$seen"

known='both clients have one backend: true
the first client gets lock 7: true
the second client gets lock 7: true
lock_timeout of the second client: 7s
order while the first client is in a transaction: first second
locks when both clients have gone: 1'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: all clients of the server share the locks of one session"
