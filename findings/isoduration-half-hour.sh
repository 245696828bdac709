#!/usr/bin/env bash
# An access period of half an hour, PT0.5H: one library adds a whole hour to a start, and takes nothing off an end.
#
# Software:  isoduration 20.11.0 beside isodate 0.7.2 and aniso8601 10.0.1 (PyPI).
# Expected:  ISO 8601 lets the smallest part have a fraction: PT0.5H is 30 minutes, as PT30M. A library that takes the text
#            adds 30 minutes to a time; one that has no fractions refuses the text.
# Seen:      isoduration reads and writes the fraction as it is, and rounds it away when it computes: 12:00 and PT0.5H is
#            13:00, and with PT8.5H it is 21:00. Subtracting rounds to the other side: 12:00 less PT0.5H is 12:00. A time
#            plus a period less the same period is another time. The two others tell 12:30 and 20:30.
# Matters:   services for access on request take its length in this form, such as PT8.5H for a shift. With this library the
#            access lasts up to half an hour longer than was asked for, or with PT0.25H it ends as it begins. Whole
#            numbers are safe: PT30M, PT8H30M.
#
# Needs: bash, Python 3.11 with venv. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check isoduration==20.11.0 isodate==0.7.2 aniso8601==10.0.1

cat >add.py <<'EOF'
import datetime

import aniso8601
import isodate
import isoduration

start = datetime.datetime(2026, 11, 30, 12)
packages = {
    "isoduration": isoduration.parse_duration,
    "isodate": isodate.parse_duration,
    "aniso8601": aniso8601.parse_duration,
}
for period in ("PT30M", "PT0.5H", "PT0.25H", "PT8.5H"):
    for name, parse in packages.items():
        duration = parse(period)
        print(f"{period} by {name}: until {start + duration:%H:%M}, since {start - duration:%H:%M}")
print("written by isoduration:", isoduration.format_duration(isoduration.parse_duration("PT8.5H")))
EOF
seen=$(venv/bin/python add.py)

echo "software: isoduration 20.11.0, isodate 0.7.2, aniso8601 10.0.1; from and until 12:00"
echo "expected of each: 12:30 and 11:30, twice; 12:15 and 11:45; 20:30 and 03:30"
echo "seen:"
echo "$seen"

known='PT30M by isoduration: until 12:30, since 11:30
PT30M by isodate: until 12:30, since 11:30
PT30M by aniso8601: until 12:30, since 11:30
PT0.5H by isoduration: until 13:00, since 12:00
PT0.5H by isodate: until 12:30, since 11:30
PT0.5H by aniso8601: until 12:30, since 11:30
PT0.25H by isoduration: until 12:00, since 12:00
PT0.25H by isodate: until 12:15, since 11:45
PT0.25H by aniso8601: until 12:15, since 11:45
PT8.5H by isoduration: until 21:00, since 04:00
PT8.5H by isodate: until 20:30, since 03:30
PT8.5H by aniso8601: until 20:30, since 03:30
written by isoduration: PT8.5H'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the times are not the known ones" >&2
  exit 1
fi
echo "unchanged: isoduration keeps the fraction of hours in the text, and rounds it away in the sum"
