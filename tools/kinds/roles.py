"""Ranks the predefined roles by what they let their holder do. docs/drift.md describes the ranks."""

import re

from discovery import TableError
from output import HEADER, quoted

SEVERITIES = ("low", "medium", "high", "critical")

# What a role lets its holder do, where it is granted on a project or above, from the gravest down.
RANKS = {
    "container-policy": "critical",  # grants roles on a project, folder, organization, billing account
    "becomes-account": "critical",  # makes tokens, signatures or keys of service accounts
    "guard-rails": "critical",  # changes roles, organization policies, deny policies, boundaries
    "outside-identities": "critical",  # admits identities of another provider
    "runs-as-editor": "critical",  # runs deployments under an account with roles/editor
    "runs-code-as-account": "critical",  # runs code of its choice under a service account
    "acts-as-account": "high",  # may attach a service account, but runs nothing
    "runs-builds": "high",  # runs builds under the account of builds
    "sets-policy": "high",  # grants roles on something smaller than a container
    "secrets": "high",  # reads secrets, uses keys
    "towards-identity": "high",  # a step to another identity: metadata, login, keys of an API
    "ends-container": "high",  # deletes a project or folder, or ends its billing
    "reads-everything": "high",  # roles/viewer, roles/reader
    "reads-data": "medium",  # objects, rows, messages, private logs
    "changes": "medium",  # changes or uses something
    "metadata-named-wider": "medium",  # called admin, editor or user, but the lists show only reading
    "unknown": "medium",  # the lists show no permission
    "metadata": "low",  # gets, lists and searches
}


def severity_of(role, ability):
    rank = RANKS[ability]
    # Only the agent of Google should hold it: somebody else who does has more than meant.
    if "serviceagent" in role.lower() and rank in ("low", "medium"):
        return "high"
    return rank


def read_roles(text):
    """Returns {role: severity}."""
    found = {}
    previous = ""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        role, ability = line.split("\t")[:2]
        if not role.startswith("roles/") or ability not in RANKS:
            raise TableError(f"google_roles.txt: {line}: not a role and an ability")
        if role <= previous:
            raise TableError(f"google_roles.txt: {role}: not sorted, or there twice")
        previous = role
        found[role] = severity_of(role, ability)
    return found


def split(role):
    """roles/SERVICE.NAME, or a basic role, which has no service."""
    service, dot, name = role.removeprefix("roles/").partition(".")
    return (service, name) if dot else ("", service)


def read_basic(text):
    """Returns the basic roles that basic_roles.inc ranks."""
    return re.findall(r'^\{"(roles/[^"]+)"', text, re.MULTILINE)


def check_basic(roles, basic, where):
    """A role without a service lets its holder do something everywhere: none goes unranked."""
    missing = sorted({role for role in roles if not split(role)[0]} - set(basic))
    if missing:
        raise TableError(f"{where}: {', '.join(missing)}: a basic role that basic_roles.inc does not rank")


def roles_file(roles):
    """One row per service with the names of its roles by severity."""
    services = {}
    for role, severity in roles.items():
        service, name = split(role)
        services.setdefault(service, {}).setdefault(severity, []).append(name)
    lines = [f"// {HEADER}"]
    for service, names in sorted(services.items()):
        fields = [f".service = {quoted(service)}"]
        fields += [f".{severity} = {quoted(' '.join(sorted(names[severity])))}" for severity in SEVERITIES if severity in names]
        lines.append("{" + ", ".join(fields) + "},")
    return "\n".join(lines) + "\n"
