#pragma once

#include <optional>
#include <string>

#include "report/codec/json_codec.h"

namespace bindery {

/// A line of a manifest.
struct SourceLine {
  std::string file;
  int line = 0;
};

/// Nothing without a file.
[[nodiscard]] inline std::optional<SourceLine> MakeSourceLine(const std::string& file, int line) {
  return file.empty() ? std::nullopt : std::optional(SourceLine{file, line});
}

/// The manifest that declares a grant.
struct DeclaringManifest {
  std::string resource;
  std::string file;
  int line = 0;
};

template <>
inline constexpr auto report::kFields<SourceLine> =
    std::tuple{report::Field{"file", &SourceLine::file}, report::Field{"line", &SourceLine::line}};

template <>
inline constexpr auto report::kFields<DeclaringManifest> =
    std::tuple{report::Field{"resource", &DeclaringManifest::resource},
               report::Field{"file", &DeclaringManifest::file},
               report::Field{"line", &DeclaringManifest::line}};

}  // namespace bindery
