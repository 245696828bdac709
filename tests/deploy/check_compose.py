#!/usr/bin/env python3
"""Checks deploy/compose without an engine: what is mounted exists, what is named is declared, what a
service reads lies below a mount, and who asks whom asks for a service at the port it listens on. Replicas
differ in nothing but their names and ports, and reach their database."""

import json
import pathlib
import re
import sys
import urllib.parse

import yaml

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy" / "compose"
# The ports these programs listen on unless told otherwise; ours says it in its own configuration.
PORTS = {"prometheus": 9090, "alertmanager": 9093, "grafana": 3000, "database": 5432}
# By service in replicas.yaml: what differs between replicas.
OWN = {"hostname", "ports"}
STARTED = {"service_started", "service_healthy", "service_completed_successfully"}
GRAFANA = pathlib.PurePosixPath("/etc/grafana/provisioning")


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def mounts_of(service):
    """{where in the container: what is mounted there} of one service."""
    found = {}
    for volume in service.get("volumes", []):
        source, target = volume.split(":")[:2]
        found[pathlib.PurePosixPath(target)] = source
    return found


def on_host(service, path):
    """The file of this folder that a service sees at `path`; None when nothing is mounted there."""
    path = pathlib.PurePosixPath(path)
    for target, source in mounts_of(service).items():
        if source.startswith(".") and (path == target or target in path.parents):
            return FOLDER / source / path.relative_to(target)
    return None


def check_services(compose):
    services, volumes = compose["services"], compose.get("volumes") or {}
    used = set()
    for name, service in services.items():
        for source in mounts_of(service).values():
            if source.startswith(("/", "~")):
                yield f"{name}: mounts {source}, which is a path of one machine"
            elif source.startswith("."):
                if not (FOLDER / source).exists():
                    yield f"{name}: mounts {source}, which does not exist"
            else:
                used.add(source)
                if source not in volumes:
                    yield f"{name}: mounts the volume {source}, which is not declared"
        yield from check_dependencies(name, service, services)
        build = service.get("build")
        context = build["context"] if isinstance(build, dict) else build
        if context and not (FOLDER / context / "Dockerfile").is_file():
            yield f"{name}: no Dockerfile in {context}"
        if ":" not in service["image"].rpartition("/")[2] or service["image"].endswith(":latest"):
            yield f"{name}: image without a version"
    for name in set(volumes) - used:
        yield f"the volume {name} is declared and not used"


def check_dependencies(name, service, services):
    for other in service.get("depends_on", []):
        condition = service["depends_on"][other]["condition"] if isinstance(service["depends_on"], dict) else "service_started"
        if other not in services:
            yield f"{name}: depends on {other}, which is no service"
        elif condition not in STARTED:
            yield f"{name}: waits for {condition} of {other}, which is nothing"
        elif condition == "service_healthy" and "test" not in services[other].get("healthcheck", {}):
            yield f"{name}: waits for the health of {other}, which tells none"


def listens_on(services):
    """{service: its port}, and faults of what it publishes."""
    ports = dict(PORTS)
    for name, service in services.items():
        if name.startswith("bindery"):
            config = on_host(service, "/etc/bindery/bindery.yaml") or FOLDER / "../container/bindery.yaml"
            ports[name] = int(read(config)["server"]["listen"].rpartition(":")[2])
    faults = []
    for name, service in services.items():
        for published in service.get("ports", []):
            host, _, inner = published.rpartition(":")
            if int(inner) != ports.get(name):
                faults.append(f"{name}: publishes port {inner}, and does not listen on it")
            if not host.startswith("127.0.0.1:"):
                faults.append(f"{name}: publishes {published} to more than this machine")
    return {name: port for name, port in ports.items() if name in services}, faults


def check_address(where, address, ports):
    name, _, port = address.rpartition(":")
    if name not in ports:
        yield f"{where}: asks {address}, and there is no service {name}"
    elif int(port) != ports[name]:
        yield f"{where}: asks {address}, and {name} listens on {ports[name]}"


def check_config_files(services):
    """--config.file lies below a mount, and what Prometheus' names does."""
    for name, service in services.items():
        for argument in service.get("command", []):
            flag, _, value = argument.partition("=")
            if flag == "--config.file" and (on_host(service, value) is None or not on_host(service, value).is_file()):
                yield f"{name}: {argument} is not mounted"
    for pattern in read(FOLDER / "prometheus.yaml")["rule_files"]:
        path = pathlib.PurePosixPath(pattern)
        folder = on_host(services["prometheus"], path.parent)
        if folder is None or not list(folder.glob(path.name)):
            yield f"prometheus.yaml: no rules at {pattern}"


def check_prometheus(ports):
    config = read(FOLDER / "prometheus.yaml")
    asked = config["scrape_configs"] + config["alerting"]["alertmanagers"]
    targets = [target for part in asked for group in part["static_configs"] for target in group["targets"]]
    if len(targets) < 2:
        yield "prometheus.yaml: asks nobody"
    for target in targets:
        yield from check_address("prometheus.yaml", target, ports)


def uids_of(value):
    """Every uid of a data source that a dashboard names."""
    if isinstance(value, dict):
        source = value.get("datasource")
        if isinstance(source, dict) and "uid" in source:
            yield source["uid"], source.get("type")
        for inner in value.values():
            yield from uids_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from uids_of(inner)


def check_grafana(grafana, ports):
    sources = {}
    for path in sorted((FOLDER / "grafana/datasources").glob("*.yaml")):
        if on_host(grafana, GRAFANA / "datasources" / path.name) != FOLDER / "grafana/datasources" / path.name:
            yield f"{path.name}: is not mounted where Grafana looks for data sources"
        for source in read(path)["datasources"]:
            sources[source["uid"]] = source
            yield from check_address(path.name, urllib.parse.urlsplit(source["url"]).netloc, ports)
    shown = 0
    for path in sorted((FOLDER / "grafana/dashboards").glob("*.yaml")):
        if on_host(grafana, GRAFANA / "dashboards" / path.name) != FOLDER / "grafana/dashboards" / path.name:
            yield f"{path.name}: is not mounted where Grafana looks for dashboards"
        for provider in read(path)["providers"]:
            folder = on_host(grafana, provider["options"]["path"])
            if folder is None or not list(folder.glob("*.json")):
                yield f"{path.name}: no dashboards at {provider['options']['path']}"
                continue
            for dashboard in sorted(folder.glob("*.json")):
                shown += 1
                yield from check_dashboard(dashboard.name, json.loads(dashboard.read_text(encoding="utf-8")), sources)
    if not shown or not sources:
        yield "grafana: no dashboard, or no data source"


def check_dashboard(name, dashboard, sources):
    """Each panel's source is one that is provided, or a variable that such a one can fill."""
    variables = {
        "${%s}" % variable["name"]: variable["query"]
        for variable in dashboard["templating"]["list"]
        if variable["type"] == "datasource"
    }
    kinds = {source["type"] for source in sources.values()}
    for uid, kind in sorted(set(uids_of(dashboard))):
        if re.fullmatch(r"\$\{\w+\}", uid):
            if variables.get(uid) not in kinds or variables.get(uid) != kind:
                yield f"{name}: no data source for {uid}"
        elif sources.get(uid, {}).get("type") != kind:
            yield f"{name}: no data source {uid} of type {kind}"


def check_replicas(services):
    replicas = {name: service for name, service in services.items() if name.startswith("bindery")}
    if len(replicas) < 2:
        yield "fewer than two replicas"
    if len({str({key: part for key, part in replica.items() if key not in OWN}) for replica in replicas.values()}) > 1:
        yield "replicas differ in more than their names and ports"
    for name, replica in replicas.items():
        config = read(on_host(replica, "/etc/bindery/bindery.yaml"))
        if replica.get("hostname") != name or name not in config["server"]["allowedHosts"]:
            yield f"{name}: does not know its name"
        url = urllib.parse.urlsplit(config["store"]["url"])
        if url.scheme != "postgresql" or url.hostname not in services:
            yield f"{name}: its store is in no database that is a service"
            continue
        yield from check_passfile(name, replica, url, services)
        folder = str(pathlib.PurePosixPath(config["server"]["socket"]).parent)
        if folder not in {mount.split(":")[0] for mount in replica.get("tmpfs", [])}:
            yield f"{name}: its socket is in no folder of its own"


def check_passfile(name, replica, url, services):
    """The service that makes the password puts it where replicas and database look for it."""
    passfile = pathlib.PurePosixPath(dict(urllib.parse.parse_qsl(url.query)).get("passfile", "/"))
    volume = mounts_of(replica).get(passfile.parent)
    database = services[url.hostname]
    asked = pathlib.PurePosixPath(database["environment"].get("POSTGRES_PASSWORD_FILE", "/"))
    if volume is None or mounts_of(database).get(asked.parent) != volume:
        yield f"{name}: {url.hostname} does not have the password that it has"
    elif mounts_of(services["password"]).get(passfile.parent) != volume:
        yield f"{name}: nobody makes {passfile}"
    script = services["password"]["command"][0]
    user, base = url.username, url.path.strip("/")
    if f"'{url.hostname}:{url.port or PORTS[url.hostname]}:{base}:{user}:%s" not in script:
        yield f"{name}: {passfile} has no line for {url.hostname}, {base} and {user}"
    if database["environment"].get("POSTGRES_USER") != user or user != base:
        yield f"{name}: {url.hostname} makes no database {base} of {user}"


def check_file(name):
    compose = read(FOLDER / name)
    services = compose["services"]
    ports, faults = listens_on(services)
    faults += check_services(compose)
    if "prometheus" in services:
        faults += check_config_files(services)
        faults += check_prometheus(ports)
        faults += check_grafana(services["grafana"], ports)
    if name == "replicas.yaml":
        faults += check_replicas(services)
    return [f"{name}: {fault}" for fault in faults]


def main():
    faults = check_file("compose.yaml") + check_file("replicas.yaml")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
