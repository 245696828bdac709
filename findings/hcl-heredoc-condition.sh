#!/usr/bin/env bash
# A condition written as a heredoc in Terraform's HCL: python-hcl2 reads another expression than Terraform's own parser.
#
# Software:  python-hcl2 8.1.4, and 7.3.1 of the form before its rewrite; beside them pygohcl 1.2.9 (PyPI) and
#            @cdktf/hcl2json 0.21.0 (npm), both around HashiCorp's parser.
# Expected:  a heredoc is the text of its lines, each with its newline, and a backslash in it is a backslash. So a
#            condition means the same in quotes with escapes and as a heredoc: the two attributes below are equal.
# Seen:      HashiCorp's parser reads two equal strings. python-hcl2 8 gives quotes and heredocs as source text. Asked for
#            plain values, it does unescape the quoted one, and adds escapes to the heredoc: timestamp(\"...\"), and four
#            backslashes for two. python-hcl2 7 makes one backslash of two. Both drop the last newline.
# Matters:   conditions of bindings have quotes and backslashes, so people write them as heredocs. An audit that compares
#            the code with what Google Cloud has tells each such condition as drift, and one that applies what it read
#            sets an expression that is no CEL, or one that matches other names.
#
# Needs: bash, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check python-hcl2==8.1.4 pygohcl==1.2.9
python3 -m venv before
before/bin/pip install -q --disable-pip-version-check python-hcl2==7.3.1
npm install --silent --no-audit --no-fund --ignore-scripts @cdktf/hcl2json@0.21.0

cat >conditions.tf <<'EOF'
locals {
  quoted = "name.matches(\"a\\\\d\")\n"
  heredoc = <<-EOT
    name.matches("a\\d")
  EOT
}
EOF

cat >read.py <<'EOF'
import sys

which = sys.argv[1]
with open("conditions.tf") as file:
    text = file.read()
if which == "pygohcl":
    import pygohcl

    values = pygohcl.loads(text)["locals"]
else:
    import hcl2

    if which == "python-hcl2 7":
        values = hcl2.loads(text)["locals"][0]
    else:
        plain = hcl2.SerializationOptions(strip_string_quotes=True, preserve_heredocs=False)
        values = hcl2.loads(text, serialization_options=plain)["locals"][0]
print(f"{which}:")
for name in ("quoted", "heredoc"):
    print(f"  {name}:", values[name].replace("\n", "(newline)"))
EOF

cat >read.cjs <<'EOF'
const { readFileSync } = require("fs");
const { parse } = require("@cdktf/hcl2json");

parse("conditions.tf", readFileSync("conditions.tf", "utf8")).then(({ locals: [values] }) => {
  console.log("hcl2json:");
  for (const name of ["quoted", "heredoc"]) console.log(`  ${name}: ${values[name].replaceAll("\n", "(newline)")}`);
});
EOF

seen=$(
  venv/bin/python read.py pygohcl
  node read.cjs
  venv/bin/python read.py "python-hcl2 8"
  before/bin/python read.py "python-hcl2 7"
)

echo "software: pygohcl 1.2.9, @cdktf/hcl2json 0.21.0, python-hcl2 8.1.4 and 7.3.1"
cat conditions.tf
printf '%s\n' 'expected of each, for both: name.matches("a\\d")(newline)'
echo "seen:"
echo "$seen"

known='pygohcl:
  quoted: name.matches("a\\d")(newline)
  heredoc: name.matches("a\\d")(newline)
hcl2json:
  quoted: name.matches("a\\d")(newline)
  heredoc: name.matches("a\\d")(newline)
python-hcl2 8:
  quoted: name.matches("a\\d")(newline)
  heredoc: name.matches(\"a\\\\d\")
python-hcl2 7:
  quoted: name.matches("a\\d")(newline)
  heredoc: name.matches("a\d")'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the expressions are not the known ones" >&2
  exit 1
fi
echo "unchanged: python-hcl2 reads a heredoc as another expression than the same one in quotes"
