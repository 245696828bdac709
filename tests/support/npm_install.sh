# For scripts that test with packages of npm; to be sourced. What they need is installed once for
# each lock file, into $BINDERY_NPM_DIR or else a cache folder of the user.
# shellcheck shell=bash

# Ends the script with what CTest takes for "skipped".
skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

require_node() {
  local major
  command -v node >/dev/null || skip "there is no node"
  command -v npm >/dev/null || skip "there is no npm"
  major=$(node -p 'process.versions.node.split(".")[0]')
  [[ $major -ge 18 ]] || skip "node $major is too old, 18 is needed"
}

# npm_folder FOLDER NAME: where the packages of FOLDER/package-lock.json are, or are to be.
npm_folder() {
  local digest
  digest=$(cat "$1/package.json" "$1/package-lock.json" | sha256sum | cut -c1-16)
  printf '%s' "${BINDERY_NPM_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/bindery/$2}/$digest"
}

# npm_install FOLDER INTO: the packages of the lock file, complete or not at all.
npm_install() {
  local from=$1 folder=$2 log=$2/npm.log part
  [[ -f $folder/complete ]] && return
  mkdir -p "$folder"
  exec 9>"$folder/lock"
  flock 9
  [[ -f $folder/complete ]] && return
  cp "$from/package.json" "$from/package-lock.json" "$folder/"
  if ! (cd "$folder" && npm ci --prefer-offline --no-audit --no-fund) >"$log" 2>&1; then
    cat "$log" >&2
    # Only a registry that cannot be reached excuses; a lock file that does not fit does not.
    for part in ENOTFOUND EAI_AGAIN ECONNREFUSED ECONNRESET ETIMEDOUT ENETUNREACH EHOSTUNREACH \
      ENOTCACHED ERR_SOCKET_TIMEOUT; do
      grep -q "$part" "$log" && skip "the npm registry cannot be reached ($part)"
    done
    printf 'npm ci failed\n' >&2
    exit 1
  fi
  touch "$folder/complete"
}
