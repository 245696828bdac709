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

namespace bindery {

[[nodiscard]] inline std::string_view ToString(ProblemSeverity severity) {
  return severity == ProblemSeverity::kWarning ? "warning" : "error";
}

namespace report {

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
  ProblemSeverity severity = ProblemSeverity::kError;
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

}  // namespace report

struct ProblemCounts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
};

/// The problems of one code.
struct ProblemGroup {
  ProblemSeverity severity = ProblemSeverity::kError;
  std::string code;
  std::size_t count = 0;
};

/// The errors of manifests, as of the last scan: errors first, of each code together, the most
/// frequent code first.
struct ProblemList : ListSlice {
  std::vector<report::ProblemLine> problems;
  std::vector<ProblemGroup> groups;  ///< In the order of the problems, of all pages.
  ProblemCounts summary;             ///< Of all of them.
};

/// The result of a check of manifests.
struct Validation {
  bool valid = true;  ///< Warnings leave it so.
  std::size_t files = 0;
  std::size_t manifests = 0;
  std::vector<report::ProblemLine> problems;
  ProblemCounts summary;  ///< Of all of them.
  std::vector<report::ExpiredManifest> expired;
};

/// Counts problems for every command, page and answer that does.
[[nodiscard]] inline ProblemCounts CountProblems(const std::vector<report::ProblemLine>& problems) {
  ProblemCounts counts;
  for (const report::ProblemLine& problem : problems) {
    ++(problem.severity == ProblemSeverity::kError ? counts.errors : counts.warnings);
  }
  return counts;
}

template <>
inline constexpr auto report::kAllOf<ProblemSeverity> =
    std::array{ProblemSeverity::kError, ProblemSeverity::kWarning};

template <>
inline constexpr auto report::kFields<report::ProblemLine> =
    std::tuple{report::Field{"file", &report::ProblemLine::file},
               report::Field{"line", &report::ProblemLine::line},
               report::Field{"column", &report::ProblemLine::column},
               report::Field{"path", &report::ProblemLine::path},
               report::Field{"severity", &report::ProblemLine::severity},
               report::Field{"code", &report::ProblemLine::code},
               report::Field{"message", &report::ProblemLine::message},
               report::Field{"resource", &report::ProblemLine::resource},
               report::FieldIfSet{"inForce", &report::ProblemLine::in_force},
               report::FieldIfSet{"excerpt", &report::ProblemLine::excerpt}};

template <>
inline constexpr auto report::kFields<report::ExpiredManifest> =
    std::tuple{report::Field{"resource", &report::ExpiredManifest::resource},
               report::Field{"file", &report::ExpiredManifest::file},
               report::Field{"line", &report::ExpiredManifest::line}};

template <>
inline constexpr auto report::kFields<ProblemCounts> =
    std::tuple{report::Field{"errors", &ProblemCounts::errors},
               report::Field{"warnings", &ProblemCounts::warnings}};

template <>
inline constexpr auto report::kFields<ProblemGroup> = std::tuple{
    report::Field{"severity", &ProblemGroup::severity}, report::Field{"code", &ProblemGroup::code},
    report::Field{"count", &ProblemGroup::count}};

template <>
inline constexpr auto report::kFields<ProblemList> = std::tuple_cat(
    std::tuple{report::Field{"problems", &ProblemList::problems}}, report::kFields<ListSlice>,
    std::tuple{report::Field{"groups", &ProblemList::groups},
               report::Field{"summary", &ProblemList::summary}});

template <>
inline constexpr auto report::kFields<Validation> =
    std::tuple{report::Field{"valid", &Validation::valid},
               report::Field{"files", &Validation::files},
               report::Field{"manifests", &Validation::manifests},
               report::Field{"problems", &Validation::problems},
               report::Field{"summary", &Validation::summary},
               report::FieldIfSet{"expired", &Validation::expired}};

}  // namespace bindery
