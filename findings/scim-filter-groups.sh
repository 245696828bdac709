#!/usr/bin/env bash
# SCIM filters with `or`, `and` and `not`: two of five libraries group the parts otherwise, and find other accounts.
#
# Software:  scim2-filter-parser 0.7.0 (PyPI, the filters of django-scim2), scimmy 1.3.5 (npm), beside scim2-models
#            0.12.3 (PyPI), scim2-parse-filter 0.2.10 and scim-query-filter-parser 2.0.4 (npm).
# Expected:  RFC 7644, section 3.4.2.2: parentheses come first, then `not`, then `and`, then `or`. So "admin or auditor
#            and lead" asks for all admins, and for auditors who are lead. `not (A or B)` asks for accounts with neither.
# Seen:      scim2-filter-parser joins from left to right: `A or B and C` becomes the SQL `(A OR B) AND C`, and alice, an
#            admin who is no lead, is not found. The same filter with `and` first, or with parentheses, finds alice.
#            scimmy negates each comparison and keeps the word between them: `not (A or B)` finds what `not (A and B)`
#            should find, three accounts in place of one, and the other way round. The three others do as expected, but
#            scim-query-filter-parser refuses `not`.
# Matters:   such filters choose the accounts of a review, of a sync, or those to switch off. One filter sent to two
#            services then chooses two sets, and no error tells so. Parentheses around each `and`, and `not` around
#            single comparisons only, mean the same to all that take them.
# Date:      2026-11-30
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check scim2-filter-parser==0.7.0 scim2-models==0.12.3
npm install --silent --no-audit --no-fund --ignore-scripts \
  scimmy@1.3.5 scim2-parse-filter@0.2.10 scim-query-filter-parser@2.0.4

# Each account has a title, so that no answer depends on what a missing attribute means.
cat >users.json <<'EOF'
[
  {"userName": "alice", "userType": "admin", "title": "member"},
  {"userName": "bob", "userType": "admin", "title": "lead"},
  {"userName": "carol", "userType": "auditor", "title": "member"},
  {"userName": "dan", "userType": "auditor", "title": "lead"}
]
EOF
filters=(
  'userType eq "admin" or userType eq "auditor" and title eq "lead"'
  'userType eq "auditor" and title eq "lead" or userType eq "admin"'
  'userType eq "admin" or (userType eq "auditor" and title eq "lead")'
  'not (userType eq "admin" or title eq "lead")'
  'not (userType eq "admin" and title eq "lead")'
)

cat >find.py <<'EOF'
import json
import sqlite3
import sys

from scim2_filter_parser.queries import SQLQuery
from scim2_models import ScimFilter, User

with open("users.json") as file:
    users = json.load(file)
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE users (userName, userType, title)")
database.executemany("INSERT INTO users VALUES (:userName, :userType, :title)", users)
columns = {(name, None, None): f"users.{name}" for name in users[0]}


def by_sql(text):
    query = SQLQuery(text, "users", columns)
    return [row[0] for row in database.execute(query.sql.replace("%s", "?"), list(query.params_dict.values()))]


def by_models(text):
    wanted = ScimFilter[User](text)
    return [user["userName"] for user in users if wanted.match(User(**user))]


for name, find in {"scim2-filter-parser": by_sql, "scim2-models": by_models}.items():
    print(f"{name}:", ", ".join(" ".join(sorted(find(text))) or "none" for text in sys.argv[1:]))
EOF

cat >find.mjs <<'EOF'
import { readFileSync } from "fs";
import parseFilter from "scim2-parse-filter";
import queryParser from "scim-query-filter-parser";
import scimmy from "scimmy";

const users = JSON.parse(readFileSync("users.json"));
const libraries = {
  scimmy: (text) => new scimmy.Types.Filter(text).match(users),
  "scim2-parse-filter": (text) => users.filter(parseFilter.filter(parseFilter.parse(text))),
  "scim-query-filter-parser": (text) => users.filter(queryParser.compileFilter(text)),
};
for (const [name, find] of Object.entries(libraries)) {
  const answers = process.argv.slice(2).map((text) => {
    try {
      return find(text).map((user) => user.userName).sort().join(" ") || "none";
    } catch {
      return "refused";
    }
  });
  console.log(`${name}: ${answers.join(", ")}`);
}
EOF

seen=$(
  venv/bin/python find.py "${filters[@]}"
  node find.mjs "${filters[@]}"
)

echo "software: scim2-filter-parser 0.7.0, scim2-models 0.12.3, scimmy 1.3.5, scim2-parse-filter 0.2.10,"
echo "  scim-query-filter-parser 2.0.4"
echo "filters:"
printf '  %s\n' "${filters[@]}"
echo "expected of each: alice bob dan, alice bob dan, alice bob dan, carol, alice carol dan"
echo "seen:"
echo "$seen"

known='scim2-filter-parser: bob dan, alice bob dan, alice bob dan, carol, alice carol dan
scim2-models: alice bob dan, alice bob dan, alice bob dan, carol, alice carol dan
scimmy: alice bob dan, alice bob dan, alice bob dan, alice carol dan, carol
scim2-parse-filter: alice bob dan, alice bob dan, alice bob dan, carol, alice carol dan
scim-query-filter-parser: alice bob dan, alice bob dan, alice bob dan, refused, refused'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the accounts are not the known ones" >&2
  exit 1
fi
echo "unchanged: two of five group the parts of a filter in another way"
