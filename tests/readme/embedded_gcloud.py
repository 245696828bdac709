#!/usr/bin/env python3
"""The few commands of gcloud that docs/first-day.md has, on the embedded cloud. Audit logs are in a file of HOME."""

import datetime
import json
import os
import pathlib
import sys
import urllib.request

LOG = pathlib.Path(os.environ["HOME"]) / "audit-log"
READ = {"options": {"requestedPolicyVersion": 3}}


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["EMBEDDED_CLOUD"] + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def search(scope):
    results, token = [], ""
    while True:
        page = ask(f"/v1/{scope}:searchAllIamPolicies?pageSize=500&pageToken={token}")
        results += page.get("results", [])
        token = page.get("nextPageToken", "")
        if not token:
            return results


def write_log(project, role, member):
    """An entry of the Admin Activity log, as the service writes."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    delta = {"action": "ADD", "role": role, "member": member}
    entry = {"insertId": f"entry-{now}", "timestamp": now,
             "logName": f"projects/{project}/logs/cloudaudit.googleapis.com%2Factivity",
             "resource": {"type": "project", "labels": {"project_id": project}},
             "protoPayload": {"@type": "type.googleapis.com/google.cloud.audit.AuditLog",
                              "serviceName": "cloudresourcemanager.googleapis.com", "methodName": "SetIamPolicy",
                              "resourceName": f"projects/{project}",
                              "authenticationInfo": {"principalEmail": "mallory@example.com"},
                              "serviceData": {"@type": "type.googleapis.com/google.iam.v1.logging.AuditData",
                                              "policyDelta": {"bindingDeltas": [delta]}}}}
    with LOG.open("a") as log:
        print(json.dumps(entry), file=log)


def add(project, role, member):
    policy = ask(f"/v3/projects/{project}:getIamPolicy", READ)
    bindings = [each for each in policy["bindings"] if each["role"] == role and "condition" not in each]
    if bindings:
        bindings[0]["members"].append(member)
    else:
        policy["bindings"].append({"role": role, "members": [member]})
    write_log(project, role, member)
    return ask(f"/v3/projects/{project}:setIamPolicy", {"policy": policy})


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    command = " ".join(words[:2])
    if command == "asset search-all-iam-policies":
        answer = search(options["scope"])
    elif command == "projects get-iam-policy":
        answer = ask(f"/v3/projects/{words[2]}:getIamPolicy", READ)
    elif command == "projects add-iam-policy-binding":
        answer = add(words[2], options["role"], options["member"])
    elif command == "logging read":
        answer = [json.loads(line) for line in LOG.read_text().splitlines()]
    else:
        sys.exit(f"no such command here: {words}")
    print(json.dumps(answer, indent=2))


if __name__ == "__main__":
    main()
