"""What happens to the replicas and what they share, one fault a round.

A fault is a function of the round. It ends with everything healed but for replicas that are down, and says for what
time nobody can be expected to attend to the targets beyond the time of the lease.
"""

import os
import signal
import time

from world import FAKETIME, MOST_REMOVALS

# For how long the holder's heartbeat stands still before another takes the lease (src/store/ports/sharing.h).
STEAL = 16.0
# A host that did not answer is tried again at growing distances (src/controller/calls/circuit_breaker.cc); a target may wait
# for the longest of them.
_LONGEST_PAUSE = 30
# So many targets are edited at once before a fault.
_BURST = 20


class Round:
    """What a fault may use, and what it leaves for the figures."""

    def __init__(self, world, choices):
        self.world = world
        self.choices = choices
        self.holder = world.holder()
        self.began = 0.0
        self.excused = []  # (from, until)
        self.lossy = False
        self.many = False  # More is removed than the guard lets pass.

    def begin(self):
        """The moment is counted in writes to the cloud, not in time, so that it finds work under way."""
        world = self.world
        sent = len(world.log.writes)
        until = sent + self.choices.randrange(_BURST)
        world.manifests.extend(self.choices.sample(world.names, _BURST))
        if self.holder is world.replicas[-1]:
            self.holder.catch_up()
        deadline = time.time() + 5
        while len(world.log.writes) < until and time.time() < deadline:
            time.sleep(0.0005)
        self.began = time.time()

    def others(self):
        return [replica for replica in self.world.replicas if replica is not self.holder]

    def excuse(self, since, longer=0):
        self.excused.append((since, time.time() + longer))

    def await_takeover(self):
        """Until one of the others is at work."""
        self.world.eventually("another replica is at work",
                              lambda: any(each.at_work() for each in self.others()), STEAL + 44)

    def mode(self):
        return self.choices.choice(("reset", "hold"))


def kill(play):
    """kill -9 of the one at work; sometimes it is back before its lease is free."""
    play.begin()
    play.holder.end(signal.SIGKILL)
    if play.choices.random() < 0.5:
        time.sleep(play.choices.random() * 3)
        play.holder.start()
        play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)
    else:
        play.await_takeover()


def kill_two(play):
    """kill -9 of the one at work and of one that stands by."""
    play.begin()
    play.holder.end(signal.SIGKILL)
    play.choices.choice(play.others()).end(signal.SIGKILL)
    play.await_takeover()


def terminate(play):
    play.begin()
    if not play.holder.end(signal.SIGTERM):
        raise TimeoutError(f"{play.holder.name} does not end on SIGTERM")
    play.await_takeover()


def stop(play):
    """It stands still for longer than its lease and wakes up while another works."""
    play.begin()
    play.holder.signal(signal.SIGSTOP)
    play.await_takeover()
    time.sleep(play.choices.random() * 2)
    play.holder.signal(signal.SIGCONT)


def stop_as_long_as_the_lease(play):
    """It wakes up about when its trust ends or its lease is taken."""
    play.begin()
    play.holder.signal(signal.SIGSTOP)
    time.sleep(9 + play.choices.random() * 9)
    play.holder.signal(signal.SIGCONT)
    play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)


def cut_database(play):
    """The one at work does not reach the database, but the cloud."""
    play.begin()
    play.holder.cut_database(play.mode())
    play.await_takeover()
    time.sleep(play.choices.random() * 3)
    play.holder.heal()


def cut_cloud(play):
    """The one at work does not reach the cloud, but keeps its lease."""
    play.begin()
    play.holder.cloud.gate.cut(play.mode())
    time.sleep(3 + play.choices.random() * 6)
    play.holder.heal()
    play.excuse(play.began, _LONGEST_PAUSE)


def slow_database(play):
    """Each answer of the database takes up to some seconds: the one at work keeps its lease, or loses it."""
    play.begin()
    delay = play.choices.choice((0.1, 0.4, 1, 3))
    for proxy in play.holder.databases:
        proxy.gate.slow_down(delay)
    time.sleep(5 + play.choices.random() * STEAL)
    play.holder.heal()
    play.excuse(play.began)
    play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)


def slow_cloud(play):
    """Answers come late, some after the one at work has given up on them."""
    play.begin()
    play.holder.cloud.gate.slow_down(play.choices.choice((0.3, 1, 3)))
    time.sleep(3 + play.choices.random() * 6)
    play.holder.heal()
    play.excuse(play.began, _LONGEST_PAUSE)


def cut_both(play):
    play.begin()
    mode = play.mode()
    play.holder.cloud.gate.cut(mode)
    play.holder.cut_database(mode)
    play.await_takeover()
    time.sleep(play.choices.random() * 3)
    play.holder.heal()


def cut_cloud_then_stop(play):
    """What it sent arrives when another works already: only the etag can refuse it."""
    play.begin()
    play.holder.cloud.gate.cut("hold")
    time.sleep(1 + play.choices.random() * 2)
    play.holder.signal(signal.SIGSTOP)
    play.await_takeover()
    play.holder.cloud.gate.open()
    play.excuse(play.began)
    time.sleep(play.choices.random())
    play.holder.signal(signal.SIGCONT)


def _restart_database(play, mode):
    play.begin()
    play.world.pair.restart(mode, play.choices.choice((0, 2, 8, 14)))
    play.excuse(play.began)
    play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)


def restart_database(play):
    _restart_database(play, "fast")


def crash_database(play):
    _restart_database(play, "immediate")


def _fail_over(play, losing):
    pair = play.world.pair
    if losing:
        play.world.replicas[-1].catch_up()
        play.lossy = True
        pair.stop_receiving()
        time.sleep(1 + play.choices.random() * 3)
    play.begin()
    pair.fail_over(losing)
    play.excuse(play.began)
    play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)
    pair.rejoin(losing)


def fail_over(play):
    """The standby has everything."""
    _fail_over(play, losing=False)


def fail_over_losing(play):
    """The standby lacks the last transactions."""
    _fail_over(play, losing=True)


def fail_over_and_kill(play):
    """The database fails over, and the one at work dies with it."""
    play.begin()
    play.holder.end(signal.SIGKILL)
    play.world.pair.fail_over(losing=False)
    play.excuse(play.began)
    play.await_takeover()
    play.world.pair.rejoin(losing=False)


def _replace_all(play, replace):
    """One after the other, the one at work last: `replace` starts what takes the place of one that has ended."""
    for replica in [*play.others(), play.holder]:
        if not replica.end(signal.SIGTERM):
            raise TimeoutError(f"{replica.name} does not end on SIGTERM")
        replace(replica)
        play.world.eventually(f"{replica.name} is back", replica.is_up, STEAL + 44)


def _update(play, replica):
    replica.program = play.world.program
    replica.start()


def update(play):
    """All replicas get the new program, while the others go on with the one before."""
    play.begin()
    _replace_all(play, lambda replica: _update(play, replica))


def update_one(play):
    """A replica that stands by gets the new program: from then on both run side by side, until each had its turn."""
    play.begin()
    older = [replica for replica in play.others() if replica.program != play.world.program]
    newer = (older or play.others())[0]
    if not newer.end(signal.SIGTERM):
        raise TimeoutError(f"{newer.name} does not end on SIGTERM")
    _update(play, newer)
    play.world.eventually(f"{newer.name} is back", newer.is_up, STEAL + 44)


def set_clocks(play):
    """Each replica has a time of day of its own, and that of the one at work is set while it works. What one removes and
    what the next one is to remove are together more than the guard lets pass."""
    hours = play.choices.sample((-30, -2, 1, 25), len(play.world.replicas))
    for replica, ahead in zip(play.world.replicas, hours):
        replica.set_clock(ahead * 3600)
    _replace_all(play, lambda replica: replica.start(own_clock=True))
    play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)
    play.holder = play.world.holder()
    play.begin()
    play.holder.set_clock(play.choices.choice((-50, -1, 1, 50)) * 3600)
    play.many = True
    play.world.manifests.drop_base(MOST_REMOVALS * 2 // 3)
    time.sleep(3 + play.choices.random() * 3)
    play.holder.signal(signal.SIGSTOP)
    play.await_takeover()
    play.world.manifests.drop_base(MOST_REMOVALS * 4 // 3)
    play.holder.signal(signal.SIGCONT)
    play.world.eventually("one is at work", lambda: play.world.holder() is not None, STEAL + 44)
    time.sleep(play.choices.random() * 3)
    play.holder = play.world.holder()
    _replace_all(play, lambda replica: replica.start())


ALL = (kill, terminate, stop, cut_database, restart_database, fail_over, cut_cloud, fail_over_losing, crash_database,
       cut_both, stop_as_long_as_the_lease, cut_cloud_then_stop, kill_two, fail_over_and_kill, update, update_one,
       slow_database, slow_cloud, set_clocks)
BY_NAME = {fault.__name__: fault for fault in ALL if fault is not set_clocks or os.path.exists(FAKETIME)}
