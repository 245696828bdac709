#!/usr/bin/env bash
# Members removed from a policy by jq: of eight engines, one removes another, one leaves some, and two leave null.
#
# Software:  jq 1.13.0, which is jq 1.8.2, jq 1.4.1, which is the jq 1.6 of Debian 12, and purejq 0.3.1 (PyPI), jq-wasm
#            1.0.1, which is jq 1.7.1, @michaelhomer/jqjs 1.6.0 and @jq-tools/jq 0.0.11 (npm),
#            github.com/itchyny/gojq v0.12.20 (Go), jaq-core 3.1.2 with jaq-std 3.0.4 and jaq-json 2.0.3 (crates, the
#            engine of jaq).
# Expected:  jq's manual has del(.[1, 2]), which removes what stands at these places before anything is removed, and says
#            that `|= empty` removes each path. The engines say they run the programs of jq. So a program that removes two
#            members removes the same two in each, or raises an error.
# Seen:      for del(.members[0,2]) jaq removes the first, then counts again: the third stays, and the fourth, another
#            person, goes. With `|= empty`, jq 1.6 leaves the member after each one that it removes, if that one is to go
#            as well. jqjs puts null in the place of a member in both ways, and @jq-tools/jq does so with `|= empty`. jq
#            1.7 and 1.8, purejq and gojq do as the manual says. All eight agree on the subtraction of a list, and on
#            map(select()).
# Matters:   such lines are how scripts take people out of a policy before they set it again. The result is a valid
#            policy, or one with a null that the next service may drop, and somebody has lost access who should not
#            have, or still has it.
# Date:      2026-11-30
# Source:    jq's manual, sections del(path_expression) and Update-assignment
#
# Needs: bash, Go 1.26, Rust 1.80 with cargo, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is
# the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check jq==1.13.0 purejq==0.3.1
python3 -m venv venv-1.6
venv-1.6/bin/pip install -q --disable-pip-version-check jq==1.4.1
npm install --silent --no-audit --no-fund --ignore-scripts jq-wasm@1.0.1 @michaelhomer/jqjs@1.6.0 @jq-tools/jq@0.0.11

cat >policy.json <<'END'
{"members": ["user:amy", "group:ops", "user:bob", "user:cai", "group:dev"]}
END
programs=(
  'del(.members[0,2])'
  'del(.members[] | select(startswith("user:")))'
  '(.members[] | select(startswith("user:"))) |= empty'
  '.members -= ["user:amy", "user:bob"]'
  '.members |= map(select(startswith("group:")))'
)

cat >run.py <<'END'
import json
import sys

import jq

name, programs = sys.argv[1], sys.argv[2:]
with open("policy.json") as file:
    policy = json.load(file)


def tell(name, run):
    print(f"{name}:", ", ".join(" ".join(member or "null" for member in run(program)["members"]) for program in programs))


if name == "jq 1.6":
    tell(name, lambda program: jq.compile(program).input(policy).first())
else:
    import purejq

    tell(name, lambda program: jq.compile(program).input_value(policy).first())
    tell("purejq", lambda program: purejq.compile(program).first(policy))
END

cat >run.mjs <<'END'
import { readFileSync } from "fs";
import { evaluate, parse } from "@jq-tools/jq";
import jqjs from "@michaelhomer/jqjs";
import * as wasm from "jq-wasm";

const text = readFileSync("policy.json", "utf8");
const engines = {
  "jq 1.7": async (program) => JSON.parse(await wasm.raw(text, program)),
  jqjs: async (program) => JSON.parse(JSON.stringify([...jqjs.compile(program)(JSON.parse(text))][0])),
  "jq-tools": async (program) => [...evaluate(parse(program), [JSON.parse(text)])][0],
};
for (const [name, run] of Object.entries(engines)) {
  const answers = [];
  for (const program of process.argv.slice(2)) {
    answers.push((await run(program)).members.map((member) => member ?? "null").join(" "));
  }
  console.log(`${name}: ${answers.join(", ")}`);
}
END

cat >go.mod <<'END'
module finding

go 1.26.0

require github.com/itchyny/gojq v0.12.20
END
cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/itchyny/gojq"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var answers []string
	for _, program := range os.Args[1:] {
		var policy any
		must(0, json.Unmarshal(must(os.ReadFile("policy.json")), &policy))
		output, _ := must(gojq.Parse(program)).Run(policy).Next()
		members := fmt.Sprint(output.(map[string]any)["members"])
		answers = append(answers, strings.Trim(members, "[]"))
	}
	fmt.Println("gojq:", strings.Join(answers, ", "))
}
END
go build -mod=mod -p 1 -o go-finding . 2>build.log || { cat build.log >&2; exit 1; }

mkdir src
cat >Cargo.toml <<'END'
[package]
name = "finding"
version = "0.1.0"
edition = "2021"

[dependencies]
jaq-core = "=3.1.2"
jaq-json = { version = "=2.0.3", default-features = false }
jaq-std = "=3.0.4"

[profile.dev]
debug = false
END
cat >src/main.rs <<'END'
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{data::JustLut, unwrap_valr, Compiler, Ctx, Vars};
use jaq_json::{read, Val};

fn main() {
    let policy = std::fs::read("policy.json").unwrap();
    let mut answers = Vec::new();
    for program in std::env::args().skip(1) {
        let code = format!("{program} | .members | map(. // \"null\") | join(\" \")");
        let arena = Arena::default();
        let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
        let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let modules = Loader::new(defs).load(&arena, File { code: code.as_str(), path: () }).unwrap();
        let filter = Compiler::default().with_funs(funs).compile(modules).unwrap();
        let context = Ctx::<JustLut<Val>>::new(&filter.lut, Vars::new([]));
        let input = read::parse_single(&policy).unwrap();
        let output = filter.id.run((context, input)).map(unwrap_valr).next().unwrap().unwrap();
        answers.push(output.to_string().replace('"', ""));
    }
    println!("jaq: {}", answers.join(", "));
}
END
cargo build -q -j 1 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  venv-1.6/bin/python run.py "jq 1.6" "${programs[@]}"
  venv/bin/python run.py "jq 1.8" "${programs[@]}"
  node run.mjs "${programs[@]}"
  ./go-finding "${programs[@]}"
  target/debug/finding "${programs[@]}"
)

echo "software: jq 1.13.0 (jq 1.8.2), jq 1.4.1 (jq 1.6), purejq 0.3.1, jq-wasm 1.0.1 (jq 1.7.1), @michaelhomer/jqjs 1.6.0,"
echo "  @jq-tools/jq 0.0.11, gojq v0.12.20, jaq-core 3.1.2"
echo "policy: $(<policy.json)"
echo "programs:"
printf '  %s\n' "${programs[@]}"
echo "expected of each: group:ops user:cai group:dev, group:ops group:dev, group:ops group:dev,"
echo "  group:ops user:cai group:dev, group:ops group:dev"
echo "seen:"
echo "$seen"

known='jq 1.6: group:ops user:cai group:dev, group:ops group:dev, group:ops user:bob group:dev, group:ops user:cai group:dev, group:ops group:dev
jq 1.8: group:ops user:cai group:dev, group:ops group:dev, group:ops group:dev, group:ops user:cai group:dev, group:ops group:dev
purejq: group:ops user:cai group:dev, group:ops group:dev, group:ops group:dev, group:ops user:cai group:dev, group:ops group:dev
jq 1.7: group:ops user:cai group:dev, group:ops group:dev, group:ops group:dev, group:ops user:cai group:dev, group:ops group:dev
jqjs: null group:ops null user:cai group:dev, null group:ops null null group:dev, null group:ops null null group:dev, group:ops user:cai group:dev, group:ops group:dev
jq-tools: group:ops user:cai group:dev, group:ops group:dev, null group:ops null null group:dev, group:ops user:cai group:dev, group:ops group:dev
gojq: group:ops user:cai group:dev, group:ops group:dev, group:ops group:dev, group:ops user:cai group:dev, group:ops group:dev
jaq: group:ops user:bob group:dev, group:ops group:dev, group:ops group:dev, group:ops user:cai group:dev, group:ops group:dev'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the members are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of eight engines remove another member, leave one, or leave null"
