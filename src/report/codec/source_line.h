#pragma once

#include <optional>
#include <string>

#include "report/codec/json_codec.h"

namespace bindery::report {

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
inline constexpr auto kFields<SourceLine> =
    std::tuple{Field{"file", &SourceLine::file}, Field{"line", &SourceLine::line}};

template <>
inline constexpr auto kFields<DeclaringManifest> =
    std::tuple{Field{"resource", &DeclaringManifest::resource},
               Field{"file", &DeclaringManifest::file}, Field{"line", &DeclaringManifest::line}};

}  // namespace bindery::report
