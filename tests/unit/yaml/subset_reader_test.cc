// The reader of the subset and yaml-cpp make the same trees of the same texts.

#include "yaml/subset_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/yaml_generator.h"
#include "support/yaml_readings.h"

namespace bindery::yaml {
namespace {

/// Whether the one document of the text is read without yaml-cpp.
bool IsInSubset(std::string_view text, const Limits& limits = {}) {
  return ReadSubset({text, 1}, limits).has_value();
}

void ExpectTheSame(std::string_view text, const Limits& limits = {}) {
  ASSERT_EQ(Describe(ReadYamlBy(Readers::kSubsetFirst, text, limits)),
            Describe(ReadYamlBy(Readers::kLibraryAlone, text, limits)))
      << text;
}

struct SubsetText {
  const char* name;
  std::string text;
};

class InSubset : public ::testing::TestWithParam<SubsetText> {};

TEST_P(InSubset, IsReadAlikeWithoutTheLibrary) {
  const std::string& text = GetParam().text;
  EXPECT_TRUE(IsInSubset(text));
  ExpectTheSame(text);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, InSubset,
    ::testing::Values(
        SubsetText{"Empty", ""}, SubsetText{"CommentAlone", "# nothing\n"},
        SubsetText{"MarkerAlone", "---\n"}, SubsetText{"Map", "a: 1\nb: x y\n"},
        SubsetText{"NoLastLineBreak", "a: b"},
        SubsetText{"MarkerAndComments", "--- # first\n# c\n\n  # d\na: 1 # e\n\n# f\n"},
        SubsetText{"Nested", "a:\n  b:\n    c: d\n  e: f\n"},
        SubsetText{"Indented", "  a: 1\n  b: 2\n"},
        SubsetText{"ListBelowKey", "a:\n- x\n- y\nb: 1\n"},
        SubsetText{"ListDeeper", "a:\n    - x\n    - y\n"}, SubsetText{"RootList", "- a\n- b\n"},
        SubsetText{"ListOfLists", "- - a\n  - b\n-  - c\n"},
        SubsetText{"ListOfMaps", "- a: 1\n  b: 2\n-   a: 3\n    b:\n    - 4\n"},
        SubsetText{"ItemBelow", "-\n  a: 1\n- # c\n  - x\n"},
        SubsetText{"NoValue", "a:\nb: # c\n\nc: 1\n"},
        SubsetText{"KindsOfPlain",
                   "a: null\nb: ~\nc: true\nd: 12\ne: 1.5\nf: 012\ng: 0x1F\nh: yes\n"},
        SubsetText{"PlainSigns", "a: -x\nb: :x\nc: ?x\nd: a:b\ne: a#b\nf: a'b\"c\n"},
        SubsetText{"Quoted", "a: 'x'\nb: ''\nc: 'it''s'\nd: \"y\"\ne: \"\"\nf: \"a # b: c\"\n"},
        SubsetText{"Escapes", "a: \"\\\"\\\\\\/\\n\\t\"\nb: ''''\nc: \"\\\\\"\nd: \"x\\n\"\n"},
        SubsetText{"QuotedKeys", "\"a\": 1\n'b c': 2\n\"\": 3\n\"1\": 4\n"},
        SubsetText{"Literal", "a: |\n  one\n    two\n\n  three\nb: |-\n  x\n\n\nc: 1\n"},
        SubsetText{"LiteralAtTheEnd", "a: |\n  one\n   \n"},
        SubsetText{"LiteralCutOff", "a: |\n  one"},
        SubsetText{"LiteralInList", "- |\n  a\n- |-\n b\n"},
        SubsetText{"LiteralThenComment", "a: |\n  x\n# c\n  # d\nb: 1\n"},
        SubsetText{"Folded", "a: >\n  one\n  two \n  three\nb: >-\n  x\n  y\n\n\nc: 1\n"},
        SubsetText{"FlowMap", "a: {b: c, d: 'e', \"f\": [g, h], i: {}}\n"},
        SubsetText{"FlowList", "a: [x, \"y\", 'z', user:a@b, -1, a b , [], {k: v}] # c\n"},
        SubsetText{"FlowLikeJson", "a: {\"b\":1,\"c\":[true,null,\"d\"]}\n"},
        SubsetText{"FlowRoots", "- [a]\n- {b: c}\n"},
        SubsetText{
            "NotAscii",
            "\xC3\xA9: \xC3\xA4 # \xC3\xB6\nb: [\xC3\xA9, x]\nc: {\xC3\xA9: '\xC3\xA9', d: e}\n"}),
    [](const auto& tested) { return std::string(tested.param.name); });

class OutsideOfSubset : public ::testing::TestWithParam<SubsetText> {};

TEST_P(OutsideOfSubset, IsLeftToTheLibrary) {
  const std::string& text = GetParam().text;
  EXPECT_FALSE(IsInSubset(text));
  ExpectTheSame(text);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, OutsideOfSubset,
    ::testing::Values(
        SubsetText{"Scalar", "x\n"}, SubsetText{"FlowRoot", "[a]\n"},
        SubsetText{"MarkerAndContent", "--- a: 1\n"},
        SubsetText{"Directive", "%YAML 1.2\n---\na: 1\n"}, SubsetText{"Anchor", "a: &x 1\nb: *x\n"},
        SubsetText{"Tag", "a: !!str 1\n"}, SubsetText{"Tab", "a: 1 # \tc\n"},
        SubsetText{"ComplexKey", "? a\n: b\n"}, SubsetText{"SeveralLines", "a: b\n  c\n"},
        SubsetText{"QuotedOnTwoLines", "a: 'b\n  c'\n"},
        SubsetText{"FlowOnTwoLines", "a: [b,\n  c]\n"}, SubsetText{"Keep", "a: |+\n  b\n\n"},
        SubsetText{"IndentGiven", "a: |2\n  b\n"}, SubsetText{"OtherEscape", "a: \"\\u00e9\"\n"},
        SubsetText{"FoldedParagraphs", "a: >\n  b\n\n  c\n"},
        SubsetText{"FoldedDeeper", "a: >\n  b\n    c\n"},
        SubsetText{"DuplicateKey", "a: 1\nb: 2\na: 3\n"}, SubsetText{"MergeKey", "<<: 1\n"},
        SubsetText{"NumberAsKey", "1: a\n"}, SubsetText{"NullAsKey", "~: a\n"},
        SubsetText{"NoColon", "a: 1\nb\n"}, SubsetText{"TwoColons", "a: b: c\n"},
        SubsetText{"ListBehindKey", "a: - b\n"}, SubsetText{"OddIndent", "a:\n    b: 1\n  c: 2\n"},
        SubsetText{"DeeperField", "a: 1\n  b: 2\n"}, SubsetText{"ItemAmongFields", "a: 1\n- b\n"},
        SubsetText{"FieldAmongItems", "- a\nb: 1\n"}, SubsetText{"BehindQuote", "a: 'b' c\n"},
        SubsetText{"BehindFlow", "a: [b] c\n"}, SubsetText{"OpenFlow", "a: [b\n"},
        SubsetText{"OpenQuote", "a: 'b\n"}, SubsetText{"FlowQuestion", "a: [b?c]\n"},
        SubsetText{"FlowCompact", "a: [b: c]\n"}, SubsetText{"FlowNoValue", "a: {b, c}\n"},
        SubsetText{"FlowNoValueBehindColon", "a: {b:, c: }\n"},
        SubsetText{"FlowComma", "a: [b,]\n"}, SubsetText{"EndMarkerAndContent", "... a: 1\n"},
        SubsetText{"EndMarkerAlone", "...\n"}, SubsetText{"EmptyItem", "- a\n-\n- b\n"},
        SubsetText{"EmptyValueAtTheEnd", "a:\n  b:"},
        SubsetText{"LongKey", std::string(1100, 'k') + ": v\n"},
        SubsetText{"EmptyText", "a: |\nb: 1\n"}, SubsetText{"EmptyLineFirst", "a: |\n\n  x\n"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(SubsetReader, LeavesWhatExceedsTheLimitsToTheLibrary) {
  struct LimitCase {
    const char* name;
    std::string within;
    std::string beyond;
  };
  Limits limits;
  limits.max_depth = 3;
  limits.max_nodes = 8;
  const LimitCase cases[] = {
      {"block maps", "a:\n  b:\n    c: 1\n", "a:\n  b:\n    c:\n      d: 1\n"},
      {"block lists", "- - - x\n", "- - - - x\n"},
      {"flow", "a: [[x]]\n", "a: [[[x]]]\n"},
      {"values", "- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n", "- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n- 8\n"},
      {"keys", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\nc: 3\nd:\n"},
      {"texts", "a: |\n  x\nb: 1\nc: 2\n", "a: |\n  x\nb: 1\nc: 2\nd: |\n  x\n"},
  };
  for (const LimitCase& test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_TRUE(IsInSubset(test.within, limits));
    ExpectTheSame(test.within, limits);
    EXPECT_FALSE(IsInSubset(test.beyond, limits));
    ExpectTheSame(test.beyond, limits);
  }
}

TEST(SubsetReader, FindsADuplicateKeyInALargeMap) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  EXPECT_TRUE(IsInSubset(text));
  ExpectTheSame(text);
  text += "k17: 2\n";
  EXPECT_FALSE(IsInSubset(text));
  ExpectTheSame(text);
}

TEST(SubsetReader, CountsTheLinesOfAllDocumentsOfATextWithAnyLineBreaks) {
  ExpectTheSame(
      "# c\r\n---\r\na: |\r\n  x\r\n---\r\nb: [1, 2]\r\n...\r\n---\r\nc: &x 1\r\n---\r\nd:\r\n- "
      "1\r\n");
  ExpectTheSame(
      "\xEF\xBB\xBF"
      "a: 1\n---\nb: 2\n---\nc: [\n---\nd: 4");
}

std::vector<std::filesystem::path> YamlFilesOfTheRepository() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"config", "deploy", "docs", "bench", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(BINDERY_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".yaml" || extension == ".yml") files.push_back(entry.path());
    }
  }
  return files;
}

std::string ContentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(SubsetReader, AllFilesOfTheRepositoryAreReadAlike) {
  SubsetShare all;
  SubsetShare manifests;
  for (const std::filesystem::path& file : YamlFilesOfTheRepository()) {
    SCOPED_TRACE(file);
    const std::string text = ContentOf(file);
    ExpectTheSame(text);
    CountSubset(text, all);
    if (file.string().find("/manifests/") != std::string::npos) CountSubset(text, manifests);
  }
  EXPECT_GT(all.all, 60);
  EXPECT_EQ(manifests.read, manifests.all) << "an example manifest is outside of the subset";
  EXPECT_GE(all.read * 10, all.all * 8) << all.read << " of " << all.all;
}

/// BINDERY_YAML_TEXTS: how many generated texts, for a longer search.
std::uint32_t NumberOfTexts() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread is running
  const char* const wanted = std::getenv("BINDERY_YAML_TEXTS");
  return wanted == nullptr ? 3'000 : static_cast<std::uint32_t>(std::stoul(wanted));
}

TEST(SubsetReader, GeneratedTextsAndTheirMutationsAreReadAlike) {
  SubsetShare written;
  SubsetShare mutated;
  for (std::uint32_t seed = 1; seed <= NumberOfTexts(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    YamlGenerator generator(seed);
    const std::string text = generator.Text();
    ExpectTheSame(text);
    CountSubset(text, written);
    for (int i = 0; i < 3; ++i) {
      const std::string changed = generator.Mutated(text);
      ExpectTheSame(changed);
      CountSubset(changed, mutated);
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(written.read * 4, written.all) << written.read << " of " << written.all;
  EXPECT_GE(mutated.read * 10, mutated.all) << mutated.read << " of " << mutated.all;
  RecordProperty("written", std::to_string(written.read) + " of " + std::to_string(written.all));
  RecordProperty("mutated", std::to_string(mutated.read) + " of " + std::to_string(mutated.all));
}

}  // namespace
}  // namespace bindery::yaml
