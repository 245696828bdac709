#!/usr/bin/env bash
# A calendar of who is on call: four of six libraries tell shifts that were taken out, or leave out one that was added.
#
# Software:  recurring-ical-events 3.8.2 with icalendar 7.3.2, icalevents 0.3.1 and ical 14.3.1 (PyPI), node-ical 0.26.1
#            and ical.js 2.2.1 (npm), github.com/apognu/gocal v0.9.1 (Go).
# Expected:  RFC 5545: EXDATE is a list of dates with commas between them, RDATE adds a date to the rule, UNTIL is itself
#            part of the rule, and an event with RECURRENCE-ID takes the place of one date of the event with its UID. All
#            of it is what usual calendars export, so each library tells the same shifts.
# Seen:      recurring-ical-events and ical.js do as expected. Of two dates in one EXDATE gocal takes out none; each on a
#            line of its own, gocal takes out both. RDATE is nothing to icalevents, node-ical and gocal. gocal ends
#            before the date that UNTIL names. ical tells a shift that was moved at its old time and at its new one.
# Matters:   tools give access to whoever is on call, by such a calendar. A shift that was given away still opens doors,
#            or the one who took it stands before a closed one. All six agree until somebody changes a single date, and
#            no error is told then.
# Date:      2026-11-30
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TZ=UTC

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  recurring-ical-events==3.8.2 icalendar==7.3.2 icalevents==0.3.1 ical==14.3.1
npm install --silent --no-audit --no-fund --ignore-scripts node-ical@0.26.1 ical.js@2.2.1

# Lines of a calendar end with a carriage return.
sed 's/$/\r/' >calendar.ics <<'EOF'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//on call//EN
BEGIN:VEVENT
UID:list@example.com
DTSTAMP:20260101T000000Z
DTSTART:20260405T080000Z
DTEND:20260405T160000Z
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE:20260412T080000Z,20260419T080000Z
SUMMARY:list
END:VEVENT
BEGIN:VEVENT
UID:lines@example.com
DTSTAMP:20260101T000000Z
DTSTART:20260405T080000Z
DTEND:20260405T160000Z
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE:20260412T080000Z
EXDATE:20260419T080000Z
SUMMARY:lines
END:VEVENT
BEGIN:VEVENT
UID:added@example.com
DTSTAMP:20260101T000000Z
DTSTART:20260406T080000Z
DTEND:20260406T160000Z
RRULE:FREQ=WEEKLY;COUNT=2
RDATE:20260415T080000Z
SUMMARY:added
END:VEVENT
BEGIN:VEVENT
UID:until@example.com
DTSTAMP:20260101T000000Z
DTSTART:20260407T080000Z
DTEND:20260407T160000Z
RRULE:FREQ=WEEKLY;UNTIL=20260421T080000Z
SUMMARY:until
END:VEVENT
BEGIN:VEVENT
UID:moved@example.com
DTSTAMP:20260101T000000Z
DTSTART:20260401T080000Z
DTEND:20260401T160000Z
RRULE:FREQ=DAILY;COUNT=3
SUMMARY:moved
END:VEVENT
BEGIN:VEVENT
UID:moved@example.com
DTSTAMP:20260101T000000Z
RECURRENCE-ID:20260402T080000Z
DTSTART:20260409T080000Z
DTEND:20260409T160000Z
SUMMARY:moved
END:VEVENT
END:VCALENDAR
EOF

cat >read.py <<'EOF'
from collections import defaultdict
from datetime import datetime, timezone

import icalendar
import recurring_ical_events
from ical.calendar_stream import IcsCalendarStream
from icalevents.icalevents import events

start, end = datetime(2026, 4, 1, tzinfo=timezone.utc), datetime(2026, 5, 1, tzinfo=timezone.utc)
with open("calendar.ics", newline="") as file:
    text = file.read()

rows = {
    "recurring-ical-events": [
        (str(event["SUMMARY"]), event.start)
        for event in recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(start, end)
    ],
    "icalevents": [(event.summary, event.start) for event in events(string_content=text.encode(), start=start, end=end)],
    "ical": [
        (event.summary, event.dtstart)
        for event in IcsCalendarStream.calendar_from_ics(text).timeline.overlapping(start, end)
    ],
}
for library, shifts in rows.items():
    days = defaultdict(list)
    for name, time in shifts:
        days[name].append(time.day)
    for name in ("list", "lines", "added", "until", "moved"):
        print(f"{library}: {name}", *sorted(days[name]))
EOF

cat >read.mjs <<'EOF'
import { readFileSync } from "fs";
import ICAL from "ical.js";
import nodeIcal from "node-ical";

const text = readFileSync("calendar.ics", "utf8");
const rows = { "node-ical": [], "ical.js": [] };
for (const event of Object.values(nodeIcal.sync.parseICS(text))) {
  if (event.type !== "VEVENT") continue;
  const range = { from: new Date("2026-04-01T00:00:00Z"), to: new Date("2026-05-01T00:00:00Z") };
  for (const shift of nodeIcal.expandRecurringEvent(event, range)) {
    rows["node-ical"].push([event.summary, shift.start.getUTCDate()]);
  }
}
for (const component of new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent")) {
  const event = new ICAL.Event(component);
  if (event.isRecurrenceException()) continue;
  const dates = event.iterator();
  for (let date = dates.next(); date; date = dates.next()) {
    rows["ical.js"].push([event.summary, event.getOccurrenceDetails(date).startDate.day]);
  }
}
for (const [library, shifts] of Object.entries(rows)) {
  for (const name of ["list", "lines", "added", "until", "moved"]) {
    const days = shifts.filter((shift) => shift[0] === name).map((shift) => shift[1]);
    console.log(`${library}: ${name} ${days.sort((a, b) => a - b).join(" ")}`);
  }
}
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/apognu/gocal v0.9.1
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/apognu/gocal"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	start, end := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	parser := gocal.NewParser(must(os.Open("calendar.ics")))
	parser.Start, parser.End = &start, &end
	must(0, parser.Parse())
	days := map[string][]int{}
	for _, event := range parser.Events {
		days[event.Summary] = append(days[event.Summary], event.Start.Day())
	}
	for _, name := range []string{"list", "lines", "added", "until", "moved"} {
		slices.Sort(days[name])
		fmt.Print("gocal: ", name)
		for _, day := range days[name] {
			fmt.Print(" ", day)
		}
		fmt.Println()
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  venv/bin/python read.py
  node read.mjs
  ./finding
)

echo "software: recurring-ical-events 3.8.2, icalevents 0.3.1, ical 14.3.1, node-ical 0.26.1, ical.js 2.2.1, gocal v0.9.1"
echo "expected of each, days in April: list 5 26, lines 5 26, added 6 13 15, until 7 14 21, moved 1 3 9"
echo "seen:"
echo "$seen"

known='recurring-ical-events: list 5 26
recurring-ical-events: lines 5 26
recurring-ical-events: added 6 13 15
recurring-ical-events: until 7 14 21
recurring-ical-events: moved 1 3 9
icalevents: list 5 26
icalevents: lines 5 26
icalevents: added 6 13
icalevents: until 7 14 21
icalevents: moved 1 3 9
ical: list 5 26
ical: lines 5 26
ical: added 6 13 15
ical: until 7 14 21
ical: moved 1 2 3 9
node-ical: list 5 26
node-ical: lines 5 26
node-ical: added 6 13
node-ical: until 7 14 21
node-ical: moved 1 3 9
ical.js: list 5 26
ical.js: lines 5 26
ical.js: added 6 13 15
ical.js: until 7 14 21
ical.js: moved 1 3 9
gocal: list 5 12 19 26
gocal: lines 5 26
gocal: added 6 13
gocal: until 7 14
gocal: moved 1 3 9'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the shifts are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of six tell other shifts"
