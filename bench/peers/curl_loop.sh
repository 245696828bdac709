#!/usr/bin/env bash
# curl_loop.sh URL COUNT: what an administrator would write. Reads each policy, compares it with what
# it should be, and writes it back where it differs.
set -euo pipefail

url=$1
count=$2

for ((i = 0; i < count; i++)); do
  policy=$url/v1/projects/acme/locations/global/authorizationPolicies/p$i
  wanted='[{"role":"projects/acme/roles/r0","members":["group:sre@example.com","user:ana'$i'@example.com"]}]'
  live=$(curl -sf "$policy:getIamPolicy?options.requestedPolicyVersion=3")
  if ! jq -e --argjson wanted "$wanted" \
    '[.bindings[]? | {role, members: (.members | sort)}] == $wanted' >/dev/null <<<"$live"; then
    jq --argjson wanted "$wanted" '{policy: (. + {bindings: $wanted})}' <<<"$live" |
      curl -sf -H 'Content-Type: application/json' -d @- "$policy:setIamPolicy" >/dev/null
  fi
done
