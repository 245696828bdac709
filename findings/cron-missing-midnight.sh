#!/usr/bin/env bash
# A nightly job where midnight is missing, or there twice, once a year: nine libraries run it once, twice or not at all.
#
# Software:  github.com/robfig/cron/v3 v3.0.1 (that of Kubernetes CronJobs), github.com/hashicorp/cronexpr v1.1.3,
#            github.com/adhocore/gronx v1.20.4 and github.com/netresearch/go-cron v0.9.1 (Go), croner 11.0.1,
#            cron-parser 5.10.6 and cron 4.4.0 (npm), croniter 7.0.0 and cronsim 2.8 (PyPI).
# Expected:  `0 0 * * *` runs once a day. In Europe the change of clocks takes away or repeats an hour such as that of
#            02:30; midnight is out of its reach. And what runs a job whose time is missing at 02:30 does so at 00:00.
# Seen:      in Cairo clocks go forward at midnight, and in Havana back to midnight. All four of Go run no job on that day
#            in Cairo, also go-cron, which does run `30 2 * * *` on the day without 02:30 in Berlin. The five others run
#            it. In Havana robfig, cronexpr, go-cron and croniter run it twice; cron-parser runs it at the second midnight,
#            and the others at the first.
# Matters:   a nightly job that takes ended access away does nothing on that day in Cairo, with any of four schedulers:
#            access ends a day late. Where it runs twice, whatever counts its runs as days is a day off. A job with its
#            zone in UTC runs once a day with all of them.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm, tzdata. Ends with 0 while the behaviour is the one above,
# with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check croniter==7.0.0 cronsim==2.8
npm install --silent --no-audit --no-fund --ignore-scripts croner@11.0.1 cron-parser@5.10.6 cron@4.4.0 luxon@3.7.2

# Zone, start and end of the local day, expression. In 2026 Cairo's 24 April begins at 01:00, and Havana's 1 November has
# the hour from 00:00 twice. Berlin's 29 March has no 02:30.
days=(
  Africa/Cairo 2026-04-23T22:00:00Z 2026-04-24T21:00:00Z '0 0 * * *'
  America/Havana 2026-11-01T04:00:00Z 2026-11-02T05:00:00Z '0 0 * * *'
  Europe/Berlin 2026-03-28T23:00:00Z 2026-03-29T22:00:00Z '30 2 * * *'
)

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/adhocore/gronx v1.20.4
	github.com/hashicorp/cronexpr v1.1.3
	github.com/netresearch/go-cron v0.9.1
	github.com/robfig/cron/v3 v3.0.1
)
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/adhocore/gronx"
	"github.com/hashicorp/cronexpr"
	netresearch "github.com/netresearch/go-cron"
	robfig "github.com/robfig/cron/v3"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	names := []string{"robfig/cron", "hashicorp/cronexpr", "adhocore/gronx", "netresearch/go-cron"}
	for index, name := range names {
		fmt.Print(name, ":")
		for day := os.Args[1:]; len(day) > 0; day = day[4:] {
			zone := must(time.LoadLocation(day[0]))
			start, end := must(time.Parse(time.RFC3339, day[1])), must(time.Parse(time.RFC3339, day[2]))
			next := []func(time.Time) time.Time{
				must(robfig.ParseStandard(day[3])).Next,
				cronexpr.MustParse(day[3]).Next,
				func(at time.Time) time.Time { return must(gronx.NextTickAfter(day[3], at, false)) },
				must(netresearch.ParseStandard(day[3])).Next,
			}[index]
			runs := ""
			for at := next(start.Add(-time.Minute).In(zone)); at.Before(end); at = next(at) {
				runs += " " + at.UTC().Format("15:04")
			}
			if runs == "" {
				runs = " none"
			}
			fmt.Print(runs, ";")
		}
		fmt.Println()
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >runs.mjs <<'EOF'
import { CronTime } from "cron";
import { CronExpressionParser } from "cron-parser";
import { Cron } from "croner";
import { DateTime } from "luxon";

const packages = {
  croner: (expression, zone) => (at) => new Cron(expression, { timezone: zone }).nextRun(at),
  "cron-parser": (expression, tz) => (at) => {
    return CronExpressionParser.parse(expression, { tz, currentDate: at }).next().toDate();
  },
  cron: (expression, zone) => (at) => {
    return new CronTime(expression, zone).getNextDateFrom(DateTime.fromJSDate(at), zone).toJSDate();
  },
};
for (const [name, parse] of Object.entries(packages)) {
  let line = `${name}:`;
  for (let day = process.argv.slice(2); day.length > 0; day = day.slice(4)) {
    const next = parse(day[3], day[0]);
    let runs = "";
    for (let at = next(new Date(Date.parse(day[1]) - 60000)); at < new Date(day[2]); at = next(at)) {
      runs += ` ${at.toISOString().slice(11, 16)}`;
    }
    line += `${runs || " none"};`;
  }
  console.log(line);
}
EOF

cat >runs.py <<'EOF'
import datetime
import sys
import zoneinfo

from croniter import croniter
from cronsim import CronSim


def runs_of_croniter(expression, start):
    runs = croniter(expression, start)
    while True:
        yield runs.get_next(datetime.datetime)


for name, package in (("croniter", runs_of_croniter), ("cronsim", CronSim)):
    line = f"{name}:"
    for zone, start, end, expression in zip(*(sys.argv[1 + index :: 4] for index in range(4))):
        start, end = (datetime.datetime.fromisoformat(time) for time in (start, end))
        runs = ""
        before = (start - datetime.timedelta(minutes=1)).astimezone(zoneinfo.ZoneInfo(zone))
        for run in package(expression, before):
            run = run.astimezone(datetime.timezone.utc)
            if run >= end:
                break
            runs += run.strftime(" %H:%M")
        line += (runs or " none") + ";"
    print(line)
EOF

seen=$(
  ./finding "${days[@]}"
  node runs.mjs "${days[@]}"
  venv/bin/python runs.py "${days[@]}"
)

echo "software: robfig/cron v3.0.1, cronexpr v1.1.3, gronx v1.20.4, go-cron v0.9.1, croner 11.0.1, cron-parser 5.10.6,"
echo "  cron 4.4.0, croniter 7.0.0, cronsim 2.8"
echo "runs, in UTC, of the day without midnight in Cairo, with two in Havana, and without 02:30 in Berlin"
echo "expected of each: one on each day"
echo "seen:"
echo "$seen"

known='robfig/cron: none; 04:00 05:00; none;
hashicorp/cronexpr: none; 04:00 05:00; none;
adhocore/gronx: none; 04:00; none;
netresearch/go-cron: none; 04:00 05:00; 01:30;
croner: 22:00; 04:00; 01:00;
cron-parser: 22:00; 05:00; 01:30;
cron: 22:00; 04:00; 01:00;
croniter: 22:00; 04:00 05:00; 01:00;
cronsim: 22:00; 04:00; 01:00;'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the runs are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of nine run nothing on the day without midnight, and four run twice on the day with two"
