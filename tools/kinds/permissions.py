"""Collects the names of permissions: SERVICE.TYPE.VERB. docs/manifests.md says what they are for.

Google publishes no list that could be read here. The types and verbs are those of the permissions in
google_roles.txt, of the rows, of the REST methods, which permissions mostly follow
(https://cloud.google.com/iam/docs/roles-overview), and a few of facts.json."""

import re
import textwrap

from output import HEADER, quoted

PERMISSION = re.compile(r"(?<![\w.])([a-z]\w*)\.(\w+)\.(\w+)(?![\w.])")
# Of every type, and of types with tags; REST methods have other names for them (insert, patch).
COMMON_VERBS = {"create", "delete", "get", "list", "update", "getIamPolicy", "setIamPolicy"}
TAG_VERBS = {"createTagBinding", "deleteTagBinding", "listEffectiveTags", "listTagBindings"}


def collect(roles_text, table, methods, facts):
    """Returns {service: types} and the verbs. methods: (service, type or "", verb) of REST methods."""
    types, verbs = {}, COMMON_VERBS | TAG_VERBS
    names = facts.facts["permission_services"] | facts.facts["permission_services_without_row"]
    for line in roles_text.splitlines():
        evidence = "" if line.startswith("#") else line.split("\t")[-1]
        for service, kind, verb in PERMISSION.findall(evidence):
            types.setdefault(service, set()).add(kind)
            verbs.add(verb)
    for row in table:
        if row.permission.count(".") == 1:
            service, kind = row.permission.split(".")
            types.setdefault(service, set()).add(kind)
    for service, words in facts.facts["permission_types"].items():
        types.setdefault(service, set()).update(words.split(" "))
    for service, kind, verb in methods:
        if kind:
            types.setdefault(names.get(service, service), set()).add(kind)
        verbs.add(verb)
    return types, {verb for verb in verbs if verb.isalnum()}


def without_roles(verbs, roles):
    """No verb may end a role of the same form: roles/cloudbuild.builds.editor makes none of "editor"."""
    return verbs - {role.rpartition(".")[2] for role in roles if role.count(".") > 1}


def types_file(types):
    lines = [f"// {HEADER}"]
    lines += [f"{{{quoted(service)}, {quoted(' '.join(sorted(names)))}}}," for service, names in sorted(types.items())]
    return "\n".join(lines) + "\n"


def verbs_file(verbs):
    lines = textwrap.wrap(" ".join(sorted(verbs)), width=110)
    texts = [quoted(line + " ") for line in lines[:-1]] + [quoted(line) for line in lines[-1:]]
    return "\n".join([f"// {HEADER}", *texts]) + "\n"
