#!/usr/bin/env bash
# A nightly job of APScheduler: the midnight after the day on which clocks went forward is left out.
#
# Software:  APScheduler 3.11.3 beside croniter 7.0.0 and cronsim 2.8 (PyPI).
# Expected:  clocks in Berlin go forward on a Sunday at 02:00. Midnight is there on each day of that week, so a job of
#            `0 0 * * *` runs on Saturday, Sunday, Monday and Tuesday. If a time is in doubt, it is Sunday 02:00 to 03:00.
# Seen:      APScheduler goes from Sunday 00:00 to Tuesday 00:00: it adds 24 hours to a day that has 23, gets to Monday
#            01:00, and takes the next midnight. `0 0 * * mon` is then not run for two weeks, and `0 0 1 * *`, asked in
#            March, leaves out the first of April. At 01:00 it runs each day. The two others do so at midnight too.
# Matters:   access that ends with a day is often taken away by a job at midnight. What ends on this Sunday stays a day
#            longer, a week with a weekly job, a month with a monthly one; no missed run is told, as none was planned. Jobs
#            in UTC run each day.
#
# Needs: bash, Python 3.11 with venv, tzdata. Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check APScheduler==3.11.3 croniter==7.0.0 cronsim==2.8

cat >runs.py <<'EOF'
import datetime
import zoneinfo

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
from cronsim import CronSim

zone = zoneinfo.ZoneInfo("Europe/Berlin")
# A Friday. On Sunday, the 29th, 02:00 becomes 03:00.
start = datetime.datetime(2026, 3, 27, 12, tzinfo=zone)


def scheduler(expression):
    trigger = CronTrigger.from_crontab(expression, zone)
    run = None
    while True:
        # As the scheduler asks: with the run before, at a moment after it.
        now = start if run is None else run + datetime.timedelta(milliseconds=5)
        run = trigger.get_next_fire_time(run, now)
        yield run


def iterator(expression):
    runs = croniter(expression, start)
    while True:
        yield runs.get_next(datetime.datetime)


packages = {"APScheduler": scheduler, "croniter": iterator, "cronsim": lambda expression: CronSim(expression, start)}
for expression, count in (("0 0 * * *", 4), ("0 0 * * mon", 2), ("0 0 1 * *", 2), ("0 1 * * *", 4)):
    for name, package in packages.items():
        runs = package(expression)
        days = [next(runs).strftime("%d.%m. %H:%M") for _ in range(count)]
        print(f"{expression} by {name}: {', '.join(days)}")
EOF
seen=$(venv/bin/python runs.py)

echo "software: APScheduler 3.11.3, croniter 7.0.0, cronsim 2.8; March and April 2026 in Berlin"
echo "expected of each: for 0 0 * * * 28, 29, 30 and 31 March, for 0 0 * * mon 30 March and 6 April,"
echo "  for 0 0 1 * * 1 April and 1 May, for 0 1 * * * 28, 29, 30 and 31 March"
echo "seen:"
echo "$seen"

known="0 0 * * * by APScheduler: 28.03. 00:00, 29.03. 00:00, 31.03. 00:00, 01.04. 00:00
0 0 * * * by croniter: 28.03. 00:00, 29.03. 00:00, 30.03. 00:00, 31.03. 00:00
0 0 * * * by cronsim: 28.03. 00:00, 29.03. 00:00, 30.03. 00:00, 31.03. 00:00
0 0 * * mon by APScheduler: 06.04. 00:00, 13.04. 00:00
0 0 * * mon by croniter: 30.03. 00:00, 06.04. 00:00
0 0 * * mon by cronsim: 30.03. 00:00, 06.04. 00:00
0 0 1 * * by APScheduler: 01.05. 00:00, 01.06. 00:00
0 0 1 * * by croniter: 01.04. 00:00, 01.05. 00:00
0 0 1 * * by cronsim: 01.04. 00:00, 01.05. 00:00
0 1 * * * by APScheduler: 28.03. 01:00, 29.03. 01:00, 30.03. 01:00, 31.03. 01:00
0 1 * * * by croniter: 28.03. 01:00, 29.03. 01:00, 30.03. 01:00, 31.03. 01:00
0 1 * * * by cronsim: 28.03. 01:00, 29.03. 01:00, 30.03. 01:00, 31.03. 01:00"
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the days are not the known ones" >&2
  exit 1
fi
echo "unchanged: APScheduler leaves out the next midnight of a job when the clocks went forward before it"
