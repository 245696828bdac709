"""Reads Google's discovery documents: which resource types have an IAM allow policy, and how clients
read and write it."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass

CLOUD_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
METHODS = ("getIamPolicy", "setIamPolicy", "testIamPermissions")
# Query parameters that state the wanted policy version.
QUERIES = {
    "options.requestedPolicyVersion": "kDottedQuery",
    "optionsRequestedPolicyVersion": "kFlatQuery",
}


class TableError(Exception):
    """An inconsistency in the documents, the facts or the table."""


@dataclass(frozen=True)
class Wire:
    """How clients read and write a policy. All names of a row share it."""

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
    """The policy methods of one resource type in one version of a service."""

    service: str
    version: str
    chain: str  # "projects.topics": position in the document.
    flat: str  # "projects/{projectsId}/topics/{topicsId}": name template of the document.
    urls: tuple  # Flat paths of METHODS, as far as the type has them.
    requests: tuple  # The same with verb, query parameters and body fields, as texts.
    wire: Wire

    @property
    def label(self):
        return f"{self.service}/{self.version} {self.chain}"


def singular(word):
    """Returns the singular of a collection name."""
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
    """Splits the path of getIamPolicy into path prefix, name and suffix."""
    for suffix, ending in ((":", ":getIamPolicy"), ("/", "/getIamPolicy"), ("/iam", "/iam")):
        if url.endswith(ending):
            found = re.fullmatch(r"((?:[a-z]+/)?(?:v\d\w*|alpha|beta|preview)/)(.+)", url[: -len(ending)])
            if found:
                return found.group(1), found.group(2), suffix
    raise TableError(f"{label}: unknown URL form: {url}")


def request_of(document, method):
    """"GET v1/projects/{}/topics/{}:getIamPolicy options.requestedPolicyVersion -": verb, path, query
    parameters, and body fields with those of the policy and the options; "-" for none."""
    queries = sorted(
        name for name, one in method.get("parameters", {}).items() if one["location"] == "query"
    )
    fields = []
    for name in sorted(properties(document, method["request"])) if "request" in method else []:
        fields.append(name)
        below = properties(document, method["request"])[name]
        if name in ("policy", "options") and "$ref" in below:
            fields += [f"{name}.{field}" for field in sorted(properties(document, below))]
    path = re.sub(r"\{[^}]*\}", "{}", path_of(document, method))
    return " ".join((method["httpMethod"], path, ",".join(queries) or "-", ",".join(fields) or "-"))


def read_type(document, chain, methods):
    get, put = methods["getIamPolicy"], methods["setIamPolicy"]
    label = f"{document['name']}/{document['version']} {chain}"
    path, flat, suffix = split_url(label, path_of(document, get))
    policy = properties(document, get["response"])
    body = properties(document, put["request"])
    bare = "bindings" in body and "policy" not in body
    if not bare and "policy" not in body:
        raise TableError(f"{label}: the request of setIamPolicy has no policy")
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
    urls = tuple(path_of(document, methods[name]) for name in METHODS if name in methods)
    requests = tuple(request_of(document, methods[name]) for name in METHODS if name in methods)
    return Method(document["name"], document["version"], chain, flat, urls, requests, wire)


def walk(resource, chain=()):
    """Yields (chain, methods) for a resource and all its descendants."""
    yield ".".join(chain), resource.get("methods", {})
    for name, below in resource.get("resources", {}).items():
        yield from walk(below, (*chain, name))


def read_document(document):
    """Yields a Method for each type with getIamPolicy and setIamPolicy."""
    for chain, methods in walk(document):
        named = {name: methods[name] for name in METHODS if name in methods}
        if "getIamPolicy" in named and "setIamPolicy" in named:
            yield read_type(document, chain, named)


def read_all(folder):
    """Returns the Methods of all documents and the number of documents."""
    methods, count = [], 0
    for path in sorted(folder.glob("*.json")):
        if path.name == "index.json":
            continue
        count += 1
        methods.extend(read_document(json.loads(path.read_text(encoding="utf-8"))))
    return methods, count


def read_cloud_methods(folder):
    """Yields (service, collection or "", method) of the methods of all services of Google Cloud."""
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if CLOUD_SCOPE not in document.get("auth", {}).get("oauth2", {}).get("scopes", {}):
            continue
        for chain, methods in walk(document):
            for method in methods:
                yield document["name"], chain.rpartition(".")[2], method


def named_roles(folder):
    """Returns the roles that the texts of the documents name: "For example, `roles/viewer`"."""
    return {
        role
        for path in folder.glob("*.json")
        for role in re.findall(r"`(roles/[\w.]+)`", path.read_text(encoding="utf-8"))
    }


def placeholders(flat):
    """Renames placeholders after their collection: "{topicsId}" → "{topic}"."""
    parts = flat.split("/")
    for index, part in enumerate(parts):
        if not part.startswith("{"):
            continue
        before = parts[index - 1] if index else ""
        if len(before) > 1 and not before.startswith("{"):  # Skips "b" and "o" of storage.
            parts[index] = "{" + singular(before) + "}"
    return "/".join(parts)


def kind_of(chain):
    """"projects.locations.keyRings.cryptoKeys" → "KeyRingCryptoKey"."""
    words = chain.split(".")
    # "projects" and "locations" are noise, except for the project itself.
    kept = words[1:] if words[0] == "projects" and len(words) > 1 else words
    kept = [word for word in kept if word not in ("locations", "global")] or kept
    return "".join(singular(word)[0].upper() + singular(word)[1:] for word in kept)


def rank(version):
    """Sort key for versions: stable before preview, newer before older."""
    found = re.fullmatch(r"(?:v(\d+))?(?:p\d+)?(alpha|beta|preview)?(\d*)", version)
    if not found:
        raise TableError(f"unknown version form: {version}")
    major, stage, minor = found.groups()
    order = {None: 0, "beta": 1, "preview": 2, "alpha": 3}[stage]
    return order, -int(major or 0), -int(minor or 0)


def stable(version):
    return rank(version)[0] == 0


def group(methods, kinds):
    """Returns {(service, kind): {version: [Method, …]}}. kinds overrides kind_of(): {"SERVICE CHAIN":
    kind}."""
    groups = defaultdict(lambda: defaultdict(list))
    for method in methods:
        kind = kinds.get(f"{method.service} {method.chain}") or kind_of(method.chain)
        groups[method.service, kind][method.version].append(method)
    return groups
