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
command -v kubectl >/dev/null || skip "there is no kubectl: Debian's is too old for these files"
kubectl kustomize --help 2>&1 | grep -q -- --load-restrictor || skip "kubectl is too old for these files"

for overlay in deploy/kubernetes/overlays/*/; do
  made=$(kubectl kustomize "$overlay")
  if ! /usr/bin/python3 tests/deploy/check_kubernetes.py <<<"$made"; then
    echo "kubernetes: $overlay has faults"
    exit 1
  fi
  echo "kubernetes: $overlay, $(grep -c '^kind:' <<<"$made") resources"
done
echo "kubernetes: ok"
