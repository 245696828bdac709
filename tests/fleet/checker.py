"""Judges what the rounds left. Every check takes records and yields what is wrong, as texts.

Records of the cloud are those of the proxies, whose clock is also the database's. A write counts by the moment it was
sent, which is when its proxy had read it: a cut may let it arrive later, and then the service's etag decides.
"""

import bisect
import collections

from faults import STEAL
from proxies import etag_order

FOREIGN = "foreign"
# Beyond lease and interval: one look for the lease, the start of the work, a machine that is busy.
TOLERANCE = 9.0


def accepted(writes):
    """Those that took effect, by target, in the order in which they did."""
    by_target = collections.defaultdict(list)
    for write in writes:
        if write["status"] == 200:
            by_target[write["target"]].append(write)
    for each in by_target.values():
        each.sort(key=lambda write: etag_order(write["etag"]))
    return by_target


def term_ends(terms):
    """When each term (holder, epoch) began and ended: when it was given back or the next one began."""
    ordered = sorted(terms, key=lambda term: term["at"])
    spans = {}
    for term, after in zip(ordered, [*ordered[1:], None]):
        if term["holder"]:
            spans[term["holder"], term["epoch"]] = (term["at"], after["at"] if after else float("inf"))
    return spans


def check_terms(terms):
    """One holder at a time, each term given once, epochs that rise but for a fail-over that lost some."""
    given = collections.Counter((term["holder"], term["epoch"]) for term in terms if term["holder"])
    for (holder, epoch), times in given.items():
        if times > 1:
            yield f"epoch {epoch} was given to {holder} {times} times"


def check_log(log):
    """The store's own list of terms."""
    for before, after in zip(log, log[1:]):
        if after["epoch"] <= before["epoch"]:
            yield f"lease_log: epoch {after['epoch']} follows {before['epoch']}"


def check_writes_have_intents(writes, intents, terms):
    """Each write was sent by the replica of its intent, after it was on record and before its term was over."""
    spans = term_ends(terms)
    by_key = collections.defaultdict(list)
    for intent in intents:
        by_key[intent["target"], intent["etag"], intent["replica"]].append(intent)
    sent = collections.Counter()
    for write in writes:
        if write["replica"] == FOREIGN:
            continue
        what = f"{write['replica']} wrote {write['target']} at {write['received']:.3f}"
        if not write["if_etag"]:
            yield what + ": without an etag"
        before = [intent for intent in by_key[write["target"], write["if_etag"], write["replica"]]
                  if intent["at"] <= write["received"]]
        if not before:
            yield what + ": without an intent"
            continue
        intent = before[-1]
        begin, end = spans.get((intent["holder"], intent["epoch"]), (float("inf"), 0))
        if not begin <= write["received"] <= end:
            yield what + f": its term {intent['epoch']} lasted from {begin:.3f} to {end:.3f} (status {write['status']})"
        sent[intent["id"], intent["holder"], intent["epoch"]] += 1
    for intent, times in sent.items():
        if times > 1:
            yield f"intent {intent[0]} of epoch {intent[2]} was sent {times} times"


def check_chain(by_target):
    """The service accepted only what was computed from what was there, so the log of the cloud is whole."""
    for target, writes in by_target.items():
        for before, after in zip(writes, writes[1:]):
            if after["if_etag"] != before["etag"]:
                yield f"{target}: {after['replica']} wrote over {before['etag']} by {after['if_etag']}"
            elif after["replica"] != FOREIGN and after["members"] == before["members"]:
                yield f"{target}: {after['replica']} wrote at {after['received']:.3f} what was there"


def version_of(members):
    """The newest version of the manifest in a policy, which also has older ones while the guard holds their removal."""
    return max((int(member[6:].split("@")[0]) for member in members if member.startswith("user:v")), default=None)


def check_generations(by_target):
    """After a newer version of a manifest was enforced, no older one is."""
    for target, writes in by_target.items():
        newest = 0
        for write in writes:
            if write["replica"] == FOREIGN:
                continue
            version = version_of(write["members"])
            if version is None:
                yield f"{target}: {write['replica']} wrote {write['members']}, which no manifest says"
            elif version < newest:
                yield f"{target}: {write['replica']} wrote version {version} at {write['received']:.3f} after {newest}"
            else:
                newest = version


def longest_gaps(reads, targets, begin, end, excused):
    """For each target the longest time without a read, less the excused parts, and when it began."""
    times = {target: [begin] for target in targets}
    for at, replica, target in reads:
        if replica != FOREIGN and begin <= at <= end:
            times[target].append(at)
    for target, each in times.items():
        each.append(end)
        longest = (0.0, begin)
        for before, after in zip(each, each[1:]):
            # Most are short, and the excused parts are many.
            if after - before > longest[0]:
                longest = max(longest, (after - before - _overlap(before, after, excused), before))
        yield target, *longest


def _overlap(begin, end, windows):
    return sum(max(0.0, min(end, until) - max(begin, since)) for since, until in windows)


def check_attended(reads, targets, begin, end, excused, interval):
    """No target is left alone for longer than a take-over and a pass take."""
    most = STEAL + interval + TOLERANCE
    for target, gap, since in longest_gaps(reads, targets, begin, end, excused):
        if gap > most:
            yield f"{target} was not read for {gap:.1f} s from {since:.3f}"


def reads_of_helpers(reads, terms):
    """Those by a replica out of its terms. A call may be on its way for some seconds after the end of one."""
    on_the_way = 10
    begins, ends = collections.defaultdict(list), collections.defaultdict(list)
    spans = term_ends(terms)
    for term in sorted(terms, key=lambda term: term["at"]):
        if term["holder"]:
            since, until = spans[term["holder"], term["epoch"]]
            begins[term["replica"]].append(since)
            ends[term["replica"]].append(until + on_the_way)

    def in_term(at, replica):
        last = bisect.bisect_right(begins[replica], at) - 1
        return last >= 0 and at <= ends[replica][last]
    return [read for read in reads if read[1] != FOREIGN and not in_term(read[0], read[1])]


def check_shared(reads, terms, interval):
    """Replicas that stand by read a part of the targets: of those that are read an interval after their last check, which are
    the fewer, the longer it is."""
    share = len(reads_of_helpers(reads, terms)) / max(len(reads), 1)
    if share < 0.15 / interval:
        yield f"replicas that stood by made {share:.1%} of the reads"


def check_budget(by_target, most, window):
    """Removals of what manifests had given stay within the guard's budget, whoever was at work."""
    times = []
    for writes in by_target.values():
        for before, after in zip(writes, writes[1:]):
            if after["replica"] == FOREIGN:
                continue
            gone = set(before["members"]) - set(after["members"])
            times.extend(after["received"] for member in gone if not member.startswith("user:eve-"))
    times.sort()
    for index, at in enumerate(times):
        count = index + 1 - bisect.bisect_right(times, at - window)
        if count > most:
            yield f"{count} removals in {window} s before {at:.3f}, {most} are allowed"
            return


def check_history(by_target, records, lost_windows, lost_etags):
    """Every write that took effect is one revision and one event, but for what a fail-over lost."""
    revisions = collections.defaultdict(list)
    told = {"PolicyWritten": collections.Counter(), "WriteConfirmed": collections.Counter()}
    for revision in records["revisions"]:
        revisions[revision["target"], revision["etag"]].append(revision)
    for event in records["events"]:
        if event["reason"] in told:
            told[event["reason"]][event["target"], event["time"]] += 1
    events = collections.Counter(target for counter in told.values() for target, _ in counter.elements())
    landed = {(intent["target"], intent["etag"]) for intent in records["intents"] if intent["outcome"] == "landed"}
    for target, writes in by_target.items():
        ours = [write for write in writes if write["replica"] != FOREIGN]
        for write in ours:
            found = revisions[target, write["etag"]]
            is_lost = any(since <= write["received"] <= until for since, until in lost_windows)
            if (target, write["if_etag"]) in landed and not found and not is_lost and write["etag"] not in lost_etags:
                yield f"{target}: no revision of the write at {write['received']:.3f} ({write['etag']})"
        if events[target] > len(ours):
            yield f"{target}: {events[target]} events of {len(ours)} writes"
    written = collections.Counter()
    for (target, etag), found in revisions.items():
        if etag and len(found) > 1:
            yield f"{target}: {len(found)} revisions of {etag}"
        written.update((target, revision["time"]) for revision in found if revision["origin"] == "written")
    # A write without an answer that was found to have taken effect has another event, and perhaps a revision before.
    for key in told["PolicyWritten"].keys() | written.keys():
        if not 0 <= written[key] - told["PolicyWritten"][key] <= told["WriteConfirmed"][key]:
            yield (f"{key[0]}: {written[key]} revisions as written at {key[1]}, "
                   f"{told['PolicyWritten'][key]} events PolicyWritten")
    for intent in records["open"]:
        yield f"intent {intent['id']} has no outcome"


def check_received(received, events, first, lossy):
    """The receiver of the webhook has every event of the journal after `first`, once, and no other but those that were
    lost."""
    journal = {(event["id"], event["reason"], event["target"]) for event in events if event["id"] > first}
    told = collections.Counter((event["id"], event["reason"], event.get("target", "")) for event in received)
    for key in sorted(journal - told.keys())[:20]:
        yield f"the receiver was not told of event {key}"
    for key, times in told.items():
        if times > 1 and not lossy:
            yield f"event {key} was told under {times} ids of messages"
        if key not in journal and not lossy:
            yield f"the receiver was told of event {key}, which the journal does not have"


def check_end(in_cloud, wanted, replicas):
    """The cloud is as the manifests say, and one replica is at work."""
    for target, members in wanted.items():
        if in_cloud.get(target) != members:
            yield f"{target} has {in_cloud.get(target)}, declared is {members}"
    states = collections.Counter(replica["state"] for replica in replicas)
    if states["at work"] != 1:
        yield f"at the end {states['at work']} replicas are at work: {replicas}"
