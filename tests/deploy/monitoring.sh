#!/usr/bin/env bash
# Rules, their tests, dashboard and runbooks. Quick: promtool and a script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

promtool check rules --lint=all --lint-fatal deploy/monitoring/rules/*.yaml
promtool test rules deploy/monitoring/tests/*.yaml
python3 tests/deploy/check_monitoring.py --dashboard-as-rules >"$work/dashboard.yaml"
promtool check rules "$work/dashboard.yaml"
python3 tests/deploy/check_monitoring.py
for config in deploy/monitoring/prometheus.yaml deploy/compose/prometheus.yaml; do
  promtool check config --syntax-only "$config"
done
if command -v amtool >/dev/null; then
  amtool check-config deploy/compose/alertmanager.yaml
else
  echo "left out: amtool is not installed (Debian package prometheus-alertmanager)"
fi
echo "monitoring: ok"
