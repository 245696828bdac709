#!/usr/bin/env python3
"""What ties rules, dashboard, runbooks and metrics together: no name of a metric that is not
documented, no alert without its page and its test, no page without its alert."""

import json
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MONITORING = ROOT / "deploy" / "monitoring"
RUNBOOKS = ROOT / "docs" / "runbooks"
METRIC = re.compile(r"\b((?:bindery|controller_runtime|workqueue|process)_[a-z0-9_]+)\b(?!\s*=)")
RECORDED = re.compile(r"\bbindery:[a-z0-9_:]+")
SEVERITIES = {"critical", "warning", "info"}


def rules():
    for path in sorted((MONITORING / "rules").glob("*.yaml")):
        for group in yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]:
            yield from group["rules"]


def check_expression(where, expression, documented, recorded):
    for name in METRIC.findall(re.sub(r'"[^"]*"', '""', expression)):
        family = re.sub(r"_(bucket|sum|count)$", "", name)
        if name not in documented and family not in documented:
            yield f"{where}: docs/metrics.md has no metric {name}"
    for name in RECORDED.findall(expression):
        if name not in recorded:
            yield f"{where}: no rule records {name}"


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


def check_dashboard(documented, recorded):
    dashboard = json.loads((MONITORING / "dashboards" / "bindery.json").read_text(encoding="utf-8"))
    panels = dashboard["panels"]
    identifiers = [panel["id"] for panel in panels]
    if len(identifiers) != len(set(identifiers)):
        yield "dashboard: two panels with one id"
    for panel in panels:
        where = f"dashboard, {panel['title']}"
        if panel["type"] != "row" and not panel["targets"]:
            yield f"{where}: shows nothing"
        for target in panel.get("targets", []):
            yield from check_expression(where, target["expr"], documented, recorded)


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
    documented = set(re.findall(r"^\| `([a-z0-9_]+)` \|", (ROOT / "docs/metrics.md").read_text(encoding="utf-8"), re.M))
    documented.add("up")
    everything = list(rules())
    recorded = {rule["record"] for rule in everything if "record" in rule}
    alerts = [rule for rule in everything if "alert" in rule]
    tests = "".join(path.read_text(encoding="utf-8") for path in (MONITORING / "tests").glob("*.yaml"))
    faults = list(check_dashboard(documented, recorded))
    for rule in everything:
        faults += check_expression(rule.get("alert") or rule["record"], rule["expr"], documented, recorded)
    for alert in alerts:
        faults += check_alert(alert, tests)
    for page in RUNBOOKS.glob("*.md"):
        if page.stem not in {alert["alert"] for alert in alerts} | {"README"}:
            faults.append(f"{page.relative_to(ROOT)}: no such alert")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
