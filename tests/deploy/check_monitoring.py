#!/usr/bin/env python3
"""What ties rules, dashboard, runbooks and metrics together: no metric that the program has and the page
does not, or the other way round; no name of a metric or label that is not documented; no alert without
its page and its test, no page without its alert."""

import json
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MONITORING = ROOT / "deploy" / "monitoring"
RUNBOOKS = ROOT / "docs" / "runbooks"
METRIC = re.compile(r"\b((?:bindery|controller_runtime|workqueue|process)_[a-z0-9_]+)\b(?!\s*=[^=])")
RECORDED = re.compile(r"\bbindery:[a-z0-9_:]+")
ROW = re.compile(r"^\| `([a-z0-9_]+)` \| (\w+) \| ([^|]*)\|", re.M)
IN_SOURCE = re.compile(r'"((?:bindery|controller_runtime|workqueue|process)_[a-z0-9_]+)"')
SELECTOR = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\{([^{}]*)\}")
LABEL = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)")
GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)\)")
IN_ANNOTATION = re.compile(r"\$labels\.(\w+)")
IN_LEGEND = re.compile(r"\{\{\s*(\w+)\s*\}\}")
# What Prometheus gives every series; the namespace in Kubernetes.
SCRAPED = {"job", "instance", "namespace"}
SEVERITIES = {"critical", "warning", "info"}


def rules():
    for path in sorted((MONITORING / "rules").glob("*.yaml")):
        for group in yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]:
            yield from group["rules"]


def documented_metrics():
    """{name: its labels} of docs/metrics.md."""
    found = {"up": set(SCRAPED)}
    for name, kind, labels in ROW.findall((ROOT / "docs/metrics.md").read_text(encoding="utf-8")):
        found[name] = SCRAPED | set(re.findall(r"`(\w+)`", labels)) | ({"le"} if kind == "histogram" else set())
    return found


def check_page(documented):
    """The page has the program's metrics and no others. A daemon does not show families without series,
    so the names are taken from its source."""
    named = set()
    for path in (ROOT / "src" / "telemetry").glob("*.h"):
        named.update(IN_SOURCE.findall(path.read_text(encoding="utf-8")))
    for name in sorted(named - set(documented)):
        yield f"docs/metrics.md has no {name}, which the program has"
    for name in sorted(set(documented) - named - {"up"}):
        yield f"docs/metrics.md has {name}, which the program has not"


def metrics_of(expression):
    return METRIC.findall(re.sub(r'"[^"]*"', '""', expression)) + RECORDED.findall(expression) + re.findall(r"\bup\b", expression)


def labels_of(name, known):
    """Of a metric, or of the parts of a histogram; None when there is no such metric."""
    return known.get(name, known.get(re.sub(r"_(bucket|sum|count)$", "", name)))


def labels_of_rule(rule, known):
    """Those of what a rule records: what it is grouped by, else those of what it is made of."""
    grouped = re.findall(r"\bby\s*\(([^()]*)\)", rule["expr"])
    if grouped:
        return {label.strip() for label in grouped[0].split(",")}
    return set().union(*(labels_of(name, known) or set() for name in metrics_of(rule["expr"])))


def check_expression(where, expression, known, shown):
    """`shown`: labels that are shown of its result."""
    names = metrics_of(expression)
    for name in names:
        if labels_of(name, known) is None:
            yield f"{where}: neither docs/metrics.md nor a rule has {name}"
    for name, matchers in SELECTOR.findall(expression):
        for label in LABEL.findall(re.sub(r'"[^"]*"', '""', matchers)):
            if label not in (labels_of(name, known) or {label}):
                yield f"{where}: {name} has no label {label}"
    possible = set().union(*(labels_of(name, known) or set() for name in names))
    for group in GROUPING.findall(expression) + shown:
        for label in filter(None, (part.strip() for part in group.split(","))):
            if label not in possible:
                yield f"{where}: none of its metrics has a label {label}"


def check_alert(alert, tests):
    name = alert["alert"]
    page = RUNBOOKS / f"{name}.md"
    if not page.exists():
        yield f"{name}: no page {page.relative_to(ROOT)}"
    elif not page.read_text(encoding="utf-8").startswith(f"# {name}\n"):
        yield f"{page.relative_to(ROOT)}: the title is not {name}"
    if not alert["annotations"]["runbook_url"].endswith(f"/docs/runbooks/{name}.md"):
        yield f"{name}: runbook_url does not lead to its page"
    if alert["labels"].get("severity") not in SEVERITIES:
        yield f"{name}: severity is not one of {', '.join(sorted(SEVERITIES))}"
    for annotation in ("summary", "description"):
        if not alert["annotations"].get(annotation):
            yield f"{name}: no {annotation}"
    if f'alertname="{name}"' not in tests:
        yield f"{name}: no test in deploy/monitoring/tests"


def check_dashboard(known):
    dashboard = json.loads((MONITORING / "dashboards" / "bindery.json").read_text(encoding="utf-8"))
    panels = dashboard["panels"]
    identifiers = [panel["id"] for panel in panels]
    if len(identifiers) != len(set(identifiers)):
        yield "dashboard: two panels with one id"
    places = set()
    for panel in panels:
        at = panel["gridPos"]
        taken = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        if taken & places:
            yield f"dashboard, {panel['title']}: lies over another panel"
        places |= taken
    for panel in panels:
        where = f"dashboard, {panel['title']}"
        if panel["type"] != "row" and not panel["targets"]:
            yield f"{where}: shows nothing"
        for target in panel.get("targets", []):
            yield from check_expression(where, target["expr"], known, IN_LEGEND.findall(target.get("legendFormat", "")))


def dashboard_as_rules():
    """The dashboard's queries as recording rules, for promtool to parse."""
    dashboard = json.loads((MONITORING / "dashboards" / "bindery.json").read_text(encoding="utf-8"))
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    made = [
        {"record": f"dashboard:{number}", "expr": expression.replace("$__rate_interval", "5m")}
        for number, expression in enumerate(expressions)
    ]
    return json.dumps({"groups": [{"name": "dashboard", "rules": made}]})


def main():
    if sys.argv[1:] == ["--dashboard-as-rules"]:
        print(dashboard_as_rules())
        return 0
    known = documented_metrics()
    faults = list(check_page(known))
    everything = list(rules())
    known.update({rule["record"]: labels_of_rule(rule, known) for rule in everything if "record" in rule})
    alerts = [rule for rule in everything if "alert" in rule]
    tests = "".join(path.read_text(encoding="utf-8") for path in (MONITORING / "tests").glob("*.yaml"))
    faults += check_dashboard(known)
    for rule in everything:
        shown = IN_ANNOTATION.findall(" ".join(rule.get("annotations", {}).values()))
        faults += check_expression(rule.get("alert") or rule["record"], rule["expr"], known, shown)
    for alert in alerts:
        faults += check_alert(alert, tests)
    for page in RUNBOOKS.glob("*.md"):
        if page.stem not in {alert["alert"] for alert in alerts} | {"README"}:
            faults.append(f"{page.relative_to(ROOT)}: no such alert")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
