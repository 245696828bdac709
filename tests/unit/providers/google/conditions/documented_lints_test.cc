// Each check of docs/conditions.md has an example that it finds something in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "providers/google/conditions/checker.h"

namespace bindery::google::conditions {
namespace {

using Examples = std::map<std::string, std::vector<std::string>>;

/// The code blocks below each heading of the third level.
Examples ReadExamples() {
  std::ifstream page(BINDERY_SOURCE_DIR "/docs/conditions.md");
  Examples examples;
  std::string heading;
  std::string* block = nullptr;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      block = block == nullptr && !heading.empty() ? &examples[heading].emplace_back() : nullptr;
    } else if (block != nullptr) {
      *block += line + "\n";
    } else if (line.starts_with("### ")) {
      heading = line.substr(4);
    }
  }
  return examples;
}

std::set<std::string> UnitsOf(const std::string& expression) {
  CheckContext context;
  context.role = "roles/viewer";
  context.service = "backupdr.googleapis.com";
  context.names_begin = "projects/_/buckets/acme-data";
  context.now = cel::Timestamp{1'795'256'430, 0};
  std::set<std::string> units;
  for (const cel::Finding& finding : CheckCondition(expression, context))
    units.insert(finding.unit);
  return units;
}

TEST(DocumentedLints, FindSomethingInTheirExamples) {
  std::set<std::string> documented;
  for (const auto& [heading, blocks] : ReadExamples()) {
    std::set<std::string> found;
    for (const std::string& block : blocks) {
      bool fits = false;
      for (const std::string& unit : UnitsOf(block)) {
        if (heading.find(unit) == std::string::npos) continue;
        found.insert(unit);
        fits = true;
      }
      EXPECT_TRUE(fits) << heading << ":\n" << block;
    }
    documented.insert(found.begin(), found.end());
  }
  EXPECT_THAT(documented, ::testing::UnorderedElementsAre(
                              "ConditionCompileCheck", "ConditionComplexityCheck",
                              "HasOnlyListConstCheck", "HasOnlyListLengthCheck",
                              "DrgGetAttributeDefaultValueCheck", "BindingRoleAllowConditionCheck",
                              "DateTimeCheck", "DateTimeRangeCheck", "EffectiveTimeRangeCheck",
                              "ResourceServiceLiteralCheck", "ResourceTypeLiteralCheck",
                              "RestrictedAttributesCheck", "ApiAttributeLiteralCheck",
                              "RoleLiteralCheck", "TagLiteralCheck", "ResourceNameLiteralCheck"));
}

}  // namespace
}  // namespace bindery::google::conditions
