// Tokens of kinds: all that google-native has are known.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/text/type_token.h"
#include "providers/registry/kinds.h"

namespace bindery::providers {
namespace {

TEST(Tokens, OfGoogleNativeLeadToAKindOrSayWhatBecameOfThem) {
  const Kinds kinds;
  std::ifstream file(BINDERY_GOOGLE_NATIVE);
  std::size_t known = 0;
  std::size_t gone = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string name = line.substr(0, line.find_first_of(" \t"));
    const auto colon = name.find(':');
    for (const char* package : {"cloudnative:", "google-native:"}) {
      for (const char* shape : {"IamBinding", "IamMember", "IamPolicy"}) {
        const TypeToken token{package + name.substr(0, colon), name.substr(colon + 1) + shape};
        const reconcilers::Kind* kind = kinds.Find(token);
        const std::string why = kinds.WhyGone(token);
        EXPECT_NE(kind == nullptr, why.empty()) << token.Text();
        ++(kind != nullptr ? known : gone);
      }
    }
  }
  // Two packages and three shapes of each.
  EXPECT_EQ(known, 6 * 348U);
  EXPECT_EQ(gone, 6 * 35U);
}

TEST(Tokens, OfAllVersionsAndPackagesAreOneKind) {
  const Kinds kinds;
  const reconcilers::Kind* project =
      kinds.Find({"cloudnative:cloudresourcemanager/v3", "ProjectIamBinding"});
  ASSERT_NE(project, nullptr);
  for (const char* version :
       {"cloudnative:cloudresourcemanager/v1", "google-native:cloudresourcemanager/v3",
        "google-native:cloudresourcemanager/v1"}) {
    EXPECT_EQ(kinds.Find({version, "ProjectIamBinding"}), project) << version;
  }
  EXPECT_EQ(kinds.Find({"cloudnative:cloudresourcemanager/v9", "ProjectIamBinding"}), nullptr);
  EXPECT_EQ(kinds.Find({"pulumi:cloudresourcemanager/v3", "ProjectIamBinding"}), nullptr);
}

TEST(Tokens, OfAKindThatNobodyNamesCostNothing) {
  const Kinds kinds;
  const std::size_t before = kinds.InUse().size();
  EXPECT_GT(kinds.Tokens().size(), 280U);
  EXPECT_EQ(kinds.InUse().size(), before) << "listing tokens makes no kind";
  EXPECT_NE(kinds.Find({"cloudnative:pubsub/v1", "TopicIamBinding"}), nullptr);
  EXPECT_EQ(kinds.InUse().size(), before + 1);
}

}  // namespace
}  // namespace bindery::providers
