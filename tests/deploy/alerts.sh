#!/usr/bin/env bash
# Monitoring for real: bindery, its cloud, Prometheus and Alertmanager, each a process. The cloud breaks;
# the alert reaches Alertmanager; the cloud is well again; the alert is resolved. The rules are ours, with
# their waiting times cut to a second.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

skip() {
  echo "skipped: $*"
  exit 77
}
for tool in prometheus prometheus-alertmanager amtool; do
  command -v "$tool" >/dev/null || skip "there is no $tool (Debian packages prometheus, prometheus-alertmanager)"
done
program=${BINDERY:-build/release/bindery}
if [[ ! -x $program ]]; then
  ./dev build release
fi

work=$(mktemp -d)
children=()
cleanup() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap cleanup EXIT
fail() {
  echo "alerts: $*" >&2
  tail -n 15 "$work"/*.log >&2
  exit 1
}
# eventually WHAT COMMAND...: tries it for two minutes.
eventually() {
  local what=$1
  shift
  for _ in {1..240}; do
    "$@" >/dev/null 2>&1 && return
    sleep 0.5
  done
  fail "never: $what"
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
start() {
  local name=$1
  shift
  "$@" >"$work/$name.log" 2>&1 &
  children+=($!)
}

bindery=127.0.0.1:$(free_port)
cloud=127.0.0.1:$(free_port)
prometheus=127.0.0.1:$(free_port)
alertmanager=127.0.0.1:$(free_port)

cp -r config/manifests config/embedded-cloud.yaml "$work/"
cat >"$work/bindery.yaml" <<YAML
manifests: {directory: manifests}
store: {url: "sqlite:bindery.db"}
reconcile: {interval: 1s}
providers:
  cloudnative: {type: cloudnative, embedded: true, project: example-project}
  monitoring: {type: monitoring, embedded: true}
embeddedCloud: {store: cloud.db, seed: embedded-cloud.yaml, listen: "$cloud"}
server: {listen: "$bindery", socket: bindery.sock}
YAML
mkdir "$work/rules"
for rules in deploy/monitoring/rules/*.yaml; do
  sed -E 's/^( +for: ).*/\11s/; s/\[5m\]/[15s]/g' "$rules" >"$work/rules/${rules##*/}"
done
cat >"$work/prometheus.yaml" <<YAML
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules/*.yaml]
scrape_configs:
  - job_name: bindery
    static_configs: [{targets: ["$bindery"]}]
alerting:
  alertmanagers: [{static_configs: [{targets: ["$alertmanager"]}]}]
YAML
sed 's/group_interval: .*/group_interval: 1s/; s/group_wait: .*/group_wait: 0s/' deploy/compose/alertmanager.yaml \
  >"$work/alertmanager.yaml"

start bindery "$program" run -c "$work/bindery.yaml"
start prometheus prometheus --config.file="$work/prometheus.yaml" --storage.tsdb.path="$work/tsdb" \
  --web.listen-address="$prometheus" --rules.alert.resend-delay=1s
start alertmanager prometheus-alertmanager --config.file="$work/alertmanager.yaml" --storage.path="$work/am" \
  --web.listen-address="$alertmanager" --cluster.listen-address=
eventually "bindery is ready" "$program" health -c "$work/bindery.yaml"
up() { [[ $(curl -sf "http://$prometheus/api/v1/query?query=bindery_last_load_successful") == *',"1"]'* ]]; }
eventually "Prometheus sees it" up
alerts() { amtool --alertmanager.url="http://$alertmanager" alert query "alertname=$1" -o json; }
firing() { alerts "$1" | grep -q '"active"'; }
# An Alertmanager that does not answer is not silent.
silent() {
  local said
  said=$(alerts "$1") && ! grep -q '"active"' <<<"$said"
}
eventually "Alertmanager answers" curl -sf "http://$alertmanager/-/ready"
silent BinderyReconcileErrors || fail "an alert in peace"

echo "alerts: the cloud breaks"
curl -sf -X PUT "http://$cloud/_emulator/faults" -d '[{"operation": "*", "status": 503}]' >/dev/null
eventually "BinderyReconcileErrors or BinderyCloudUnreachable" \
  bash -c "$(declare -f alerts firing); alertmanager=$alertmanager; firing BinderyCloudUnreachable || firing BinderyReconcileErrors"
amtool --alertmanager.url="http://$alertmanager" alert query
echo "alerts: the cloud is well again"
curl -sf -X PUT "http://$cloud/_emulator/faults" -d '[]' >/dev/null
eventually "BinderyCloudUnreachable is resolved" silent BinderyCloudUnreachable
eventually "BinderyReconcileErrors is resolved" silent BinderyReconcileErrors

echo "alerts: manifests that cannot be read"
mv "$work/manifests" "$work/elsewhere"
eventually "BinderyManifestsUnreadable" firing BinderyManifestsUnreadable
mv "$work/elsewhere" "$work/manifests"
eventually "BinderyManifestsUnreadable is resolved" silent BinderyManifestsUnreadable
echo "alerts: ok"
