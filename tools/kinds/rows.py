"""Builds and checks the rows of the table from discovery documents and facts.json."""

import re
from dataclasses import dataclass

import discovery
from discovery import TableError


@dataclass(frozen=True)
class Row:
    """One row of the table: see IamRow in src/providers/google/rows/iam_rows.h."""

    id: str
    service: str
    kind: str
    noun: str
    versions: tuple
    wire: discovery.Wire
    location_host: str
    names: tuple
    conditions_documented: bool
    preview: bool
    container: bool
    whole_policy: bool
    public_by_url: bool
    public_refused: bool
    basic_conditions_refused: bool
    policy_of: str
    conflict: int
    etag_unproven: bool
    permission: str
    retired: str
    terraform: tuple
    terraform_id: tuple
    note: str


def split_words(kind):
    """"Hl7V2Store" → ["hl7", "v2", "store"]"""
    return [word.lower() for word in re.findall(r"[A-Z][a-z0-9]*", kind)]


class Facts:
    """Facts missing from the discovery documents. Tracks which ones are used."""

    def __init__(self, facts):
        self.facts = facts
        self.used = set()

    def of(self, topic, *keys, default=None):
        """Returns the fact for the first key that has one."""
        for key in keys:
            if key in self.facts[topic]:
                self.used.add((topic, key))
                return self.facts[topic][key]
        return default

    def listed(self, topic, service, kind):
        """Whether a {service: [kinds]} topic contains the kind; "*" means all kinds."""
        kinds = self.facts[topic].get(service, [])
        for word in (kind, "*"):
            if word in kinds:
                self.used.add((topic, service, word))
                return True
        return False

    def unused(self):
        """Yields the facts that no row uses."""
        for topic, entries in self.facts.items():
            if topic in UNTRACKED:
                continue
            for key, value in entries.items():
                words = [(topic, key, word) for word in value] if topic in LISTS else [(topic, key)]
                yield from (word for word in words if word not in self.used)


LISTS = (
    "conditions",
    "containers",
    "whole_policies",
    "public_by_url",
    "public_refused",
    "basic_conditions_refused",
    "etags_unproven",
    "permission_unknown",
)
UNTRACKED = (
    "source",
    "aliases",
    "service_notes",
    "permission_services_without_row",
    "permission_types",
    "terraform_without_row",
)


def noun_of(facts, row_id, kind):
    given = facts.of("nouns", row_id)
    if given:
        return given
    words = " ".join(split_words(kind))
    for plain, written in facts.facts["words"].items():
        fixed = re.sub(rf"\b{plain}\b", written, words)
        if fixed != words:
            facts.used.add(("words", plain))
        words = fixed
    return words


def permission_of(facts, row_id, service, kind, name):
    if facts.listed("permission_unknown", service, kind):
        return ""
    given = facts.of("permissions", row_id)
    if given:
        return given
    prefix = facts.of("permission_services", service, default=service)
    collections = [part for part in name.split("/") if not part.startswith("{")]
    return f"{prefix}.{collections[-1]}"


def terraform_of(facts, row_id, names):
    """Returns the Terraform prefixes and identifying arguments, one per name; "/" between several of one name."""
    families, arguments = ["-"] * len(names), ["-"] * len(names)
    for family, target in facts.facts["terraform"].items():
        target_id, argument, *name = target.split(" ")
        if target_id != row_id:
            continue
        facts.used.add(("terraform", family))
        index = names.index(name[0]) if name else 0
        if families[index] == "-":
            families[index], arguments[index] = family, argument
        else:
            families[index] += f"/{family}"
            arguments[index] += f"/{argument}"
    if set(families) == {"-"}:
        return (), ()
    return tuple(families), tuple(arguments) if set(arguments) != {"-"} else ()


def names_of(facts, row_id, methods):
    names = {discovery.placeholders(method.flat) for method in methods}
    return tuple(facts.of("names", row_id) or sorted(names, key=lambda name: (name.count("/"), name)))


def make_row(facts, service, kind, versions):
    order = sorted(versions, key=discovery.rank)
    methods = versions[order[0]]
    row_id = f"{service}/{order[0]}:{kind}"
    wires = {method.wire for method in methods}
    if len(wires) != 1:
        raise TableError(f"{row_id}: its names differ in wire values: {wires}")
    names = names_of(facts, row_id, methods)
    terraform, terraform_id = terraform_of(facts, row_id, names)
    row = Row(
        id=row_id,
        service=service,
        kind=kind,
        noun=noun_of(facts, row_id, kind),
        versions=tuple(order),
        wire=wires.pop(),
        location_host=facts.of("location_hosts", row_id, service, default=""),
        names=names,
        conditions_documented=facts.listed("conditions", service, kind),
        preview=not discovery.stable(order[0]),
        container=facts.listed("containers", service, kind),
        whole_policy=facts.listed("whole_policies", service, kind),
        public_by_url=facts.listed("public_by_url", service, kind),
        public_refused=facts.listed("public_refused", service, kind),
        basic_conditions_refused=facts.listed("basic_conditions_refused", service, kind),
        policy_of=facts.of("policies", row_id, default=""),
        conflict=facts.of("conflicts", service, default=409),
        etag_unproven=facts.listed("etags_unproven", service, kind),
        permission=permission_of(facts, row_id, service, kind, names[0]),
        retired=facts.of("retired", row_id, service, default=""),
        terraform=terraform,
        terraform_id=terraform_id,
        note=facts.of("notes", row_id, default=""),
    )
    check_urls(row, methods)
    for version in order[1:]:
        for method in versions[version]:
            if not any(fits(name, method.flat) for name in names):
                raise TableError(f"{row_id}: no name matches {method.flat} of {version}")
    return row


def unnamed(text):
    return re.sub(r"\{[^}]*\}", "{}", text)


def fits(name, flat):
    """Whether a name template matches the document's template, segment by segment."""
    if re.fullmatch(r"\{[^}/]*\}", flat):  # Its pattern is ^.*$.
        return True
    parts, wanted = unnamed(name).split("/"), unnamed(flat).split("/")
    return len(parts) == len(wanted) and all(w in ("{}", p) for p, w in zip(parts, wanted))


def check_urls(row, methods):
    """Checks that URLs rebuilt from the row equal those of the document."""
    ends = ("", "", "/testPermissions") if row.wire.suffix == "/iam" else discovery.METHODS
    for method in methods:
        mine = [name for name in row.names if fits(name, method.flat)]
        if not mine:
            raise TableError(f"{row.id}: no name matches {method.flat}")
        # If the document has a wildcard for whole names, check the document's own template.
        same = [name for name in mine if unnamed(name) == unnamed(method.flat)] or [method.flat]
        for name in same:
            for url, end in zip(method.urls, ends):
                built = unnamed(row.wire.path + name + row.wire.suffix + end)
                if built != unnamed(url):
                    raise TableError(f"{row.id}: the row gives {built}, the document has {url}")
    for name in row.names:
        if not any(fits(name, method.flat) for method in methods):
            raise TableError(f"{row.id}: no document has {name}")


def segments_meet(one, other):
    """Whether some segment matches both templates."""
    if "{" not in one:
        return one == other if "{" not in other else segments_meet(other, one)
    before, after = re.split(r"\{[^}]*\}", one, maxsplit=1)
    if "{" not in other:
        enough = len(other) > len(before) + len(after)
        return enough and other.startswith(before) and other.endswith(after)
    other_before, other_after = re.split(r"\{[^}]*\}", other, maxsplit=1)
    fronts = before.startswith(other_before) or other_before.startswith(before)
    return fronts and (after.endswith(other_after) or other_after.endswith(after))


def names_meet(one, other):
    """Whether some name matches both templates."""
    parts, others = one.split("/"), other.split("/")
    for part, another in zip(parts, others):
        if "=**}" in part or "=**}" in another:
            return True
        if not segments_meet(part, another):
            return False
    return len(parts) == len(others)


def check_names(shapes):
    """Yields an error for each pair of templates of a service that match the same name. shapes:
    [(service, row id, template)]"""
    for index, (service, row_id, name) in enumerate(shapes):
        for other_service, other_id, other in shapes[index + 1 :]:
            if service == other_service and names_meet(name, other):
                yield f"{row_id} {name} and {other_id} {other} match the same name"


def check_policies(rows):
    """Yields an error for each policy_of without such a row, name or placeholder."""
    by_id = {row.id: row for row in rows}
    for row in rows:
        if not row.policy_of:
            continue
        target, name = row.policy_of.split(" ")
        if target not in by_id or by_id[target].policy_of:
            yield f"{row.id}: no row with policies {target}"
        elif not any(names_meet(one, name) for one in by_id[target].names):
            yield f"{row.id}: {target} has no name {name}"
        placeholders = [sorted(re.findall(r"\{\w+\}", text)) for text in (name, *row.names)]
        if any(one != placeholders[0] for one in placeholders):
            yield f"{row.id}: {name} has other placeholders"


def make_rows(methods, facts):
    rows = [
        make_row(facts, service, kind, versions)
        for (service, kind), versions in discovery.group(methods, facts.facts["kinds"]).items()
    ]
    facts.used.update(("kinds", f"{method.service} {method.chain}") for method in methods)
    rows.sort(key=lambda row: row.id)
    faults = list(check_names([(row.service, row.id, name) for row in rows for name in row.names]))
    faults += list(check_policies(rows))
    faults += [f"facts.json: unused: {' '.join(words)}" for words in facts.unused()]
    if faults:
        raise TableError("\n".join(faults))
    return rows


def read_tokens(text):
    """Yields (token, row id or "", sentence) for each line of google_native.txt."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            token, target, *sentence = line.split(maxsplit=2)
            yield token, "" if target == "GONE" else target, " ".join(sentence)


def make_aliases(rows, tokens):
    """Returns (token, row id, sentence) for each token that is not a spelling of a row."""
    spelled = {f"{row.service}/{version}:{row.kind}": row.id for row in rows for version in row.versions}
    ids = {row.id for row in rows}
    aliases = []
    for token, target, sentence in tokens:
        if token in spelled:
            if spelled[token] != target:
                raise TableError(f"{token}: a spelling of {spelled[token]}, not of {target or 'GONE'}")
            continue
        if target and target not in ids:
            raise TableError(f"{token}: unknown row {target}")
        if bool(target) == bool(sentence):
            raise TableError(f"{token}: needs either a row or a sentence")
        aliases.append((token, target, sentence))
    return sorted(aliases)


def shape_of(name):
    """Returns a form of names without what its variables are called."""
    return re.sub(r"\{[^}]*\}", "{}", name)


def described_after_all(types, table):
    """Yields an error for each of the types, {id: name}, that the table has. table: rows with id and names"""
    known = {
        (row["id"].split("/")[0], shape_of(name)) for row in table for name in row["names"].split(" ")
    }
    for token, name in types.items():
        if (token.split("/")[0], shape_of(name)) in known:
            yield f"{token} is in the table: remove it"
