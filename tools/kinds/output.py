"""Writes the table: the data of the program and the page for people."""

import textwrap

MADE = "Made by ./dev kinds (tools/kinds). Do not edit."


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fields(row):
    """The members of IamRow that differ from their defaults, in its order."""
    yield "id", quoted(row.id)
    yield "service", quoted(row.service)
    yield "kind", quoted(row.kind)
    yield "noun", quoted(row.noun)
    yield "versions", quoted(" ".join(row.versions))
    yield "host", quoted(row.wire.host)
    if row.location_host:
        yield "location_host", quoted(row.location_host)
    yield "path", quoted(row.wire.path)
    yield "names", quoted(" ".join(row.names))
    yield "suffix", quoted(row.wire.suffix)
    for verb in ("get", "set", "test"):
        if getattr(row.wire, verb) != "kNone":
            yield verb, getattr(row.wire, verb)
    if row.wire.version_place != "kNowhere":
        yield "version_place", row.wire.version_place
    for part, names in (
        (row.wire, ("bare_body", "update_mask", "audit_configs")),
        (row, ("conditions_documented", "preview", "container")),
    ):
        for name in names:
            if getattr(part, name):
                yield name, "true"
    if row.conflict != 409:
        yield "conflict", str(row.conflict)
    for name, text in (
        ("permission", row.permission),
        ("retired", row.retired),
        ("terraform", " ".join(row.terraform)),
        ("terraform_id", " ".join(row.terraform_id)),
    ):
        if text:
            yield name, quoted(text)


def rows_file(rows):
    lines = [f"// {MADE}"]
    for row in rows:
        lines.append("{" + ", ".join(f".{name} = {value}" for name, value in fields(row)) + "},")
    return "\n".join(lines) + "\n"


def aliases_file(aliases):
    lines = [f"// {MADE}"]
    lines += [f"{{{', '.join(quoted(text) for text in alias)}}}," for alias in aliases]
    return "\n".join(lines) + "\n"


def cell(text):
    return text.replace("|", "\\|")


def remarks(row):
    said = []
    if row.preview:
        said.append("preview")
    if row.container:
        said.append("container")
    if row.retired:
        said.append(f"retired: {row.retired}")
    if row.note:
        said.append(row.note)
    return "; ".join(said)


def page_row(row):
    names = "<br>".join(f"`{name}`" for name in row.names)
    kind = f"`{row.versions[0]}:{row.kind}`"
    others = ", ".join(row.versions[1:])
    if others:
        kind += f"<br>also {others}"
    permission = f"`{row.permission}`" if row.permission else ""
    conditions = "yes" if row.conditions_documented else ""
    return f"| {kind} | {names} | {conditions} | {permission} | {cell(remarks(row))} |"


def page(rows, aliases, introduction, notes):
    """docs/kinds.md. notes: {service: a sentence}"""
    text = introduction
    services = {}
    for row in rows:
        services.setdefault(row.service, []).append(row)
    text = text.replace("@ROWS@", str(len(rows))).replace("@SERVICES@", str(len(services)))
    parts = [text.rstrip("\n"), "", "## Kinds", ""]
    for service, its in services.items():
        hosts = " or ".join(dict.fromkeys(f"`{row.wire.host}`" for row in its))
        locations = dict.fromkeys(row.location_host for row in its if row.location_host)
        parts += [f"### {service}", "", f"Host: {hosts}."]
        parts += [f"For names in a location: `{host}`." for host in locations]
        parts += [notes[service]] if service in notes else []
        parts += ["", "| kind | name | conditions | permissions | remarks |", "| --- | --- | --- | --- | --- |"]
        parts += [page_row(row) for row in its] + [""]
    parts += ["## Kinds that are gone", ""]
    parts += textwrap.wrap(
        "google-native has these, Google has not any more. A manifest that names one is refused with the "
        "sentence beside it.",
        width=120,
    )
    parts += ["", "| kind | what became of it |", "| --- | --- |"]
    parts += [f"| `{token}` | {cell(text)} |" for token, target, text in aliases if not target]
    return "\n".join(parts) + "\n"
