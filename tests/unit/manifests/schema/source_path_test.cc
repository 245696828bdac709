#include "manifests/schema/source_path.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::manifests {
namespace {

TEST(SourcePath, IsKeptOnceForThoseThatCopyIt) {
  const SourcePath path(std::string("teams/payments.yaml"));
  const SourcePath copy = path;  // NOLINT(performance-unnecessary-copy-initialization): the test
  EXPECT_EQ(&path.str(), &copy.str());
  EXPECT_EQ(sizeof(path), sizeof(void*));
}

TEST(SourcePath, IsComparedByItsLetters) {
  const std::vector<SourcePath> sorted = {SourcePath(), "a.yaml", "a/b.yaml", "b.yaml"};
  const std::vector<SourcePath> again = {"", "a.yaml", "a/b.yaml", "b.yaml"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(sorted[i] <=> again[j], i <=> j) << i << " and " << j;
      EXPECT_EQ(sorted[i] == again[j], i == j) << i << " and " << j;
    }
  }
}

TEST(SourcePath, OfNothingIsEmpty) {
  EXPECT_TRUE(SourcePath().empty());
  EXPECT_TRUE(SourcePath("").empty());
  EXPECT_EQ(SourcePath().str(), "");
  EXPECT_FALSE(SourcePath("a.yaml").empty());
}

}  // namespace
}  // namespace bindery::manifests
