#!/usr/bin/env bash
# Structured data of syslog records: each parser drops a member, and two of four take two elements for one.
#
# Software:  glossy 0.1.7 and nsyslog-parser 0.10.1 (npm), syslog-rfc5424-parser 0.3.2 (PyPI),
#            github.com/leodido/go-syslog/v4 v4.6.0 (Go).
# Expected:  RFC 5424, section 6.3: an element may have no fields, a field may come more than once in an element, and a
#            quote, a backslash or a closing bracket in a value has a backslash in front, which is no part of the value.
#            So the fields and values of a record are the same for each parser.
# Seen:      all four keep only the last of two fields of one name. glossy and nsyslog-parser read the element without
#            fields and the one after it as one, named "auto@32473][grant@32473". syslog-rfc5424-parser and
#            nsyslog-parser keep the backslashes, and where a value has quotes, nsyslog-parser finds no structured data
#            and leaves all of it in the message. glossy and Go take the backslashes off.
# Matters:   who was granted what is often sent to a syslog server in this form. A search for the grants of jane then
#            misses a record that names two members, and a filter by the element's name misses those with a flag in
#            front. What all four read alike: one element with fields, each name once, no quotes within values.
# Date:      2026-11-30
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check syslog-rfc5424-parser==0.3.2 lark-parser==0.6.7
npm install --silent --no-audit --no-fund --ignore-scripts glossy@0.1.7 nsyslog-parser@0.10.1

head='<110>1 2026-11-30T12:00:00Z host app 1 granted'
cat >records.txt <<EOF
$head [grant@32473 member="jane" role="viewer"] done
$head [grant@32473 member="jane" member="ann"] done
$head [auto@32473][grant@32473 member="jane"] done
$head [grant@32473 title="the \\"office\\""] done
$head [grant@32473 member="CORP\\\\jane"] done
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/leodido/go-syslog/v4 v4.6.0
EOF
cat >main.go <<'EOF'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/leodido/go-syslog/v4/rfc5424"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	parser := rfc5424.NewParser()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		record := must(parser.Parse(lines.Bytes())).(*rfc5424.SyslogMessage)
		fmt.Print("go-syslog: ", *record.Message, " ")
		must(0, encoder.Encode(record.StructuredData))
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >parse.py <<'EOF'
import json
import sys

from syslog_rfc5424_parser import SyslogMessage

for line in sys.stdin:
    record = SyslogMessage.parse(line.rstrip("\n"))
    print("syslog-rfc5424-parser:", record.msg, json.dumps(record.sd, separators=(",", ":")))
EOF

cat >parse.mjs <<'EOF'
import { readFileSync } from "fs";
import glossy from "glossy";
import nsyslog from "nsyslog-parser";

const lines = readFileSync(0, "utf8").trimEnd().split("\n");
for (const line of lines) {
  const record = glossy.Parse.parse(line);
  console.log("glossy:", record.message, JSON.stringify(record.structuredData));
}
for (const line of lines) {
  const record = nsyslog(line);
  const elements = record.structuredData.map(({ $id, ...fields }) => [$id, fields]);
  console.log("nsyslog-parser:", record.message, JSON.stringify(Object.fromEntries(elements)));
}
EOF

seen=$(
  ./finding <records.txt
  venv/bin/python parse.py <records.txt
  node parse.mjs <records.txt
)

echo "software: go-syslog v4.6.0, syslog-rfc5424-parser 0.3.2, glossy 0.1.7, nsyslog-parser 0.10.1"
echo "records:"
sed 's/.*granted/  /' records.txt
echo "expected of each: the message done, and the fields of the record, both members, without the backslashes in front"
echo "seen:"
echo "$seen"

known='go-syslog: done {"grant@32473":{"member":"jane","role":"viewer"}}
go-syslog: done {"grant@32473":{"member":"ann"}}
go-syslog: done {"auto@32473":{},"grant@32473":{"member":"jane"}}
go-syslog: done {"grant@32473":{"title":"the \"office\""}}
go-syslog: done {"grant@32473":{"member":"CORP\\jane"}}
syslog-rfc5424-parser: done {"grant@32473":{"member":"jane","role":"viewer"}}
syslog-rfc5424-parser: done {"grant@32473":{"member":"ann"}}
syslog-rfc5424-parser: done {"auto@32473":{},"grant@32473":{"member":"jane"}}
syslog-rfc5424-parser: done {"grant@32473":{"title":"the \\\"office\\\""}}
syslog-rfc5424-parser: done {"grant@32473":{"member":"CORP\\\\jane"}}
glossy: done {"grant@32473":{"member":"jane","role":"viewer"}}
glossy: done {"grant@32473":{"member":"ann"}}
glossy: done {"auto@32473][grant@32473":{"member":"jane"}}
glossy: done {"grant@32473":{"title":"the \"office\""}}
glossy: done {"grant@32473":{"member":"CORP\\jane"}}
nsyslog-parser: done {"grant@32473":{"member":"jane","role":"viewer"}}
nsyslog-parser: done {"grant@32473":{"member":"ann"}}
nsyslog-parser: done {"auto@32473][grant@32473":{"member":"jane"}}
nsyslog-parser: [grant@32473 title="the \"office\""] done {}
nsyslog-parser: done {"grant@32473":{"member":"CORP\\\\jane"}}'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the fields are not the known ones" >&2
  exit 1
fi
echo "unchanged: four parsers lose a member, two a name, and two keep backslashes"
