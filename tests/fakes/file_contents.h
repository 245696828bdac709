#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "controller/claims/scan_input.h"

namespace bindery::testing {

/// The files of a directory, as a scan hands them out.
using Content = std::vector<std::shared_ptr<const manifests::FileContent>>;

/// What an edit of the directory changed.
inline controller::ScanEdit EditFrom(const Content& before, const Content& now) {
  controller::ScanEdit edit;
  const auto holds = [](const Content& files, const manifests::FileContent& wanted) {
    return std::any_of(files.begin(), files.end(), [&](const auto& file) {
      return file->path == wanted.path && file->digest == wanted.digest;
    });
  };
  for (const auto& file : now) {
    if (!holds(before, *file)) edit.now.push_back(file);
  }
  for (const auto& file : before) {
    if (!holds(now, *file)) edit.before.push_back(file);
  }
  return edit;
}

/// The change says of targets only that they were read and are as before.
inline bool OnlyTouches(store::StoreChange change) {
  change.touch_targets.clear();
  for (const store::DriftUpdate& update : change.drift) {
    if (update.items.empty()) return false;
  }
  change.drift.clear();
  return change.empty();
}

}  // namespace bindery::testing
