#!/usr/bin/env bash
# Fetches Keycloak's server from Maven Central: fetch.sh FOLDER. Prints where below FOLDER the server is, which is fetched once.
set -euo pipefail

version=26.4.0
digest=1b6a11a2726ac8a8dc9c91d5fafe989a75ce4f1622d7f7b45c21d5bc16629c0a
folder=${1:?"usage: fetch.sh FOLDER"}
server=$folder/keycloak-$version

if [[ ! -e $server/complete ]]; then
  mkdir -p "$folder"
  artifact=org.keycloak:keycloak-quarkus-dist:$version:zip
  mvn --batch-mode --quiet "-Dmaven.repo.local=$folder/maven" -Dtransitive=false "-Dartifact=$artifact" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get >&2
  archive=$folder/maven/org/keycloak/keycloak-quarkus-dist/$version/keycloak-quarkus-dist-$version.zip
  printf '%s  %s\n' "$digest" "$archive" | sha256sum --check --quiet >&2
  rm -rf "$server"
  python3 -m zipfile -e "$archive" "$folder"
  touch "$server/complete"
fi
printf '%s\n' "$server"
