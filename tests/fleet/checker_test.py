#!/usr/bin/env python3
"""Each check of checker.py passes what is right and finds what is wrong, in records that are made up."""

import base64
import copy
import unittest

import checker

T = "projects/acme/locations/global/authorizationPolicies/t0000"


def etag(number):
    return base64.b64encode(number.to_bytes(8, "big")).decode()


def write(replica, number, members, **rest):
    """The write that makes the etag `number` from the one before, at that second."""
    made = {"replica": replica, "target": T, "received": float(number), "if_etag": etag(number - 1), "members": members,
            "status": 200, "etag": etag(number), "answered": number + 0.01, "delivered": True}
    return made | rest


def intent(replica, number, holder, epoch, **rest):
    made = {"id": number, "target": T, "etag": etag(number - 1), "removed": 0, "holder": holder, "epoch": epoch,
            "replica": replica, "outcome": "landed", "at": number - 0.01}
    return made | rest


def term(holder, epoch, at):
    return {"holder": holder, "epoch": epoch, "replica": "", "at": at}


WRITES = [write("first", 1, ["user:v1@example.com"]), write("foreign", 2, ["user:eve-1@example.com"]),
          write("first", 3, ["user:v1@example.com"]), write("second", 4, ["user:v2@example.com"])]
INTENTS = [intent("first", 1, "A", 1), intent("first", 3, "A", 1), intent("second", 4, "B", 2)]
TERMS = [term("A", 1, 0.5), term("B", 2, 3.5)]
RECORDS = {
    "revisions": [{"id": n, "target": T, "origin": "written", "etag": etag(n), "time": n * 1000} for n in (1, 3, 4)],
    "events": [{"id": n, "time": n * 1000, "reason": "PolicyWritten", "target": T} for n in (1, 3, 4)],
    "intents": INTENTS, "open": [],
}


def changed(records, index, **values):
    """A copy in which one record is another."""
    copied = copy.deepcopy(records)
    copied[index].update(values)
    return copied


class CheckerTest(unittest.TestCase):
    def finds(self, found, text):
        found = list(found)
        self.assertTrue(any(text in each for each in found), f"{text!r} is not in {found}")

    def passes(self, found):
        self.assertEqual(list(found), [])

    def test_terms(self):
        self.passes(checker.check_terms([*TERMS, term("", 2, 5)]))
        self.finds(checker.check_terms([*TERMS, term("A", 1, 9)]), "epoch 1 was given to A 2 times")

    def test_lease_log(self):
        self.passes(checker.check_log([{"epoch": 1}, {"epoch": 2}]))
        self.finds(checker.check_log([{"epoch": 2}, {"epoch": 2}]), "epoch 2 follows 2")

    def test_writes_belong_to_the_term_that_holds(self):
        check = checker.check_writes_have_intents
        self.passes(check(WRITES, INTENTS, TERMS))
        self.finds(check(WRITES, INTENTS[1:], TERMS), "first wrote")
        self.finds(check(changed(WRITES, 2, replica="third"), INTENTS, TERMS), "without an intent")
        self.finds(check(WRITES, changed(INTENTS, 1, at=3.2), TERMS), "without an intent")
        self.finds(check(changed(WRITES, 3, if_etag=""), INTENTS, TERMS), "without an etag")

    def test_a_term_that_is_over(self):
        check = checker.check_writes_have_intents
        late = changed(WRITES, 2, received=3.7)
        self.finds(check(late, INTENTS, TERMS), "its term 1 lasted from 0.500 to 3.500")
        # Also one that the service refused was sent.
        self.finds(check(changed(late, 2, status=409), INTENTS, TERMS), "(status 409)")
        # Nor after it was given back.
        self.finds(check(WRITES, INTENTS, [TERMS[0], term("", 1, 2.5), TERMS[1]]), "its term 1 lasted")
        # What a cut held back was sent in time.
        self.passes(check(changed(WRITES, 2, answered=9.0), INTENTS, TERMS))

    def test_an_intent_is_sent_once(self):
        again = [*WRITES, write("second", 4, ["user:v2@example.com"], received=4.5, status=409)]
        self.finds(checker.check_writes_have_intents(again, INTENTS, TERMS), "intent 4 of epoch 2 was sent 2 times")

    def test_chain(self):
        self.passes(checker.check_chain(checker.accepted(WRITES)))
        self.finds(checker.check_chain(checker.accepted(changed(WRITES, 3, if_etag=etag(1)))), "second wrote over")
        self.finds(checker.check_chain(checker.accepted(changed(WRITES, 3, members=["user:v1@example.com"]))),
                   "what was there")

    def test_generations(self):
        self.passes(checker.check_generations(checker.accepted(WRITES)))
        older = changed(WRITES, 0, members=["user:v2@example.com"])
        self.finds(checker.check_generations(checker.accepted(older)), "version 1 at 3.000 after 2")
        self.passes(checker.check_generations(checker.accepted(
            changed(WRITES, 3, members=["user:v1@example.com", "user:v2@example.com"]))))
        none = changed(WRITES, 3, members=["user:eve-1@example.com"])
        self.finds(checker.check_generations(checker.accepted(none)), "which no manifest says")

    def test_the_order_is_that_of_the_service(self):
        # It was sent first and took effect last, which no etag allows; the version tells.
        late = [write("first", 3, ["user:v1@example.com"], received=1.0),
                write("second", 2, ["user:v2@example.com"], received=2.0)]
        self.finds(checker.check_generations(checker.accepted(late)), "version 1 at 1.000 after 2")

    def test_attended(self):
        reads = [(float(at), "first", T) for at in (1, 6, 11)]
        self.passes(checker.check_attended(reads, [T], 0, 12, [], 5))
        self.finds(checker.check_attended(reads, [T], 0, 60, [], 5), "was not read for 49.0 s from 11.000")
        self.finds(checker.check_attended([(30.0, "foreign", T)], [T], 0, 60, [], 5), "for 60.0 s")
        self.passes(checker.check_attended(reads, [T], 0, 60, [(12, 40)], 5))
        self.finds(checker.check_attended(reads, [T], 0, 60, [(12, 20)], 5), "for 41.0 s")

    def test_shared(self):
        terms = [{**term("a", 1, 0.0), "replica": "first"}, {**term("b", 2, 50.0), "replica": "second"}]
        alone = [(float(at), "first", T) for at in range(20)]
        self.finds(checker.check_shared(alone, terms, 5), "made 0.0% of the reads")
        self.passes(checker.check_shared([*alone, *((float(at), "second", T) for at in range(10))], terms, 5))
        self.assertEqual(checker.reads_of_helpers([(55.0, "first", T), (65.0, "first", T), (65.0, "foreign", T)], terms),
                         [(65.0, "first", T)])

    def test_budget(self):
        both = ["user:base-t0000@example.com", "user:v1@example.com"]
        removing = checker.accepted([write("first", 1, both), write("first", 2, both[1:]), write("second", 3, [])])
        self.passes(checker.check_budget(removing, 2, 60))
        self.finds(checker.check_budget(removing, 1, 60), "2 removals in 60 s before 3.000, 1 are allowed")
        self.passes(checker.check_budget(removing, 1, 0.5))
        # What somebody else added or removed does not count.
        self.passes(checker.check_budget(checker.accepted(WRITES[:3]), 0, 60))

    def test_history(self):
        def check(writes=WRITES, lost=(), etags=(), **records):
            return checker.check_history(checker.accepted(writes), RECORDS | records, lost, etags)
        self.passes(check())
        lacking = RECORDS["revisions"][:2]
        self.finds(check(revisions=lacking, events=RECORDS["events"][:2]), "no revision of the write at 4.000")
        self.passes(check(revisions=lacking, events=RECORDS["events"][:2], lost=[(3, 5)]))
        self.passes(check(revisions=lacking, events=RECORDS["events"][:2], etags=[etag(4)]))
        self.finds(check(events=RECORDS["events"][:2]), "1 revisions as written at 4000, 0 events")
        self.finds(check(events=[*RECORDS["events"], RECORDS["events"][0]]), "1 revisions as written at 1000, 2 events")
        confirmed = {"id": 9, "time": 4000, "reason": "WriteConfirmed", "target": T}
        self.passes(check(events=[*RECORDS["events"][:2], confirmed]))
        self.finds(check(events=[*RECORDS["events"], confirmed]), "4 events of 3 writes")
        self.finds(check(revisions=[*RECORDS["revisions"], RECORDS["revisions"][0]]), "2 revisions of")
        self.finds(check(open=[{"id": 7}]), "intent 7 has no outcome")

    def test_received(self):
        events = RECORDS["events"]
        self.passes(checker.check_received(events, events, 0, False))
        self.passes(checker.check_received(events[1:], events, 1, False))
        self.finds(checker.check_received(events[1:], events, 0, False), "was not told of event (1,")
        self.finds(checker.check_received([*events, events[0]], events, 0, False), "was told under 2 ids")
        other = [*events, {"id": 9, "reason": "DriftFound", "target": T}]
        self.finds(checker.check_received(other, events, 0, False), "which the journal does not have")
        self.passes(checker.check_received(other, events, 0, True))

    def test_end(self):
        at_work = [{"state": "at work"}, {"state": "stands by"}]
        self.passes(checker.check_end({T: ["a"]}, {T: ["a"]}, at_work))
        self.finds(checker.check_end({T: ["b"]}, {T: ["a"]}, at_work), "declared is ['a']")
        self.finds(checker.check_end({}, {}, at_work[1:]), "0 replicas are at work")
        self.finds(checker.check_end({}, {}, at_work[:1] * 2), "2 replicas are at work")


if __name__ == "__main__":
    unittest.main()
