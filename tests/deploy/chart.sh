#!/usr/bin/env bash
# The Helm chart, by helm itself ($HELM, or the one in the path: go install helm.sh/helm/v3/cmd/helm@v3.22.0): it renders, what it
# renders is valid, and values that the schema does not know are refused.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
helm=${HELM:-helm}
command -v "$helm" >/dev/null || { echo "skipped: there is no helm; HELM names one" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HELM_CACHE_HOME=$work HELM_CONFIG_HOME=$work HELM_DATA_HOME=$work
chart=$work/bindery.tgz
PYTHONPATH=release python3 -c 'import sys, chart, described
sys.stdout.buffer.write(chart.make(described.Release("1.2.3", "0" * 40, 1700000000)))' >"$chart"

fail() {
  echo "chart: $*" >&2
  exit 1
}
render() { "$helm" template bindery "$chart" --kube-version 1.30.0 --namespace bindery "$@"; }

"$helm" lint --strict "$chart"
digest=sha256:$(printf '%064d' 0)
# What is set, and a line that is rendered of it.
while IFS='|' read -r values line; do
  read -ra set <<<"$values"
  render "${set[@]/#/--set=}" >"$work/rendered.yaml" || fail "does not render with: $values"
  grep -qF -- "$line" "$work/rendered.yaml" || fail "has no \"$line\" with: $values"
  # What a value names is there before the chart.
  printf -- '---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: mine}}\n' >>"$work/rendered.yaml"
  python3 tests/deploy/check_kubernetes.py <"$work/rendered.yaml" || fail "is not valid with: $values"
done <<VALUES
image.pullPolicy=Always|image: ghcr.io/bindery/bindery:1.2.3
image.digest=$digest|image: ghcr.io/bindery/bindery@$digest
manifests.files.a\\.yaml=text|a.yaml: text
manifests.configMap=mine|name: mine
gitSync.enabled=true gitSync.repository=https://git.example.com/a|directory: /manifests/current
secrets[0].name=datadog secrets[0].path=/run/secrets/datadog|secretName: datadog
persistence.storageClass=fast|storageClassName: fast
serviceAccount.annotations.iam=a|iam: a
monitoring.enabled=true|kind: PrometheusRule
nodeSelector.disk=ssd imagePullSecrets[0]=registry|disk: ssd
VALUES
render --set networkPolicy.enabled=false | grep -q 'kind: NetworkPolicy' && fail "has a network policy that is switched off"
for values in image.pullPolicy=Sometimes gitSync.enabled=true persistence.size=much nonsense=1; do
  render --set "$values" >/dev/null 2>&1 && fail "takes $values"
done
echo "chart: ok"
