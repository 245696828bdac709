#!/usr/bin/env python3
"""Tries replicas on one database with faults: fleet.py PROGRAM [--previous PROGRAM] [--rounds N] [--targets N] [--seed N]
[--share-checks] [--fault NAME]...

Three real daemons, PostgreSQL with a standby, a cloud that outlives them. Each round has one fault, while manifests are
edited and somebody else changes policies. At the end the records of cloud and database are compared: checker.py. All
choices come from the seed. It is printed; the variable BINDERY_FLEET_SEED or --seed gives it again.
"""

import argparse
import collections
import json
import os
import random
import shutil
import sys
import tempfile
import time

import checker
import faults
from servers import installed
from world import MOST_REMOVALS, PARENT, WINDOW, Load, World

SKIPPED = 77
# For a round: until everything is as declared again. The guard's window may have to pass.
_PATIENCE = 120
_BETWEEN_VERDICTS = 20
# In seconds.
_LONG_INTERVAL = 20


def say(text):
    print(text, flush=True)


class Fleet:
    """The rounds and what is kept of them."""

    def __init__(self, options, folder, seed):
        self.seed = seed
        program = os.path.abspath(options.program)
        previous = os.path.abspath(options.previous or program)
        self.world = World(program, previous, folder, options.targets, options.share_checks)
        # In seconds. To look at all targets takes time, which the proxies need, too.
        self.patience = max(_PATIENCE, options.targets / 20)
        self.pause = max(0.05, options.targets / 5000)
        self.excused = []
        self.lost_windows = []
        self.rounds = []  # (name of the fault, when it was)
        self.began = 0.0

    def start(self):
        self.world.start()
        self.await_declared()
        self.began = time.time()

    def converged(self):
        """Whether everything is as declared. What somebody else changed is found within an interval. Where rounds are
        shorter than that, a check of it is asked for, of any replica."""
        world = self.world
        cloud = world.in_cloud()
        others = [name for name, members in world.manifests.wanted().items() if cloud[name] != members]
        if world.interval > _LONG_INTERVAL:
            names = [name.removeprefix(PARENT) for name in others]
            if asked := [name for name in names if name in world.meddled]:
                replica = world.replicas[len(self.rounds) % len(world.replicas)]
                replica.ask("/api/v1/reconcile", "POST", json.dumps({"names": asked}))
        return not others

    def await_declared(self):
        self.world.eventually("everything is as declared", self.converged, self.patience, self.pause)

    def play(self, number, fault):
        world = self.world
        choices = random.Random(f"{self.seed} {number}")
        play = faults.Round(world, choices)
        load = Load(world, f"{self.seed} {number}")
        play.many = choices.random() < 0.1
        if play.many:
            # More than the guard lets pass: the rest waits, whoever is at work.
            world.manifests.drop_base(min(len(world.names), 2 * MOST_REMOVALS))
        try:
            fault(play)
            time.sleep(choices.random() * 2)
        finally:
            load.stop()
        self.excused += play.excused
        if play.lossy:
            self.lost_windows.append((play.began - 20, time.time()))
        self.settle(play.many, play.lossy)
        self.tell(number, fault, play)

    def tell(self, number, fault, play):
        self.rounds.append((fault.__name__, play.began))
        holder = self.world.holder()
        went = "it goes on" if holder is play.holder else f"then {holder.name} is at work" if holder else ""
        say(f"round {number}: {fault.__name__} of {play.holder.name}{', many removals' if play.many else ''}: {went}")

    def settle(self, many, lossy):
        """All is healed and as declared, and all replicas have the same manifests."""
        world = self.world
        healed = time.time()
        world.manifests.restore_base()
        world.replicas[-1].catch_up()
        for replica in world.replicas:
            replica.heal()
            if not replica.running():
                replica.start()
        world.eventually("one is at work", lambda: world.holder() is not None, 60)
        if many:
            # What still waits is little, and the window has passed: the budget is kept also with it.
            world.eventually("the guard's window passes", lambda: time.time() > healed + WINDOW + 1, WINDOW + 5)
        # What a database that lost its last transactions would remove is asked.
        if many or lossy:
            world.eventually("there is nothing left to approve", self.approved, self.patience, self.pause)
        self.await_declared()
        world.eventually("all stand by", lambda: all(
            "stands by" in replica.ask("/readyz?verbose") for replica in world.replicas if not replica.at_work()), 90)

    def approved(self):
        if holder := self.world.holder():
            holder.approve_held()
        return self.converged()

    def verdict(self):
        """Everything that is wrong."""
        world = self.world
        end = time.time()
        world.eventually("the receiver of the webhook was told everything", lambda: world.pair.primary.ask(
            "SELECT cursor >= (SELECT max(id) FROM events) FROM webhooks") == "t", 120)
        # What became of a write whose answer was cut off is known with the next read.
        world.eventually("every intent has an outcome", lambda: world.pair.primary.ask(
            "SELECT count(*) FROM intents WHERE finished_after IS NULL") == "0", _PATIENCE)
        judging = time.time()
        records = world.pair.primary.records()
        lost = world.pair.lost
        terms = _union(("holder", "epoch", "at"), records["terms"], *(each["terms"] for each in lost))
        intents = sorted(_union(("id", "holder", "epoch"), records["intents"], *(each["intents"] for each in lost)),
                         key=lambda intent: intent["at"])
        by_target = checker.accepted(world.log.writes)
        lost_etags = {revision["etag"] for each in lost for revision in each["revisions"]}
        wanted = world.manifests.wanted()
        yield from checker.check_terms(terms)
        yield from checker.check_log(records["log"])
        yield from checker.check_writes_have_intents(world.log.writes, intents, terms)
        yield from checker.check_chain(by_target)
        yield from checker.check_generations(by_target)
        yield from checker.check_attended(world.log.reads, wanted, self.began, end, self.excused,
                                          world.interval)
        if world.share:
            yield from checker.check_shared(world.log.reads, terms, world.interval)
        yield from checker.check_budget(by_target, MOST_REMOVALS, WINDOW)
        yield from checker.check_history(by_target, records, self.lost_windows, lost_etags)
        yield from checker.check_received(world.receiver.events.values(), records["events"],
                                          records["webhooks"][0]["first"], bool(lost))
        yield from checker.check_end(world.in_cloud(), wanted, world.replicas_report())
        self.report(records, terms, end)
        # The proxies share this process, so they are slow meanwhile.
        self.excused.append((judging, time.time()))

    def report(self, records, terms, end):
        writes = self.world.log.writes
        ours = [write for write in writes if write["replica"] != checker.FOREIGN]
        statuses = collections.Counter(write["status"] for write in ours)
        gaps = checker.longest_gaps(self.world.log.reads, self.world.manifests.wanted(), self.began, end, self.excused)
        gap = max(each[1] for each in gaps)
        say(f"{len(terms)} changes of the lease, {len(self.world.log.reads)} reads, of which "
            f"{len(checker.reads_of_helpers(self.world.log.reads, terms))} by replicas that stood by, {len(ours)} writes of replicas "
            f"{dict(statuses)}, {len(writes) - len(ours)} of others, {len(records['events'])} events, "
            f"{len(self.world.receiver.events)} received; the longest time without a read is {gap:.1f} s")
        for name, times in sorted(self.until_next_term(terms).items()):
            times.sort()
            say(f"{name}: {len(times)} new terms, after {times[0]:.1f} s to {times[-1]:.1f} s, median "
                f"{times[len(times) // 2]:.1f} s")

    def until_next_term(self, terms):
        """For each kind of fault how long it took until a new term began, where one did."""
        took = collections.defaultdict(list)
        begun = sorted(term["at"] for term in terms if term["holder"])
        for (name, at), (_, after) in zip(self.rounds, [*self.rounds[1:], ("", float("inf"))]):
            times = [term - at for term in begun if at < term < after]
            if times:
                took[name].append(times[0])
        return took


def _union(keys, *lists):
    found = {}
    for each in lists:
        for record in each:
            found.setdefault(tuple(record[key] for key in keys), record)
    return list(found.values())


def plan(seed, rounds, names):
    """Which fault each round has: all of them before any comes again."""
    choices = random.Random(seed)
    planned = []
    while len(planned) < rounds:
        planned += choices.sample(names, len(names))
    return [faults.BY_NAME[name] for name in planned[:rounds]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--previous", help="the replicas run this program until a round updates them")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--targets", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("BINDERY_FLEET_SEED", "0")))
    parser.add_argument("--fault", action="append", choices=sorted(faults.BY_NAME), help="only these faults")
    parser.add_argument("--share-checks", action="store_true", help="replicas that stand by read for the one at work")
    parser.add_argument("--keep", action="store_true", help="leaves the folder with all logs")
    options = parser.parse_args()
    if not installed():
        say("skipped: no PostgreSQL server here")
        return SKIPPED
    seed = options.seed or random.SystemRandom().randrange(1, 1 << 31)
    say(f"seed {seed}, {options.rounds} rounds, {options.targets} targets")
    # Not below TMPDIR: the path of a socket ends at 107 bytes.
    folder = tempfile.mkdtemp(prefix="bindery-fleet-", dir="/tmp")
    os.chmod(folder, 0o755)
    if len(faults.BY_NAME) < len(faults.ALL):
        say("left out: set_clocks, as there is no libfaketime here")
    fleet = Fleet(options, folder, seed)
    wrong = []
    try:
        fleet.start()
        for number, fault in enumerate(plan(seed, options.rounds, options.fault or list(faults.BY_NAME)), 1):
            fleet.play(number, fault)
            if number % _BETWEEN_VERDICTS == 0 or number == options.rounds:
                wrong = list(fleet.verdict())
                if wrong:
                    break
    except Exception as error:  # The verdict of a broken run is its first failure.
        wrong = [f"{type(error).__name__}: {error}"]
        raise
    finally:
        fleet.world.stop()
        for text in wrong[:50]:
            say("WRONG: " + text)
        if wrong or options.keep:
            say(f"{len(wrong)} things are wrong; seed {seed}; the logs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
