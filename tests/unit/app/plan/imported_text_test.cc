#include "app/plan/imported_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "yaml/reader.h"

namespace bindery::app {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

NewManifests MakeManifests(std::size_t count, const std::string& text = "a: 1\n") {
  NewManifests manifests;
  for (std::size_t i = 0; i < count; ++i) manifests.Add(text);
  return manifests;
}

TEST(ManifestTexts, AFullFileIsFollowedByAnother) {
  ManifestTexts texts({4, 1'000});
  texts.Add(MakeManifests(0));
  EXPECT_THAT(texts.files(), IsEmpty());
  for (int i = 0; i < 3; ++i) texts.Add(MakeManifests(2));
  ASSERT_THAT(texts.files(), SizeIs(2));
  EXPECT_EQ(texts.files()[0].count, 4U);
  EXPECT_EQ(texts.files()[0].text, "a: 1\n---\na: 1\n---\na: 1\n---\na: 1\n");
  EXPECT_EQ(texts.files()[1].text, "a: 1\n---\na: 1\n");
}

TEST(ManifestTexts, AFileIsAsLongAsItMayBe) {
  ManifestTexts texts({100, 14});
  texts.Add(MakeManifests(1));
  texts.Add(MakeManifests(1));
  EXPECT_THAT(texts.files(), SizeIs(1)) << "14 bytes";
  texts.Add(MakeManifests(1));
  EXPECT_THAT(texts.files(), SizeIs(2));
}

TEST(ManifestTexts, TheLimitsAreThoseOfTheReader) {
  const FileLimits limits = LimitsOfReader();
  ManifestTexts texts(limits);
  for (std::size_t i = 0; i <= limits.documents; ++i) texts.Add(MakeManifests(1));
  ASSERT_THAT(texts.files(), SizeIs(2));
  const auto count_unread = [](const std::string& text) {
    return std::ranges::count(yaml::ReadYaml(text).faults, "TooLarge", &yaml::Fault::code);
  };
  EXPECT_EQ(count_unread(texts.files()[0].text), 0);
  EXPECT_EQ(count_unread(texts.files()[0].text + "---\na: 1\n"), 1);
}

}  // namespace
}  // namespace bindery::app
