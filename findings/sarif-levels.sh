#!/usr/bin/env bash
# One SARIF file, three readers: the error of a rule is a test that passed, and a waiver that was refused is a waiver.
#
# Software:  sarif-tools 3.0.5 (PyPI), sarif-junit 1.1.4 and @security-alert/sarif-to-markdown 1.11.1 (npm).
# Expected:  SARIF 2.1.0 says what a result is: without a level of its own it has the level of its rule; the kind "pass" is
#            no problem; a suppression that was accepted hides it, and one that was rejected does not. So of four results,
#            in this order, the readers tell: error, none, suppressed, error.
# Seen:      each reader tells something else, and none of them that. sarif-junit makes a passed test of the result that
#            leaves the level to its rule. sarif-to-markdown lists what passed as an error, with the message of another
#            result, and the rejected waiver as suppressed. sarif-tools counts accepted waivers as errors.
# Matters:   checks of access manifests hand their results on as SARIF: to a pull request, a test report, a count that
#            stops the build. A producer that is right by the standard still gets green where a grant is public. What all
#            three read alike: write the level at each result, and leave out what passed or was waived.
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check sarif-tools==3.0.5
npm install --silent --no-audit --no-fund --ignore-scripts sarif-junit@1.1.4 @security-alert/sarif-to-markdown@1.11.1

cat >write.py <<'EOF'
"""Writes a SARIF file with four results of one rule, in lines 1 to 4 of a manifest."""
import json


def result(line, text, **fields):
    region = {"artifactLocation": {"uri": "team.yaml"}, "region": {"startLine": line}}
    return {
        "ruleId": "public",
        "ruleIndex": 0,
        "message": {"text": text},
        "locations": [{"physicalLocation": region}],
        **fields,
    }


def waiver(status):
    return [{"kind": "external", "status": status}]


rule = {"id": "public", "shortDescription": {"text": "Everyone"}, "defaultConfiguration": {"level": "error"}}
results = [
    result(1, "level of the rule"),
    result(2, "kind pass", kind="pass", level="none"),
    result(3, "waiver accepted", level="error", suppressions=waiver("accepted")),
    result(4, "waiver rejected", level="error", suppressions=waiver("rejected")),
]
log = {
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [{"tool": {"driver": {"name": "lint", "rules": [rule]}}, "results": results}],
}
with open("log.sarif", "w") as file:
    json.dump(log, file)
EOF
venv/bin/python write.py

cat >read.py <<'EOF'
"""Prints what the CSV of sarif-tools and the XML of sarif-junit tell of the four results, in the order of the file."""
import csv
import xml.etree.ElementTree as xml

with open("log.csv") as file:
    levels = {int(row["Line"]): row["Severity"] for row in csv.DictReader(file)}
print("sarif-tools:", *(levels[line] for line in (1, 2, 3, 4)))
cases = xml.parse("log.xml").iter("testcase")
print("sarif-junit:", *("passed" if case.find("failure") is None else "failed" for case in cases))
EOF

cat >read.cjs <<'EOF'
const { readFileSync } = require("fs");
const { sarifToMarkdown } = require("@security-alert/sarif-to-markdown");

const options = { title: "lint", owner: "example", repo: "access", branch: "main", sourceRoot: "" };
const [{ body }] = sarifToMarkdown(options)(JSON.parse(readFileSync("log.sarif", "utf8")));
console.log("sarif-to-markdown:");
for (const line of body.slice(0, body.indexOf("## Rules")).split("\n").slice(1)) {
  if (line.trim()) console.log(`  ${line.trim().replaceAll("`", "")}`);
}
EOF

venv/bin/sarif csv log.sarif -o log.csv >/dev/null
npx --no-install sarif-junit -i log.sarif -o log.xml >/dev/null
seen=$(
  venv/bin/python read.py
  node read.cjs
)

echo "software: sarif-tools 3.0.5, sarif-junit 1.1.4, @security-alert/sarif-to-markdown 1.11.1"
echo "expected of each, for lines 1 to 4: error, no problem, suppressed, error"
echo "seen:"
echo "$seen"

known='sarif-tools: error none error error
sarif-junit: passed passed failed failed
sarif-to-markdown:
  ## Results
  - **[ERROR]** **[public]**  level of the rule
  - https://github.com/example/access/blob/main/team.yaml#L1
  - https://github.com/example/access/blob/main/team.yaml#L2
  ## Suppressed results
  - **[ERROR]** **[public]**  level of the rule
  - https://github.com/example/access/blob/main/team.yaml#L3
  - https://github.com/example/access/blob/main/team.yaml#L4'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the readers do not tell the known" >&2
  exit 1
fi
echo "unchanged: three readers tell three things of one file, and none what the standard says"
