#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/problem.h"
#include "report/codec/json_codec.h"
#include "report/codec/list_slice.h"

namespace bindery::report {

/// The line of a problem, with a caret below. Empty, and null as JSON: cannot be
/// shown.
struct Excerpt {
  std::string text;
};
[[nodiscard]] inline Json ToJson(const Excerpt& excerpt) {
  return excerpt.text.empty() ? Json() : Json(excerpt.text);
}
inline bool ReadJson(const Json& json, Excerpt& excerpt) { return ReadJson(json, excerpt.text); }

/// A problem of a manifest, as reports list it.
struct ProblemLine {
  std::string file;
  int line = 0;
  int column = 0;
  std::string path;
  manifests::ProblemSeverity severity = manifests::ProblemSeverity::kError;
  std::string code;
  std::string message;
  std::string resource;
  std::optional<bool> in_force;    ///< Of plans: what the resource declared before stays in force.
  std::optional<Excerpt> excerpt;  ///< Not set: it was not looked for.
};

/// A manifest whose condition has ended for good. Time causes the end, so it is no problem.
struct ExpiredManifest {
  std::string resource;
  std::string file;
  int line = 0;
};

struct ProblemCounts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
};

/// The problems of one code.
struct ProblemGroup {
  manifests::ProblemSeverity severity = manifests::ProblemSeverity::kError;
  std::string code;
  std::size_t count = 0;
};

/// The errors of manifests, as of the last scan: errors first, of each code together, the most
/// frequent code first.
struct ProblemList : ListSlice {
  std::vector<ProblemLine> problems;
  std::vector<ProblemGroup> groups;  ///< In the order of the problems, of all pages.
  ProblemCounts summary;             ///< Of all of them.
};

/// The result of a check of manifests.
struct Validation {
  bool valid = true;  ///< Warnings leave it so.
  std::size_t files = 0;
  std::size_t manifests = 0;
  std::vector<ProblemLine> problems;
  ProblemCounts summary;  ///< Of all of them.
  std::vector<ExpiredManifest> expired;
};

/// Counts problems for every command, page and answer that does.
[[nodiscard]] inline ProblemCounts CountProblems(const std::vector<ProblemLine>& problems) {
  ProblemCounts counts;
  for (const ProblemLine& problem : problems) {
    ++(problem.severity == manifests::ProblemSeverity::kError ? counts.errors : counts.warnings);
  }
  return counts;
}

template <>
inline constexpr auto kAllOf<manifests::ProblemSeverity> =
    std::array{manifests::ProblemSeverity::kError, manifests::ProblemSeverity::kWarning};

template <>
inline constexpr auto kFields<ProblemLine> =
    std::tuple{Field{"file", &ProblemLine::file},
               Field{"line", &ProblemLine::line},
               Field{"column", &ProblemLine::column},
               Field{"path", &ProblemLine::path},
               Field{"severity", &ProblemLine::severity},
               Field{"code", &ProblemLine::code},
               Field{"message", &ProblemLine::message},
               Field{"resource", &ProblemLine::resource},
               FieldIfSet{"inForce", &ProblemLine::in_force},
               FieldIfSet{"excerpt", &ProblemLine::excerpt}};

template <>
inline constexpr auto kFields<ExpiredManifest> =
    std::tuple{Field{"resource", &ExpiredManifest::resource}, Field{"file", &ExpiredManifest::file},
               Field{"line", &ExpiredManifest::line}};

template <>
inline constexpr auto kFields<ProblemCounts> = std::tuple{
    Field{"errors", &ProblemCounts::errors}, Field{"warnings", &ProblemCounts::warnings}};

template <>
inline constexpr auto kFields<ProblemGroup> =
    std::tuple{Field{"severity", &ProblemGroup::severity}, Field{"code", &ProblemGroup::code},
               Field{"count", &ProblemGroup::count}};

template <>
inline constexpr auto kFields<ProblemList> = std::tuple_cat(
    std::tuple{Field{"problems", &ProblemList::problems}}, kFields<ListSlice>,
    std::tuple{Field{"groups", &ProblemList::groups}, Field{"summary", &ProblemList::summary}});

template <>
inline constexpr auto kFields<Validation> = std::tuple{
    Field{"valid", &Validation::valid},         Field{"files", &Validation::files},
    Field{"manifests", &Validation::manifests}, Field{"problems", &Validation::problems},
    Field{"summary", &Validation::summary},     FieldIfSet{"expired", &Validation::expired}};

}  // namespace bindery::report
