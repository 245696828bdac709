#!/usr/bin/env bash
# deploy/compose: by a script of ours, and by compose itself where there is one. Quick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! python3 -c 'import yaml' 2>/dev/null; then
  echo "skipped: there is no python3-yaml"
  exit 77
fi
python3 tests/deploy/check_compose.py
for file in deploy/compose/compose.yaml deploy/compose/replicas.yaml; do
  if docker compose version >/dev/null 2>&1; then
    docker compose -f "$file" config --quiet
  elif docker-compose version --short 2>/dev/null | grep -qE '^v?[2-9]'; then
    docker-compose -f "$file" config --quiet
  else
    echo "left out: there is no compose, or it is of version 1"
    break
  fi
done
echo "compose: ok"
