#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::testing {

/// A name of each form that the row has: "projects/acme/topics/a-topic".
inline std::vector<std::string> SampleNames(const google::IamRow& row) {
  std::vector<std::string> names;
  for (const std::string_view name_template : manifests::Split(row.names, ' ')) {
    std::string name;
    for (const std::string_view segment : manifests::Split(name_template, '/')) {
      if (!name.empty()) name += '/';
      const auto open = segment.find('{');
      name += segment.substr(0, open);
      if (open == std::string_view::npos) continue;
      const std::string_view variable =
          segment.substr(open + 1, segment.find_first_of("=}", open) - open - 1);
      if (variable == "project") {
        name += "acme";
      } else {
        name += variable == "location" ? "europe-west1" : "a-" + AsciiLower(variable);
      }
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace bindery::testing
