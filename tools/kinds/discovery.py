"""Reads Google's discovery documents: which types of resources have an allow policy, and how it is
read and written."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass

METHODS = ("getIamPolicy", "setIamPolicy", "testIamPermissions")
# Where a reading says which version of the policy it wants.
QUERIES = {
    "options.requestedPolicyVersion": "kDottedQuery",
    "optionsRequestedPolicyVersion": "kFlatQuery",
}


class Odd(Exception):
    """Something in a document, or in a fact, that the generator has no rule for."""


@dataclass(frozen=True)
class Wire:
    """How a policy is read and written, all that one row says for all its names."""

    host: str
    path: str
    suffix: str
    get: str
    set: str
    test: str
    version_place: str
    bare_body: bool
    update_mask: bool
    audit_configs: bool


@dataclass(frozen=True)
class Method:
    """The methods of one type in one version of a service."""

    service: str
    version: str
    chain: str  # "projects.locations.topics": where the methods stand in the document.
    flat: str  # "projects/{projectsId}/topics/{topicsId}": the name as the document has it.
    urls: tuple  # The flat paths of the methods that read and write, as the document has them.
    wire: Wire

    @property
    def label(self):
        return f"{self.service}/{self.version} {self.chain}"


def singular(word):
    """The singular of a collection's name."""
    if word.endswith("ies"):
        return word[:-3] + "y"
    if re.search(r"(?:ss|x|ch|[bB]us)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def verb(method):
    return "k" + method["httpMethod"].capitalize() if method else "kNone"


def path_of(document, method):
    return document["servicePath"] + method.get("flatPath", method["path"])


def properties(document, reference):
    return document["schemas"][reference["$ref"]].get("properties", {})


def version_place(document, method):
    for query, place in QUERIES.items():
        if query in method["parameters"]:
            return place
    if method["httpMethod"] == "POST" and "request" in method:
        options = properties(document, method["request"]).get("options")
        if options and "requestedPolicyVersion" in properties(document, options):
            return "kBody"
    return "kNowhere"


def split_url(label, url):
    """A method's URL as what is before the name, the name, and what the method is put after."""
    for suffix, ending in ((":", ":getIamPolicy"), ("/", "/getIamPolicy"), ("/iam", "/iam")):
        if url.endswith(ending):
            found = re.fullmatch(r"((?:[a-z]+/)?(?:v\d\w*|alpha|beta|preview)/)(.+)", url[: -len(ending)])
            if found:
                return found.group(1), found.group(2), suffix
    raise Odd(f"{label}: an unknown form of URL: {url}")


def read_type(document, chain, methods):
    get, put = methods["getIamPolicy"], methods["setIamPolicy"]
    label = f"{document['name']}/{document['version']} {chain}"
    path, flat, suffix = split_url(label, path_of(document, get))
    policy = properties(document, get["response"])
    body = properties(document, put["request"])
    bare = "bindings" in body and "policy" not in body
    if not bare and "policy" not in body:
        raise Odd(f"{label}: what is written is neither a policy nor holds one")
    wire = Wire(
        host=re.fullmatch(r"https://([^/]+)/", document["rootUrl"]).group(1),
        path=path,
        suffix=suffix,
        get=verb(get),
        set=verb(put),
        test=verb(methods.get("testIamPermissions")),
        version_place=version_place(document, get),
        bare_body=bare,
        update_mask="updateMask" in body,
        audit_configs="auditConfigs" in policy,
    )
    urls = (path_of(document, get), path_of(document, put))
    return Method(document["name"], document["version"], chain, flat, urls, wire)


def walk(resource, chain=()):
    """Yields (chain, methods) of each resource below one."""
    yield ".".join(chain), resource.get("methods", {})
    for name, below in resource.get("resources", {}).items():
        yield from walk(below, (*chain, name))


def read_document(document):
    """Yields the methods of each type with a policy."""
    for chain, methods in walk(document):
        named = {name: methods[name] for name in METHODS if name in methods}
        if "getIamPolicy" in named and "setIamPolicy" in named:
            yield read_type(document, chain, named)


def read_all(folder):
    """The methods of all types of all documents, and how many documents there are."""
    methods, count = [], 0
    for path in sorted(folder.glob("*.json")):
        if path.name == "index.json":
            continue
        count += 1
        methods.extend(read_document(json.loads(path.read_text(encoding="utf-8"))))
    return methods, count


def placeholders(flat):
    """The name with placeholders called by what they stand for: "{topicsId}" → "{topic}"."""
    parts = flat.split("/")
    for index, part in enumerate(parts):
        if not part.startswith("{"):
            continue
        before = parts[index - 1] if index else ""
        if len(before) > 1 and not before.startswith("{"):  # Not the "b" and "o" of storage.
            parts[index] = "{" + singular(before) + "}"
    return "/".join(parts)


def kind_of(chain):
    """"projects.locations.keyRings.cryptoKeys" → "KeyRingCryptoKey"."""
    words = chain.split(".")
    # What nearly all names begin with says nothing; what is a project itself, does.
    kept = words[1:] if words[0] == "projects" and len(words) > 1 else words
    kept = [word for word in kept if word not in ("locations", "global")] or kept
    return "".join(singular(word)[0].upper() + singular(word)[1:] for word in kept)


def rank(version):
    """Sorts versions: stable before preview, new before old."""
    found = re.fullmatch(r"(?:v(\d+))?(?:p\d+)?(alpha|beta|preview)?(\d*)", version)
    if not found:
        raise Odd(f"an unknown form of version: {version}")
    major, stage, minor = found.groups()
    order = {None: 0, "beta": 1, "preview": 2, "alpha": 3}[stage]
    return order, -int(major or 0), -int(minor or 0)


def stable(version):
    return rank(version)[0] == 0


def group(methods, kinds):
    """{(service, kind): {version: [Method, …]}}; kinds: {method label: kind} where the rule does
    not give the kind."""
    groups = defaultdict(lambda: defaultdict(list))
    for method in methods:
        kind = kinds.get(f"{method.service} {method.chain}") or kind_of(method.chain)
        groups[method.service, kind][method.version].append(method)
    return groups
