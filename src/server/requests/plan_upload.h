#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace bindery::server {

/// The longest body of POST /api/v1/plan: the manifests of some ten thousand bindings.
inline constexpr std::size_t kMostPlanBytes = std::size_t{16} << 20U;

/// A manifests directory from a client, for a plan in place of the daemon's directory.
struct PlanUpload {
  struct File {
    std::string path;  ///< Relative to the directory, as it is in messages.
    std::string text;
  };
  /// An item of the directory with unknown content: the item may declare anything.
  struct Unread {
    std::string path;
    std::string why;       ///< Completes "PATH …": "cannot be read".
    bool ignored = false;  ///< Its name says that it is no manifest file.
    bool opaque = false;   ///< A folder that cannot be read.
  };

  std::vector<std::string> names;  ///< Resources whose targets to plan; none: all.
  std::vector<File> files;         ///< Each path once.
  std::vector<Unread> unread;
};

/// {"files": [{"path", "text"}], "names": […], "unread": [{"path", "why", "ignored", "opaque"}]};
/// only "files" is required. Strict: kInvalidArgument for anything else, for a path that leads out
/// of the directory, and for one that is there twice.
[[nodiscard]] Expected<PlanUpload> ReadPlanUpload(std::string_view text);

/// The same as a text. Bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string GetText(const PlanUpload& upload);

}  // namespace bindery::server
