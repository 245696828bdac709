#!/usr/bin/env bash
# The resources for Kubernetes, as kustomize makes them of every overlay, without a cluster. Quick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

skip() {
  echo "skipped: $*"
  exit 77
}

python3 cmake/prometheus_rule.py --check
# Copies, as kustomize reads no file outside of its folder.
cmp config/embedded-cloud.yaml deploy/kubernetes/base/embedded-cloud.yaml
cmp config/manifests/payments.yaml deploy/kubernetes/overlays/configmap/payments.yaml

/usr/bin/python3 -c 'import kubernetes, yaml' 2>/dev/null ||
  skip "no schemas of Kubernetes (Debian packages python3-kubernetes, python3-yaml)"
/usr/bin/python3 tests/deploy/check_kubernetes.py --files deploy/kubernetes
echo "kubernetes: each file by itself"

minor=$(kubectl version --client -o json 2>/dev/null | sed -n 's/.*"minor": "\([0-9]*\).*/\1/p' | head -1) || true
if [[ ${minor:-0} -lt 27 ]]; then
  echo "left out: what kustomize makes of them; kubectl is not there, or older than 1.27"
  echo "kubernetes: ok"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r deploy/kubernetes "$work/"
copy=$work/kubernetes
# The overlays that the pages have the reader write: with an image, with a repository, and with replicas.
rm -rf "$copy/overlays/mine"
mkdir "$copy/overlays/mine" "$copy/overlays/mine-git" "$copy/overlays/mine-replicas"
overlay_of() { sed -n "/overlays\/mine\/kustomization.yaml <<'YAML'/,/^YAML/p" "$1" | sed '1d;$d'; }
overlay_of docs/install.md >"$copy/overlays/mine/kustomization.yaml"
overlay_of docs/fleet.md >"$copy/overlays/mine-replicas/kustomization.yaml"
cp deploy/kubernetes/overlays/replicas/bindery.yaml "$copy/overlays/mine-replicas/"
{
  sed 's|\.\./configmap|../git-sync|' "$copy/overlays/mine/kustomization.yaml"
  sed -n '/^configMapGenerator:/,/^```/p' docs/install.md | sed '$d'
} >"$copy/overlays/mine-git/kustomization.yaml"

for overlay in "$copy"/overlays/*/; do
  name=$(basename "$overlay")
  made=$(kubectl kustomize "$overlay")
  if ! /usr/bin/python3 tests/deploy/check_kubernetes.py <<<"$made"; then
    echo "kubernetes: $name has faults"
    exit 1
  fi
  echo "kubernetes: $name, $(grep -c '^kind:' <<<"$made") resources"
done
# has OVERLAY TEXT
has() {
  grep -qF "$2" <<<"$(kubectl kustomize "$copy/overlays/$1")" && return
  echo "kubernetes: the overlay $1 of the pages has no \"$2\""
  exit 1
}
has mine "image: registry.example.com/bindery:$(sed -n 's/^project(bindery VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
has mine-git "GITSYNC_REPO: https://git.example.com/acme/access-manifests"
has mine-git "GITSYNC_PERIOD: 30s"
has mine-replicas "GITSYNC_REPO: https://git.example.com/acme/access-manifests"
has mine-replicas "replicas: 3"

# The pod of docs/operations.md that sleeps.
kubectl kustomize "$copy/overlays/mine" | python3 -c '
import sys, yaml
for document in yaml.safe_load_all(sys.stdin):
    if document["kind"] == "Deployment":
        yaml.safe_dump(document, sys.stdout)' >"$work/deployment.yaml"
kubectl patch --local -f "$work/deployment.yaml" --type strategic --patch-file deploy/kubernetes/upkeep.yaml -o yaml >"$work/asleep.yaml"
if ! grep -q -- '- sleep$' "$work/asleep.yaml" || grep -q 'Probe:' "$work/asleep.yaml"; then
  echo "kubernetes: with upkeep.yaml the pod does not sleep, or would be killed for it"
  exit 1
fi
echo "kubernetes: ok"
