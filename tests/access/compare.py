#!/usr/bin/env python3
"""Compares bindery's answers about access with those of a second evaluator, over random hierarchies.

A world is an organization with folders, projects and resources, a policy on some of them, read or only scanned, and
groups. The evaluator below knows the parent of each resource from the making of the world, not from names.
"""

import argparse
import collections
import functools
import itertools
import json
import random
import re
import subprocess
import sys

NOW = "2026-11-25T14:00:00Z"  # As worlds.cc asks: 100 hours after the reads.
BATCH = 20  # Organizations in one store.

# `inside`: what is known of the resources inside, a dictionary for each sort; names are Form.
Resource = collections.namedtuple("Resource", "kind name parent attributes place inside")
# All texts of the form: "*" is a text without slashes, "**" any text, both at least a character.
Form = collections.namedtuple("Form", "text")
# Each grant: role, principal, condition as a tree or None.
Grant = collections.namedtuple("Grant", "role principal condition")

UNKNOWN = "unknown"

# Identities without an address, and sets of them: what each text says, as this file made it. ("pod", namespace,
# account) is a Kubernetes service account of the project's clusters, which has two spellings; ("job", name) an
# identity of a pool for jobs elsewhere; ("robot",) a service account; ("pods", …) and ("jobs", …) sets.
POOLS = "//iam.googleapis.com/projects/7/locations/global/workloadIdentityPools"
IDENTITIES = {
    "serviceAccount:robot@p.iam.gserviceaccount.com": ("robot",),
    **{f"serviceAccount:p.svc.id.goog[{space}/{account}]": ("pod", space, account)
       for space in "ab" for account in "xy"},
    **{f"principal:{POOLS}/p.svc.id.goog/subject/ns/{space}/sa/{account}": ("pod", space, account)
       for space in "ab" for account in "xy"},
    **{f"principal:{POOLS}/gh/subject/{name}": ("job", name) for name in "st"},
}
SETS = {
    f"principalSet:{POOLS}/p.svc.id.goog/*": ("pods",),
    f"principalSet:{POOLS}/p.svc.id.goog/namespace/a": ("pods", "a"),
    f"principalSet:{POOLS}/p.svc.id.goog/namespace/b": ("pods", "b"),
    f"principalSet:{POOLS}/p.svc.id.goog/kubernetes.cluster/https://c/v1/projects/p/locations/l/clusters/c":
        ("pods", "in a cluster"),
    f"principalSet:{POOLS}/gh/*": ("jobs",),
    f"principalSet:{POOLS}/gh/attribute.repository/o/r": ("jobs", "of a repository"),
    "principalSet://cloudresourcemanager.googleapis.com/projects/7/type/ServiceAccount": ("robots",),
}
ELSEWHERE = "role:00000000-0000-0000-0000-000000000001"  # Of another cloud, where no policy of Google counts.


def meaning(text):
    """What a principal is; two spellings of one have one meaning."""
    return IDENTITIES.get(text) or SETS.get(text) or (text.lower(),)


def contains(granted, asked):
    """Whether a set has the identity, or all of another set: a verdict, or None. Both as in IDENTITIES and SETS."""
    sort, *part = granted
    if sort == "robots":
        return "depends" if asked[0] in ("robot", "pod") else None
    if asked[0] not in (sort, sort.removesuffix("s")):
        return None
    if not part:
        return "granted"
    spaces = ("a", "b")
    if part[0] in spaces and len(asked) > 1 and asked[1] in spaces:
        return "granted" if part[0] == asked[1] else None
    return "depends"


# Conditions: ("==", attribute, text), ("starts", attribute, text), ("ends", attribute, text), ("before", time),
# ("and", a, b), ("or", a, b), ("not", a).
def text_of(tree):
    operator = tree[0]
    if operator == "==":
        return f'{tree[1]} == "{tree[2]}"'
    if operator == "starts":
        return f'{tree[1]}.startsWith("{tree[2]}")'
    if operator == "ends":
        return f'{tree[1]}.endsWith("{tree[2]}")'
    if operator == "before":
        return f'request.time < timestamp("{tree[1]}")'
    if operator == "not":
        return f"!({text_of(tree[1])})"
    return f"({text_of(tree[1])}) {'&&' if operator == 'and' else '||'} ({text_of(tree[2])})"


def truth(tree, attributes):
    """True, False or UNKNOWN."""
    operator = tree[0]
    if operator in ("==", "starts", "ends"):
        value = attributes.get(tree[1])
        if value is None or isinstance(value, Form):
            return UNKNOWN
        compare = {"==": value.__eq__, "starts": value.startswith, "ends": value.endswith}[operator]
        return compare(tree[2])
    if operator == "before":
        return NOW < tree[1]
    if operator == "not":
        inner = truth(tree[1], attributes)
        return inner if inner == UNKNOWN else not inner
    left, right = truth(tree[1], attributes), truth(tree[2], attributes)
    decides = operator == "or"
    if left is decides or right is decides:
        return decides
    return UNKNOWN if UNKNOWN in (left, right) else not decides


def literals(tree, attribute, operator):
    """The texts that the condition compares the attribute with."""
    if tree[0] == operator and tree[1] == attribute:
        yield tree[2]
    if tree[0] in ("and", "or", "not"):
        for inner in tree[1:]:
            yield from literals(inner, attribute, operator)


@functools.cache
def may_begin(tokens, text):
    """Whether a text of the form, in tokens, begins so."""
    if not text or not tokens:
        return not text
    token, rest = tokens[0], tokens[1:]
    if token not in ("*", "**"):
        return text[0] == token and may_begin(rest, text[1:])
    longest = len(text) if token == "**" or "/" not in text else text.index("/")
    return longest == len(text) or any(may_begin(rest, text[taken:]) for taken in range(1, longest + 1))


def may_be(form, operator, text):
    """Whether a text of the form passes the test."""
    tokens = tuple(re.findall(r"\*\*|.", form))
    if operator == "starts":
        return may_begin(tokens, text)
    if operator == "ends":
        return may_begin(tokens[::-1], text[::-1])
    return bool(re.fullmatch("".join({"*": "[^/]+", "**": ".+"}.get(each) or re.escape(each) for each in tokens), text))


def candidates(tree, attribute, known):
    """Texts such that each other text of the attribute fares like one of these. Of a form, the tests of a beginning and
    an end count each for itself: a text that passes both may be of another form."""
    if isinstance(known, str):
        return [known]
    form = known.text if known else "**"
    begin = form.split("*")[0]

    def tests(operator):
        return [text for text in literals(tree, attribute, operator) if may_be(form, operator, text)]

    texts = tests("==")
    for first in [begin, *tests("starts")]:
        texts += [f"{first}~{last}" for last in ["", *tests("ends")]]
    return [text for text in texts if text.startswith(begin)]


def may_hold(tree, known):
    """Whether the condition is true for some resource of which this is known."""
    names = ("resource.service", "resource.type", "resource.name")
    choices = [candidates(tree, name, known.get(name)) for name in names]
    return any(truth(tree, dict(zip(names, values))) is True for values in itertools.product(*choices))


VERDICTS = {True: "granted", False: "not granted", UNKNOWN: "depends"}


class World:
    def __init__(self, number, rng):
        self.rng = rng
        self.number = number
        self.resources = []
        self.containers = []
        self.groups = {}
        self.read, self.scanned = {}, {}
        self.hidden = set()
        self.make_containers()
        for project in self.projects:
            self.make_resources(project)
        self.make_groups()
        self.make_policies()

    # The making --------------------------------------------------------------------------------

    def make_containers(self):
        rng = self.rng
        organization = Resource("cloudresourcemanager:Organization", f"organizations/{9000 + self.number}", None,
                                [self.attributes("cloudresourcemanager", None)], None, [{}])
        self.resources.append(organization)
        above = [organization]
        for i in range(rng.randrange(4)):
            folder = Resource("cloudresourcemanager:Folder", f"folders/{self.number}{i}", rng.choice(above),
                              [self.attributes("cloudresourcemanager", None)], None, [{}])
            above.append(folder)
            self.resources.append(folder)
        self.projects = []
        self.numbers = {}
        for i in range(rng.randrange(1, 4)):
            name, number = f"projects/p-{self.number}-{i}", f"projects/77{self.number}{i}"
            attributes = [self.attributes("cloudresourcemanager", "Project", each) for each in (name, number)]
            forms = [f"{name}/**", f"{number}/**", "projects/_/**", "organizations/**"]
            inside = [{"resource.name": Form(each)} for each in forms]
            project = Resource("cloudresourcemanager:Project", name, rng.choice(above), attributes, None, inside)
            self.projects.append(project)
            self.numbers[name] = number
            self.resources.append(project)
        # The scan does not show some folders: what is above them is not known.
        for folder in above[1:]:
            if rng.random() < 0.15:
                self.hidden.add(folder.name)
        for each in self.resources:
            if each.name not in self.hidden:
                self.containers.append({"name": each.name, "number": self.numbers.get(each.name, ""),
                                        "parent": each.parent.name if each.parent else ""})

    @staticmethod
    def attributes(service, kind, name=None):
        host = f"{service}.googleapis.com"
        known = {"resource.service": host}
        known["resource.type"] = f"{host}/{kind}" if kind else Form(f"{host}/**")
        if name:
            known["resource.name"] = name
        return known

    def add(self, kind, name, parent, attributes, place=None, inside=()):
        resource = Resource(kind, name, parent, attributes, place, inside)
        self.resources.append(resource)
        return resource

    def make_resources(self, project):
        rng, name, number = self.rng, project.name, self.numbers[project.name]
        label = name.split("/")[1]

        def both(service, kind, rest):
            return [self.attributes(service, kind, each + rest) for each in (name, number)]

        def inside(service, kind, rest):
            return [self.attributes(service, kind, Form(each + rest)) for each in (name, number)]

        for i in range(rng.randrange(3)):
            self.add("pubsub:Topic", f"{name}/topics/t{i}", project, [{}])
        self.add("pubsub:Subscription", f"{name}/subscriptions/s", project, [{}])
        for i in range(rng.randrange(2)):
            secret = self.add("secretmanager:Secret", f"{name}/secrets/k{i}", project,
                              both("secretmanager", "Secret", f"/secrets/k{i}"),
                              inside=inside("secretmanager", "SecretVersion", f"/secrets/k{i}/versions/*"))
            # No kind has versions: nobody reads a policy of one.
            self.add("", f"{secret.name}/versions/1", secret,
                     both("secretmanager", "SecretVersion", f"/secrets/k{i}/versions/1"))
        if rng.random() < 0.3:
            host = [self.attributes("container", None)]
            self.add("", f"//container.googleapis.com/{name}/locations/l/clusters/c", project, host, inside=host)
        if rng.random() < 0.5:
            of_ring = "/locations/l/keyRings/r"
            keys = inside("cloudkms", "CryptoKey", f"{of_ring}/cryptoKeys/*")
            versions = inside("cloudkms", "CryptoKeyVersion", f"{of_ring}/cryptoKeys/*/cryptoKeyVersions/*")
            ring = self.add("cloudkms:KeyRing", name + of_ring, project, both("cloudkms", "KeyRing", of_ring),
                            inside=keys + versions)
            self.add("cloudkms:KeyRingCryptoKey", f"{ring.name}/cryptoKeys/c", ring,
                     both("cloudkms", "CryptoKey", f"{of_ring}/cryptoKeys/c"),
                     inside=inside("cloudkms", "CryptoKeyVersion", f"{of_ring}/cryptoKeys/c/cryptoKeyVersions/*"))
        if rng.random() < 0.6:
            self.make_bucket(project, f"data-{label}", rng.choice([name, number]))

    def make_bucket(self, project, label, place):
        path = f"projects/_/buckets/{label}"

        def inside(rest):
            return [self.attributes("storage", "ManagedFolder", Form(f"{path}/managedFolders/{rest}**")),
                    self.attributes("storage", "Object", Form(f"{path}/objects/{rest}**"))]

        bucket = self.add("storage:Bucket", f"b/{label}", project, [self.attributes("storage", "Bucket", path)], place,
                          inside(""))
        above = bucket
        if self.rng.random() < 0.5:
            above = self.add("storage:ManagedFolder", f"{bucket.name}/managedFolders/a/", bucket,
                             [self.attributes("storage", "ManagedFolder")], project.name, inside("a/"))
        if self.rng.random() < 0.5:
            self.add("storage:Object", f"{bucket.name}/o/a/file", above,
                     [self.attributes("storage", "Object", f"{path}/objects/a/file")])

    def make_groups(self):
        users = [f"user:u{i}@example.com" for i in range(4)]
        for i in range(3):
            if self.rng.random() < 0.6:
                choices = users + [f"group:g{self.number}-{j}@example.com" for j in range(4)] + [*IDENTITIES][:3]
                self.groups[f"g{self.number}-{i}@example.com"] = self.rng.sample(choices, self.rng.randrange(4))

    def condition(self, depth=0):
        rng = self.rng
        kind = rng.random()
        if depth < 2 and kind < 0.25:
            return (rng.choice(["and", "or"]), self.condition(depth + 1), self.condition(depth + 1))
        if depth < 2 and kind < 0.35:
            return ("not", self.condition(depth + 1))
        if kind < 0.5:
            return ("before", rng.choice(["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"]))
        some = rng.choice(self.resources)
        values = dict(rng.choice(some.attributes)) or self.attributes("pubsub", "Topic", some.name)
        if some.inside and rng.random() < 0.5:
            values = dict(rng.choice(some.inside)) or values
        attribute = rng.choice(sorted(values))
        value = values[attribute]
        value = re.sub(r"\*+", "1", value.text) if isinstance(value, Form) else value
        how = rng.choice(["==", "starts", "ends"])
        cut = rng.randrange(1, len(value))
        return (how, attribute, {"==": value, "starts": value[:cut], "ends": value[cut:]}[how])

    def principal(self, resource):
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            return rng.choice(["user:u{}@example.com", "user:U{}@Example.com"]).format(rng.randrange(4))
        if kind < 0.6:
            return f"group:g{self.number}-{rng.randrange(4)}@example.com"
        if kind < 0.7:
            return f"deleted:user:u{rng.randrange(4)}@example.com?uid=1"
        if kind < 0.88:
            return rng.choice([*IDENTITIES, *SETS])
        if kind < 0.95 and resource.kind.startswith("storage:"):
            word = rng.choice(["Owner", "Editor", "Viewer"])
            return f"project{word}:{rng.choice(self.projects).name.split('/')[1]}"
        return rng.choice(["allUsers", "allAuthenticatedUsers"])

    def grants(self, resource):
        rng, grants = self.rng, {}
        for _ in range(rng.randrange(4)):
            role = rng.choice(["roles/owner", "roles/editor", "roles/viewer", "roles/x.user"])
            condition = self.condition() if rng.random() < 0.4 else None
            grant = Grant(role, self.principal(resource), condition)
            grants[(role, grant.principal.lower(), condition and text_of(condition))] = grant
        return list(grants.values())

    def make_policies(self):
        for resource in self.resources:
            kind = self.rng.random()
            if resource.kind in ("", "storage:Object"):
                continue
            if kind < 0.35 or resource.place:  # Only the scan knows where a bucket is.
                self.scanned[resource.name] = self.grants(resource)
            if 0.25 < kind < 0.6:
                self.read[resource.name] = self.grants(resource)

    # The evaluator -----------------------------------------------------------------------------

    def policy(self, name, late):
        """The grants, and whether only a scan shows them; None where no policy is known."""
        if name in self.read and not (late and name in self.scanned):
            return self.read[name], ""
        return (self.scanned[name], "scan") if name in self.scanned else None

    def above(self, resource):
        found, each = [], resource
        while each.parent is not None and each.name not in self.hidden:
            each = each.parent
            found.append(each)
        return found

    def closure(self, group):
        """All members of a listed group; None: not listed."""
        if group.lower().removeprefix("group:") not in self.groups:
            return None
        seen, members = set(), set()

        def visit(name):
            if name in seen:
                return
            seen.add(name)
            for member in self.groups[name]:
                inner = member.removeprefix("group:")
                if member.startswith("group:") and inner in self.groups:
                    visit(inner)
                else:
                    members.add(member)

        visit(group.lower().removeprefix("group:"))
        return members

    @staticmethod
    def judged(condition, attributes, inside=()):
        if condition is None:
            return "granted"
        verdicts = {VERDICTS[truth(condition, each)] for each in attributes}
        # Of a form it may be known that no text of it makes the condition true.
        formed = any(isinstance(value, Form) for each in attributes for value in each.values())
        if formed and not any(may_hold(condition, each) for each in attributes):
            verdicts = {"not granted"}
        if verdicts == {"not granted"} and any(may_hold(condition, each) for each in inside):
            return "depends"
        return verdicts.pop() if len(verdicts) == 1 else "depends"

    def relation(self, principal, user, through=()):
        """What the principal is for the user, with no condition: a verdict, or None. `through`: groups around it."""
        name, asked = principal.lower(), meaning(user)
        if meaning(principal) == asked:
            return "granted"
        if name == f"deleted:{user}?uid=1":
            return "not granted"
        if user == ELSEWHERE:
            return None
        if name == "allusers":
            return "granted"
        if name == "allauthenticatedusers":
            # Whether clusters have accounts of Google is not documented; jobs elsewhere have none.
            if asked[0] in ("pod", "pods"):
                return "depends"
            return None if asked[0] in ("job", "jobs", "robots") else "granted"
        if principal in SETS:
            return contains(SETS[principal], asked)
        if name.startswith("group:"):
            members = self.groups.get(name.removeprefix("group:"))
            if members is None:
                return "depends"
            if name in through:
                return None
            return self.best([self.relation(member, user, (*through, name)) for member in members])
        return None

    @staticmethod
    def best(verdicts):
        for verdict in ("granted", "depends", "not granted"):
            if verdict in verdicts:
                return verdict
        return None

    @staticmethod
    def both(one, other):
        for verdict in ("not granted", "depends"):
            if verdict in (one, other):
                return verdict
        return "granted"

    def holders(self, principal, late):
        """Of a principal that stands for others: [(principal, verdict)]; None: not known; False: it stands for
        itself."""
        roles = {"projectOwner": "roles/owner", "projectEditor": "roles/editor", "projectViewer": "roles/viewer"}
        word, _, rest = principal.partition(":")
        if word == "group":
            members = self.groups.get(rest.lower())
            return False if members is None else [(member, "granted") for member in members]
        if word not in roles:
            return False
        policy = self.policy(f"projects/{rest}", late)
        if policy is None:
            return None
        return [(grant.principal, self.judged(grant.condition, [{}])) for grant in policy[0]
                if grant.role == roles[word]]

    def shown(self, holders):
        """Groups with their members in their place, and nobody who is deleted with access."""
        for holder, verdict in holders:
            members = self.closure(holder) if holder.startswith("group:") else None
            for each in [holder] if members is None else members:
                yield each, "not granted" if each.startswith("deleted:") else verdict

    def lines_of(self, grant, heir, user, late):
        """(verdict, principal, via) of one grant."""
        verdict = self.judged(grant.condition, *heir)
        holders = self.holders(grant.principal, late)
        if not user:
            own = "not granted" if grant.principal.startswith("deleted:") else verdict
            yield own, grant.principal, ""
            if grant.principal.startswith("group:") and holders:
                # Each member once, however many groups inside have it.
                holders = [(member, "granted") for member in self.closure(grant.principal)]
            for holder, required in self.shown(holders or []):
                yield self.both(verdict, required), holder, grant.principal
            return
        if meaning(grant.principal) == meaning(user):
            yield verdict, user, ""
        elif user == ELSEWHERE:
            return
        elif holders is None:
            yield self.both(verdict, "depends"), user, grant.principal
        elif holders is not False:
            found = []
            for holder, required in holders:
                relation = self.relation(holder, user)
                if relation is not None:
                    found.append(self.both(relation, required))
            required = self.best(found)
            if required is not None:
                yield self.both(verdict, required), user, grant.principal
        else:
            relation = self.relation(grant.principal, user)
            if relation is not None:
                itself = grant.principal.lower() in (user, f"deleted:{user}?uid=1")
                yield self.both(verdict, relation), user, "" if itself else grant.principal

    def askable(self):
        people = [f"user:u{i}@example.com" for i in range(4)]
        groups = [f"group:g{self.number}-{i}@example.com" for i in range(4)]
        return people * 2 + groups * 2 + [*IDENTITIES, *SETS, ELSEWHERE]

    def answers(self, question, late):
        resource = question["resource"]
        # Conditions of the own policy may be about anything in the resource.
        levels = [(resource, "", ([{}],))]
        levels += [(each, each.name, (resource.attributes, resource.inside)) for each in self.above(resource)]
        known = [(origin, heir, self.policy(each.name, late)) for each, origin, heir in levels]
        shown = {each["name"] for each in self.containers}
        if all(policy is None for *_, policy in known) and not any(each.name in shown for each, *_ in levels):
            return None
        lines = []
        for origin, heir, policy in known:
            if policy is None:
                continue
            grants, evidence = policy
            for grant in grants:
                if question["role"] not in ("", "*", grant.role):
                    continue
                for verdict, principal, via in self.lines_of(grant, heir, question["principal"], late):
                    lines.append([verdict, principal, grant.role, via, origin, evidence])
        return lines


def questions_of(world, rng):
    for _ in range(4):
        yield {"resource": rng.choice(world.resources),
               "principal": rng.choice(["", *world.askable()]),
               "role": rng.choice(["*", "*", "roles/owner", "roles/viewer"])}


def bindings_of(grants):
    bindings = []
    for grant in grants:
        binding = {"role": grant.role, "members": [grant.principal]}
        if grant.condition is not None:
            binding["condition"] = {"title": "t", "expression": text_of(grant.condition)}
        bindings.append(binding)
    return bindings


def batch_of(worlds, questions, late):
    by_name = {each.name: each for world in worlds for each in world.resources}

    def policies(of):
        for world in worlds:
            for name, grants in of(world).items():
                resource = by_name[name]
                project = name if name.startswith("projects/") else resource.place
                place = "/".join(project.split("/")[:2]) if project else name
                yield {"kind": resource.kind, "name": name, "place": place, "bindings": bindings_of(grants)}

    return {"policies": list(policies(lambda world: world.read)),
            "scan": {"hoursLater": 40 if late else 1,
                     "containers": [each for world in worlds for each in world.containers],
                     "policies": list(policies(lambda world: world.scanned))},
            "groups": {name: members for world in worlds for name, members in world.groups.items()},
            "questions": [{"target": each["resource"].name, "principal": each["principal"], "role": each["role"]}
                          for _, each in questions]}


def differs(expected, found):
    """Why two answers differ; empty if they do not."""
    if expected is None or found is None:
        return "" if expected is found else "only one of them is an answer"
    if sorted(expected) != sorted(found):
        return "other lines"
    certain = [line[0] in ("granted", "not granted") for line in found]
    return "" if certain == sorted(certain, reverse=True) else "what is certain does not come first"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--worlds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    program = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    compared, counts = 0, collections.Counter()
    for first in range(0, arguments.worlds, BATCH):
        worlds = [World(100 + number, rng) for number in range(first, min(first + BATCH, arguments.worlds))]
        questions = [(world, each) for world in worlds for each in questions_of(world, rng)]
        late = rng.random() < 0.3
        batch = batch_of(worlds, questions, late)
        program.stdin.write(json.dumps(batch) + "\n")
        program.stdin.flush()
        answers = json.loads(program.stdout.readline() or "null")
        if answers is None:
            return "the program ended"
        for (world, question), asked, found in zip(questions, batch["questions"], answers, strict=True):
            expected = world.answers(question, late)
            why = differs(expected, found)
            if why:
                print(json.dumps(batch_of([world], [(world, question)], late), indent=1))
                print("question", asked, "\nexpected", *map(str, sorted(expected or [])), sep="\n  ")
                print("found", *map(str, sorted(found or [])), sep="\n  ")
                return f"seed {arguments.seed}, world {world.number}: {why}"
            compared += 1
            counts.update(line[0] for line in expected or [["no answer"]])
            counts.update("inherited" for line in expected or [] if line[4])
    program.stdin.close()
    if program.wait() != 0:
        return "the program failed"
    if any(counts[each] < arguments.worlds // 4 for each in ("granted", "not granted", "depends", "inherited")):
        return f"the worlds say too little: {dict(counts)}"
    print(f"{compared} answers in {arguments.worlds} hierarchies are equal: {dict(counts)}")
    return None


if __name__ == "__main__":
    sys.exit(main())
