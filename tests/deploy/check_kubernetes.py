#!/usr/bin/env python3
"""Checks Kubernetes resources, one YAML stream on standard input, without a cluster: every field is
known to the API and of its type, what is required is there, what is named exists, and pods keep to the
"restricted" security standard. The API's description is that of Debian's python3-kubernetes.

check_kubernetes.py --files FOLDER: the same of each file below it as far as that can be said before
kustomize has put them together, and that each kustomization names what is there, and all of it."""

import pathlib
import re
import sys
import urllib.parse

import yaml
from kubernetes import client

# Resources of operators, which the package does not describe.
FOREIGN = {"ServiceMonitor": ["selector", "endpoints"], "PrometheusRule": ["groups"]}
# Fields of Kubernetes 1.27 that the package, which is of 1.22, does not describe.
NEWER = {
    "V1PodDisruptionBudgetSpec": {"unhealthyPodEvictionPolicy": "str"},
    "V1TopologySpreadConstraint": {"nodeTaintsPolicy": "str", "matchLabelKeys": "list[str]"},
}
# A daemon that ends waits for its calls (reconcile.shutdownTimeout), then ends what is left (kLongestEnd).
SHUTDOWN_TIMEOUT, LONGEST_END = 20, 20


def model_of(document):
    group, _, version = document["apiVersion"].rpartition("/")
    prefix = version.capitalize() if not group or "." not in group or group.endswith("k8s.io") else ""
    return getattr(client, f"{prefix}{document['kind']}", None)


def check_type(where, value, kind, patch=False):
    """Yields what is wrong with a value that the API describes as `kind`."""
    if kind.startswith("list["):
        if not isinstance(value, list):
            yield f"{where}: must be a list"
            return
        for number, item in enumerate(value):
            yield from check_type(f"{where}[{number}]", item, kind[5:-1], patch)
    elif kind.startswith("dict("):
        if not isinstance(value, dict):
            yield f"{where}: must be a map"
            return
        inner = kind[5:-1].split(", ", 1)[1]
        for key, item in value.items():
            yield from check_type(f"{where}.{key}", item, inner, patch)
    elif kind in ("str", "int", "bool", "float"):
        wanted = {"str": str, "int": int, "bool": bool, "float": (int, float)}[kind]
        if not isinstance(value, wanted) or (kind == "int" and isinstance(value, bool)):
            yield f"{where}: must be {kind}, is {value!r}"
    elif hasattr(client, kind):
        yield from check_model(where, value, getattr(client, kind), patch)


def check_model(where, value, model, patch=False):
    """With `patch` nothing is required, as it comes on top of something."""
    if not isinstance(value, dict):
        yield f"{where}: must be a map"
        return
    by_json = {json_name: name for name, json_name in model.attribute_map.items()}
    newer = NEWER.get(model.__name__, {})
    for key, item in value.items():
        if key in newer:
            yield from check_type(f"{where}.{key}", item, newer[key], patch)
        elif patch and key == "$patch":
            if item not in ("delete", "replace", "merge"):
                yield f"{where}: $patch cannot be {item!r}"
        elif key not in by_json:
            yield f"{where}: no field {key} in {model.__name__}"
        elif item is None:
            # In a patch that takes it away.
            if not patch:
                yield f"{where}.{key}: is empty"
        else:
            yield from check_type(f"{where}.{key}", item, model.openapi_types[by_json[key]], patch)
    if patch:
        return
    # The constructors refuse what lacks a required field.
    try:
        configuration = client.Configuration()
        configuration.client_side_validation = True
        model(**{by_json[key]: item for key, item in value.items() if key in by_json},
              local_vars_configuration=configuration)
    except (TypeError, ValueError) as failure:
        yield f"{where}: {failure}"


def containers_of(pod):
    return pod.get("initContainers", []) + pod["containers"]


def check_restricted(where, pod):
    """The rules of the pod security standard "restricted", and what we ask beyond them."""
    security = pod.get("securityContext", {})
    if security.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"):
        yield f"{where}: no seccomp profile"
    if not security.get("runAsNonRoot") or not security.get("runAsUser"):
        yield f"{where}: may run as root"
    if pod.get("automountServiceAccountToken") is not False:
        yield f"{where}: gets a token of the cluster that it does not need"
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(key):
            yield f"{where}: {key}"
    for container in containers_of(pod):
        at = f"{where}, {container['name']}"
        own = container.get("securityContext", {})
        if own.get("allowPrivilegeEscalation") is not False:
            yield f"{at}: may gain privileges"
        if own.get("capabilities", {}).get("drop") != ["ALL"]:
            yield f"{at}: keeps capabilities"
        if own.get("readOnlyRootFilesystem") is not True:
            yield f"{at}: can write its root"
        if not container.get("resources", {}).get("limits", {}).get("memory"):
            yield f"{at}: no memory limit"
        if ":" not in container["image"].rpartition("/")[2] or container["image"].endswith(":latest"):
            yield f"{at}: image without a version"
        mounted = {mount["name"] for mount in container.get("volumeMounts", [])}
        for name in mounted - {volume["name"] for volume in pod.get("volumes", [])}:
            yield f"{at}: mounts {name}, which is no volume"


def config_of(pod, documents):
    """The daemon's configuration, of the ConfigMap that is mounted at /etc/bindery."""
    names = {volume["configMap"]["name"] for volume in pod["volumes"] if "configMap" in volume}
    for document in documents:
        if document["kind"] == "ConfigMap" and document["metadata"]["name"] in names:
            if "bindery.yaml" in document.get("data", {}):
                return yaml.safe_load(document["data"]["bindery.yaml"])
    return None


def selects(selector, labels):
    wanted = (selector or {}).get("matchLabels", {})
    return bool(wanted) and wanted.items() <= labels.items()


def check_one(where, spec):
    """Of a store in a file."""
    if spec["replicas"] != 1 or spec["strategy"]["type"] != "Recreate":
        yield f"{where}: one replica, and never two at once: the store belongs to one process"


def check_replicas(where, spec, url, documents):
    """Of a store in a database: what keeps a replica there, and the way to the database."""
    pod, labels = spec["template"]["spec"], spec["template"]["metadata"]["labels"]
    rolling = spec["strategy"].get("rollingUpdate", {})
    if spec["replicas"] < 3 or spec["strategy"]["type"] != "RollingUpdate":
        yield f"{where}: three replicas that are replaced one after the other"
    if (rolling.get("maxUnavailable"), rolling.get("maxSurge")) != (0, 1):
        yield f"{where}: a rollout must end a pod only when another one is ready"
    spread = pod.get("topologySpreadConstraints", [])
    keys = {part["topologyKey"] for part in spread if selects(part.get("labelSelector"), labels)}
    if keys != {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}:
        yield f"{where}: its pods are not spread over machines and zones"
    for part in spread:
        if part.get("matchLabelKeys") != ["pod-template-hash"]:
            yield f"{where}: {part['topologyKey']}: counts the pods that a rollout replaces"
    budgets = [document["spec"] for document in documents if document["kind"] == "PodDisruptionBudget"]
    if not any(budget.get("maxUnavailable") == 1 and selects(budget.get("selector"), labels) for budget in budgets):
        yield f"{where}: no PodDisruptionBudget lets one pod go at a time"
    yield from check_database(where, pod, urllib.parse.urlsplit(url))
    port = urllib.parse.urlsplit(url).port or 5432
    if not any(port in egress_ports(document, labels) for document in documents if document["kind"] == "NetworkPolicy"):
        yield f"{where}: no NetworkPolicy lets it call the database at port {port}"
    for volume in pod["volumes"]:
        if "persistentVolumeClaim" in volume:
            yield f"{where}: volume {volume['name']}: a claim cannot be of three pods"


def egress_ports(policy, labels):
    """Those of a NetworkPolicy, for the pods with these labels."""
    if not selects(policy["spec"].get("podSelector"), labels):
        return set()
    return {port.get("port") for rule in policy["spec"].get("egress", []) for port in rule.get("ports", [])}


def check_database(where, pod, url):
    """The certificate is verified, and what libpq is given is there and of a mode that it accepts."""
    options = dict(urllib.parse.parse_qsl(url.query))
    main = container_of(pod)
    environment = {entry["name"]: entry for entry in main.get("env", [])}
    if options.get("sslmode") != "verify-full":
        yield f"{where}: the certificate of the database is not verified"
    if url.password or "password" in options or "value" in environment.get("PGPASSWORD", {}):
        yield f"{where}: the password of the database is not in a Secret"
    key = options.get("sslkey")
    from_secret = environment.get("PGPASSWORD", {}).get("valueFrom", {}).get("secretKeyRef")
    if not from_secret and not key:
        yield f"{where}: neither PGPASSWORD nor sslkey proves who it is"
    if "passfile" in options or "PGPASSFILE" in environment:
        yield f"{where}: with fsGroup the group may read a file of a Secret, and libpq ignores such a passfile"
    for name in filter(None, (options.get("sslrootcert"), options.get("sslcert"), key)):
        if not secret_has(pod, main, pathlib.PurePosixPath(name)):
            yield f"{where}: no Secret is mounted that has {name}"


def secret_has(pod, container, path):
    for mount in container["volumeMounts"]:
        if mount["mountPath"] != str(path.parent):
            continue
        for volume in pod["volumes"]:
            if volume["name"] == mount["name"] and "secret" in volume:
                items = volume["secret"].get("items")
                return items is None or path.name in {item["path"] for item in items}
    return False


def container_of(pod):
    return next(container for container in pod["containers"] if container["name"] == "bindery")


def check_deployment(deployment, documents):
    where = f"Deployment {deployment['metadata']['name']}"
    spec, pod = deployment["spec"], deployment["spec"]["template"]["spec"]
    config = config_of(pod, documents)
    if config is None:
        yield f"{where}: no ConfigMap has its bindery.yaml"
        return
    url = config["store"]["url"]
    in_database = url.startswith("postgres")
    yield from check_replicas(where, spec, url, documents) if in_database else check_one(where, spec)
    timeout = config.get("reconcile", {}).get("shutdownTimeout", f"{SHUTDOWN_TIMEOUT}s")
    if pod["terminationGracePeriodSeconds"] <= int(timeout.rstrip("s")) + LONGEST_END:
        yield f"{where}: is killed before its calls have ended"
    yield from check_restricted(where, pod)
    names = {(document["kind"], document["metadata"]["name"]) for document in documents}
    for volume in pod["volumes"]:
        if "configMap" in volume and ("ConfigMap", volume["configMap"]["name"]) not in names:
            yield f"{where}: volume {volume['name']}: no ConfigMap {volume['configMap']['name']}"
        claim = volume.get("persistentVolumeClaim", {}).get("claimName")
        if claim and ("PersistentVolumeClaim", claim) not in names:
            yield f"{where}: volume {volume['name']}: no claim {claim}"
    for probe, path in (("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz")):
        if container_of(pod).get(probe, {}).get("httpGet", {}).get("path") != path:
            yield f"{where}: no {probe} that asks {path}"
    if ("ServiceAccount", pod["serviceAccountName"]) not in names:
        yield f"{where}: no ServiceAccount {pod['serviceAccountName']}"
    kept = any(kind == "PersistentVolumeClaim" for kind, _ in names)
    if kept == in_database:
        yield f"{where}: " + ("a claim that nothing uses" if kept else "no PersistentVolumeClaim for the store")


def check_foreign(where, document):
    for key in FOREIGN[document["kind"]]:
        if not document["spec"].get(key):
            yield f"{where}: no spec.{key}"


def check_resource(where, document, patch=False):
    model = model_of(document)
    if model is not None:
        yield from check_model(where, document, model, patch)
    elif document["kind"] in FOREIGN:
        yield from check_foreign(where, document)
    else:
        yield f"{where}: not a resource that is known here"


def check(documents):
    for document in documents:
        where = f"{document['kind']} {document['metadata']['name']}"
        yield from check_resource(where, document)
        if document["kind"] == "Deployment":
            yield from check_deployment(document, documents)
    for kind in ("Deployment", "NetworkPolicy"):
        if not any(document["kind"] == kind for document in documents):
            yield f"no {kind}"


def documents_of(text):
    return [document for document in yaml.safe_load_all(text) if document]


def check_kustomization(where, folder):
    """What a kustomization names is there, is of the API, and nothing lies there unnamed."""
    content = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    named = {"kustomization.yaml"}
    for name in content.get("resources", []) + content.get("components", []):
        if (folder / name / "kustomization.yaml").is_file():
            continue
        named.add(name)
        if not (folder / name).is_file():
            yield f"{where}: names {name}, which is not there"
            continue
        for document in documents_of((folder / name).read_text(encoding="utf-8")):
            yield from check_resource(f"{where}/{name}", document)
    for patch in content.get("patches", []):
        text = patch.get("patch")
        if text is None:
            named.add(patch["path"])
            if not (folder / patch["path"]).is_file():
                yield f"{where}: names {patch['path']}, which is not there"
                continue
            text = (folder / patch["path"]).read_text(encoding="utf-8")
        for document in documents_of(text):
            yield from check_resource(f"{where}/{patch.get('path', 'its patch')}", document, patch=True)
    for generator in content.get("configMapGenerator", []):
        for name in generator.get("files", []):
            named.add(name)
            if not (folder / name).is_file():
                yield f"{where}: names {name}, which is not there"
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name not in named:
            yield f"{where}: does not name {path.name}"


def check_files(root):
    folders = sorted(path.parent for path in root.rglob("kustomization.yaml"))
    if not folders:
        yield f"{root}: no kustomization"
    for folder in folders:
        yield from check_kustomization(str(folder.relative_to(root)), folder)
    for path in sorted(root.glob("*.yaml")):
        # What comes on top of the deployment that is there.
        patch = {"apiVersion": "apps/v1", "kind": "Deployment", **documents_of(path.read_text(encoding="utf-8"))[0]}
        yield from check_resource(path.name, patch, patch=True)


def main():
    if sys.argv[1:2] == ["--files"]:
        found = check_files(pathlib.Path(sys.argv[2]))
    else:
        found = check(documents_of(sys.stdin))
    faults = [re.sub(r"\s+", " ", fault) for fault in found]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
