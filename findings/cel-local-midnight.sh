#!/usr/bin/env bash
# Conditions on the day in a time zone: one evaluator takes the first hour of each local day for the day after.
#
# Software:  @bufbuild/cel 0.6.1 beside @marcbachmann/cel-js 8.0.0: both evaluate CEL, the language of IAM conditions.
# Expected:  getDayOfWeek('Europe/Berlin') of one instant is one number everywhere, 0 on Sundays; and the hour 0 that
#            getHours('Europe/Berlin') tells belongs to that day. 'UTC' as zone tells the same as no zone.
# Seen:      from 00:00 to 00:59 in the zone @bufbuild/cel tells the next day: Sunday 00:30 is day 1, a Monday, although
#            its hour is 0. getDate() is one too high then as well. From 01:00 on, and without a zone, all is as expected.
# Matters:   bindings of Google Cloud carry conditions such as "on working days, in Berlin". Who tries a condition offline
#            before a change sees access begin on Sunday at 00:00, end at 01:00, and miss the first hour of Friday.
#
# Needs: bash, Node 20 with npm, GNU date with tzdata. Ends with 0 while the behaviour is the one above, with 1 when it
# changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# @bufbuild/cel computes with the machine's own zone in between: here always the same.
export TZ=UTC

npm install --silent --no-audit --no-fund --ignore-scripts @bufbuild/cel@0.6.1 @marcbachmann/cel-js@8.0.0

cat >evaluate.mjs <<'EOF'
import { run } from "@bufbuild/cel";
import { evaluate } from "@marcbachmann/cel-js";

const [instant] = process.argv.slice(2);
const expressions = [
  "request.time.getHours('Europe/Berlin')",
  "request.time.getDayOfWeek('Europe/Berlin')",
  "request.time.getDate('Europe/Berlin')",
  "request.time.getDayOfWeek('Europe/Berlin') in [1, 2, 3, 4, 5]",
  "request.time.getDayOfWeek('UTC') == request.time.getDayOfWeek()",
];
for (const expression of expressions) {
  const concrete = expression.replaceAll("request.time", `timestamp('${instant}')`);
  console.log(`  ${expression}: ${run(concrete)} | ${evaluate(concrete)}`);
}
EOF

# In Berlin: Sunday 00:30, Sunday 01:30 (in UTC 00:30), Friday 00:30.
seen=$(
  for instant in 2026-11-28T23:30:00Z 2026-11-29T00:30:00Z 2026-11-26T23:30:00Z; do
    TZ=Europe/Berlin LC_ALL=C date -d "$instant" '+%A %H:%M in Berlin, the %d., day %w of the week'
    node evaluate.mjs "$instant"
  done
)

echo "software: @bufbuild/cel 0.6.1 | @marcbachmann/cel-js 8.0.0"
echo "expected: the two agree with each other and with date, and the last line is always true"
echo "seen:"
echo "$seen"

known="Sunday 00:30 in Berlin, the 29., day 0 of the week
  request.time.getHours('Europe/Berlin'): 0 | 0
  request.time.getDayOfWeek('Europe/Berlin'): 1 | 0
  request.time.getDate('Europe/Berlin'): 30 | 29
  request.time.getDayOfWeek('Europe/Berlin') in [1, 2, 3, 4, 5]: true | false
  request.time.getDayOfWeek('UTC') == request.time.getDayOfWeek(): true | true
Sunday 01:30 in Berlin, the 29., day 0 of the week
  request.time.getHours('Europe/Berlin'): 1 | 1
  request.time.getDayOfWeek('Europe/Berlin'): 0 | 0
  request.time.getDate('Europe/Berlin'): 29 | 29
  request.time.getDayOfWeek('Europe/Berlin') in [1, 2, 3, 4, 5]: false | false
  request.time.getDayOfWeek('UTC') == request.time.getDayOfWeek(): false | true
Friday 00:30 in Berlin, the 27., day 5 of the week
  request.time.getHours('Europe/Berlin'): 0 | 0
  request.time.getDayOfWeek('Europe/Berlin'): 6 | 5
  request.time.getDate('Europe/Berlin'): 28 | 27
  request.time.getDayOfWeek('Europe/Berlin') in [1, 2, 3, 4, 5]: false | true
  request.time.getDayOfWeek('UTC') == request.time.getDayOfWeek(): true | true"
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: in the first hour of a day, @bufbuild/cel tells the day after"
