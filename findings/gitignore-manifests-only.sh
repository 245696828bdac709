#!/usr/bin/env bash
# A .gitignore that lets only manifests through: four of seven libraries ignore other files than git does.
#
# Software:  pathspec 1.1.1 in both its forms, gitignore-parser 0.1.13, gitignorefile 1.1.2, igittigitt 2.3.1 and dulwich
#            1.2.21 (PyPI), ignore 7.0.17 and isomorphic-git 1.44.19 (npm), beside the git of this machine.
# Expected:  gitignore(5) says what a pattern means, and the libraries say that they follow it: what is below an ignored
#            folder cannot be let through again, a pattern that ends without a slash matches a folder with all in it, `!`
#            takes back a pattern, and brackets are those of fnmatch(3).
# Seen:      igittigitt, dulwich and ignore do as git does. With "everything, but not *.yaml" isomorphic-git ignores the
#            manifest, and pathspec's PathSpec and gitignorefile keep docs/a.md too. PathSpec has prod/* for the files in
#            prod, not for the folders. pathspec, gitignore-parser and gitignorefile keep a file whose folder is ignored,
#            once `!` names it, also in the form of pathspec that is said to replicate git. For gitignore-parser `prod`
#            covers no file below prod. isomorphic-git takes [!0-9] for a digit, and [[:digit:]] is known to none of
#            these four.
# Matters:   such libraries choose the files that are packed, uploaded, watched or checked. A manifest that git has is
#            then left out without a word, or one that git ignores is applied.
# Date:      2026-11-30
#
# Needs: bash, git, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1 when
# it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pathspec==1.1.1 gitignore-parser==0.1.13 gitignorefile==1.1.2 \
  igittigitt==2.3.1 dulwich==1.2.21
npm install --silent --no-audit --no-fund --ignore-scripts ignore@7.0.17 isomorphic-git@1.44.19

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q tree
mkdir -p tree/prod/eu tree/docs
touch tree/prod/a.yaml tree/prod/eu/b.yaml tree/docs/a.md tree/team-1.yaml tree/team-x.yaml

# The lines of a .gitignore, with blanks between them, and a file.
cat >cases.txt <<'EOF'
prod/ !prod/a.yaml|prod/a.yaml
prod/* !prod/a.yaml|prod/a.yaml
* !*/ !*.yaml|prod/eu/b.yaml
* !*/ !*.yaml|docs/a.md
prod|prod/eu/b.yaml
/prod|prod/eu/b.yaml
prod/*|prod/eu/b.yaml
team-[!0-9].yaml|team-1.yaml
team-[!0-9].yaml|team-x.yaml
team-[[:digit:]].yaml|team-1.yaml
EOF

cat >ask.py <<'EOF'
import os
from pathlib import Path
import warnings

import gitignore_parser
import gitignorefile
import igittigitt
import pathspec
from dulwich.ignore import IgnoreFilter, IgnoreFilterManager

warnings.simplefilter("ignore")
base = Path("tree").resolve()


def by_igittigitt(lines, file):
    parser = igittigitt.IgnoreParser()
    parser.parse_rule_file(base / ".gitignore", base_dir=base)
    return parser.match(base / file)


def by_dulwich(lines, file):
    return IgnoreFilterManager(str(base), [IgnoreFilter([line.encode() for line in lines])], False).is_ignored(file)


libraries = {
    "pathspec, GitIgnoreSpec": lambda lines, file: pathspec.GitIgnoreSpec.from_lines(lines).match_file(file),
    "pathspec, PathSpec": lambda lines, file: pathspec.PathSpec.from_lines("gitignore", lines).match_file(file),
    "gitignore-parser": lambda lines, file: gitignore_parser.parse_gitignore(base / ".gitignore")(base / file),
    "gitignorefile": lambda lines, file: gitignorefile.parse(base / ".gitignore")(str(base / file)),
    "igittigitt": by_igittigitt,
    "dulwich": by_dulwich,
}
for name, ignores in libraries.items():
    print(f"{name}:", end="")
    for case in open("cases.txt"):
        lines, file = case.rstrip("\n").split("|")
        (base / ".gitignore").write_text(lines.replace(" ", "\n") + "\n")
        print(" ignored" if ignores(lines.split(), file) else " kept", end="")
    print()
EOF

cat >ask.mjs <<'EOF'
import fs from "fs";
import ignore from "ignore";
import * as git from "isomorphic-git";

const libraries = {
  ignore: (lines, file) => ignore().add(lines).ignores(file),
  "isomorphic-git": (lines, filepath) => git.isIgnored({ fs, dir: "tree", filepath }),
};
for (const [name, ignores] of Object.entries(libraries)) {
  let line = `${name}:`;
  for (const entry of fs.readFileSync("cases.txt", "utf8").trimEnd().split("\n")) {
    const [lines, file] = entry.split("|");
    fs.writeFileSync("tree/.gitignore", lines.replaceAll(" ", "\n") + "\n");
    line += (await ignores(lines.split(" "), file)) ? " ignored" : " kept";
  }
  console.log(line);
}
EOF

by_git() {
  local lines file
  printf 'git:'
  while IFS='|' read -r lines file; do
    tr ' ' '\n' <<<"$lines" >tree/.gitignore
    if git -C tree check-ignore -q --no-index "$file"; then printf ' ignored'; else printf ' kept'; fi
  done <cases.txt
  echo
}

seen=$(
  by_git
  venv/bin/python ask.py
  node ask.mjs
)

echo "software: pathspec 1.1.1, gitignore-parser 0.1.13, gitignorefile 1.1.2, igittigitt 2.3.1, dulwich 1.2.21,"
echo "  ignore 7.0.17, isomorphic-git 1.44.19, $(git --version)"
echo "patterns and files:"
sed 's/^/  /' cases.txt
echo "expected of each: the answers of git"
echo "seen:"
echo "$seen"

known='git: ignored kept kept ignored ignored ignored ignored kept ignored ignored
pathspec, GitIgnoreSpec: kept kept kept ignored ignored ignored ignored kept ignored kept
pathspec, PathSpec: kept kept kept kept ignored ignored kept kept ignored kept
gitignore-parser: kept kept kept ignored kept kept kept kept ignored kept
gitignorefile: kept kept kept kept ignored ignored ignored kept ignored kept
igittigitt: ignored kept kept ignored ignored ignored ignored kept ignored ignored
dulwich: ignored kept kept ignored ignored ignored ignored kept ignored ignored
ignore: ignored kept kept ignored ignored ignored ignored kept ignored ignored
isomorphic-git: ignored kept ignored ignored ignored ignored ignored ignored kept kept'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of seven libraries ignore other files than git"
