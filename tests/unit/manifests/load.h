#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/documents/loader.h"
#include "manifests/schema/kind_schemas.h"
#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"

namespace bindery::manifests {

/// The kinds there are.
inline const std::vector<const KindSchema*>& AllKinds() {
  static const std::vector<const KindSchema*> kKinds = {
      &google::IamBindingSchema("AuthorizationPolicyIamBinding"),
      &google::IamBindingSchema("ManagementServerIamBinding"), &datadog::RestrictionPolicySchema()};
  return kKinds;
}

inline FileContent Load(std::string_view text, const std::string& path = "a.yaml") {
  return LoadFile(text, path, ListedKinds(AllKinds()));
}

/// A good manifest of five lines.
inline std::string Policy(const std::string& name = "a") {
  return "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: " + name +
         "}\nspec: {resourceId: \"dashboard:abc-def-ghi\",\n  bindings: [{relation: editor, "
         "principals: [\"org:1\"]}]}\n";
}

/// "line:column: path: message [Code]" of every problem, "[Code, warning]" of a warning.
inline std::vector<std::string> ListProblems(const FileContent& content) {
  std::vector<std::string> texts;
  for (const Problem& problem : content.problems) {
    const bool warning = problem.severity == ProblemSeverity::kWarning;
    std::string text = problem.Text();
    text.erase(0, problem.file.size() + 1);
    texts.push_back(text + " [" + problem.code + (warning ? ", warning]" : "]"));
  }
  return texts;
}

/// A restriction policy whose spec, from its fourth line on, is `spec`.
inline std::string WithSpec(const std::string& spec) {
  return "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: a}\n" + spec + "\n";
}

/// A whole file, and everything that is said about it, as by ListProblems().
struct LoaderCase {
  const char* name;
  std::string text;
  std::vector<std::string> problems;
};

inline void PrintTo(const LoaderCase& tested, std::ostream* out) { *out << tested.name; }
inline std::string NameOfCase(const ::testing::TestParamInfo<LoaderCase>& tested) {
  return tested.param.name;
}

}  // namespace bindery::manifests
