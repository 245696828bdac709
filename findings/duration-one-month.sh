#!/usr/bin/env bash
# Access for a month, written "1M": ten libraries for periods and tokens take it for one minute, and few refuse it.
#
# Software:  ms 2.1.3, @lukeed/ms 2.0.2, parse-duration 2.1.9, timestring 7.0.0, and the three for tokens jsonwebtoken
#            9.0.3, fast-jwt 6.3.6 and jose 6.2.18 (npm), pytimeparse 1.1.10, pytimeparse2 1.7.1 and humanfriendly 10.0
#            (PyPI). Beside them @elastic/datemath 5.0.3 with moment 2.30.1 (npm), python-datemath 3.0.3 (PyPI) and
#            github.com/xhit/go-str2duration/v2 v2.1.0 (Go).
# Expected:  where letters stand for units, M is a month and m is a minute, as in the periods of Elasticsearch and Grafana.
#            A library that has no months refuses 1M, as it refuses 1mo.
# Seen:      ten take letters of either case, so 1M is 60 seconds. The seven of them that have no months refuse 1mo, and
#            "1 month", and take 1M all the same; three do have months, and yet 1M is a minute. The date math of
#            Elasticsearch, in Node and in Python, takes 1M for a month. The one of Go refuses it.
# Matters:   the length of access on request, or of a token, is often such a text. One that was written as in a query, and
#            should last a month, is over after a minute, which looks like access that was never there. 30d is 30 days for
#            each of them.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  pytimeparse==1.1.10 pytimeparse2==1.7.1 humanfriendly==10.0 python-datemath==3.0.3 arrow==1.4.0
npm install --silent --no-audit --no-fund --ignore-scripts ms@2.1.3 @lukeed/ms@2.0.2 parse-duration@2.1.9 \
  timestring@7.0.0 jsonwebtoken@9.0.3 fast-jwt@6.3.6 jose@6.2.18 @elastic/datemath@5.0.3 moment@2.30.1

periods=(1M 1mo "1 month" 30d)

# Each tells the period in seconds. November, in which the date math starts, has 30 days.
cat >parse.mjs <<'EOF'
import datemath from "@elastic/datemath";
import * as lukeed from "@lukeed/ms";
import { createSigner } from "fast-jwt";
import { decodeJwt, SignJWT } from "jose";
import jsonwebtoken from "jsonwebtoken";
import moment from "moment";
import ms from "ms";
import parseDuration from "parse-duration";
import timestring from "timestring";

const key = "an example of a key, 32 bytes long or more";
const life = (token) => decodeJwt(token).exp - decodeJwt(token).iat;
const start = moment.utc("2026-11-01");
const libraries = {
  ms: (period) => ms(period) / 1000,
  "@lukeed/ms": (period) => lukeed.parse(period) / 1000,
  "parse-duration": (period) => parseDuration(period, "s"),
  timestring: (period) => timestring(period),
  jsonwebtoken: (period) => life(jsonwebtoken.sign({}, key, { expiresIn: period })),
  "fast-jwt": (period) => life(createSigner({ key, expiresIn: period })({})),
  jose: async (period) => {
    const token = new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuedAt("0s").setExpirationTime(period);
    return life(await token.sign(new TextEncoder().encode(key)));
  },
  "@elastic/datemath": (period) => datemath.parse(`now+${period}`, { forceNow: start.toDate() }).diff(start) / 1000,
};
for (const [name, parse] of Object.entries(libraries)) {
  let line = `${name}:`;
  for (const period of process.argv.slice(2)) {
    let seconds;
    try {
      seconds = await parse(period);
    } catch {}
    line += seconds ? ` ${seconds}` : " refused";
  }
  console.log(line);
}
EOF

cat >parse.py <<'EOF'
import sys

import arrow
import humanfriendly
import pytimeparse
import pytimeparse2
from datemath import dm

start = arrow.get("2026-11-01")
libraries = {
    "pytimeparse": pytimeparse.parse,
    "pytimeparse2": pytimeparse2.parse,
    "humanfriendly": humanfriendly.parse_timespan,
    "python-datemath": lambda period: (dm(f"now+{period}", now=start) - start).total_seconds(),
}
for name, parse in libraries.items():
    print(f"{name}:", end="")
    for period in sys.argv[1:]:
        try:
            seconds = parse(period)
        except Exception:
            seconds = None
        print(f" {seconds:.0f}" if seconds else " refused", end="")
    print()
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/xhit/go-str2duration/v2 v2.1.0
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/xhit/go-str2duration/v2"
)

func main() {
	fmt.Print("go-str2duration:")
	for _, period := range os.Args[1:] {
		if duration, err := str2duration.ParseDuration(period); err != nil {
			fmt.Print(" refused")
		} else {
			fmt.Printf(" %.0f", duration.Seconds())
		}
	}
	fmt.Println()
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  node parse.mjs "${periods[@]}"
  venv/bin/python parse.py "${periods[@]}"
  ./finding "${periods[@]}"
)

echo "software: ms 2.1.3, @lukeed/ms 2.0.2, parse-duration 2.1.9, timestring 7.0.0, jsonwebtoken 9.0.3, fast-jwt 6.3.6,"
echo "  jose 6.2.18, @elastic/datemath 5.0.3, pytimeparse 1.1.10, pytimeparse2 1.7.1, humanfriendly 10.0,"
echo "  python-datemath 3.0.3, go-str2duration v2.1.0"
echo "seconds of:$(printf ' "%s"' "${periods[@]}")"
echo "expected of each for the first: some 2600000, or refused"
echo "seen:"
echo "$seen"

known='ms: 60 refused refused 2592000
@lukeed/ms: 60 refused refused 2592000
parse-duration: 60 2629800 2629800 2592000
timestring: 60 refused 2629800 2592000
jsonwebtoken: 60 refused refused 2592000
fast-jwt: 60 refused refused 2592000
jose: 60 refused refused 2592000
@elastic/datemath: 2592000 refused refused 2592000
pytimeparse: 60 refused refused 2592000
pytimeparse2: 60 2592000 2592000 2592000
humanfriendly: 60 refused refused 2592000
python-datemath: 2592000 refused refused 2592000
go-str2duration: refused refused refused 2592000'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the periods are not the known ones" >&2
  exit 1
fi
echo "unchanged: ten of thirteen take 1M for a minute"
