// Columns in characters, and that a long line is looked at once.

#include "yaml/column_counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "yaml/reader.h"
#include "yaml/subset_reader.h"
#include "yaml/text.h"

namespace bindery::yaml {
namespace {

std::string Repeat(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ColumnCounter, CountsCharactersAndLooksAtNoByteTwice) {
  struct Case {
    const char* name;
    std::string text;
    std::size_t step;       ///< Between the places that are asked for.
    std::size_t most_work;  ///< In bytes.
  };
  const std::size_t many = 20'000;
  const Case cases[] = {
      {"bytes alone", Repeat("ab ", many), 1, 0},
      {"two bytes each", Repeat("\xC3\xA9", many), 2, 2 * many},
      {"four bytes each", Repeat("\xF0\x9F\x98\x80", many), 4, 4 * many},
      {"mixed", Repeat("a\xE2\x82\xAC", many), 4, 4 * many},
      {"lines", Repeat("\xC3\xA9\xC3\xA9 x\n", many), 3, 7 * many},
  };
  for (const Case& test : cases) {
    ColumnCounter columns(test.text);
    std::size_t line_start = 0;
    for (std::size_t at = 0; at < test.text.size(); at += test.step) {
      while (true) {
        const std::size_t next = test.text.find('\n', line_start);
        if (next == std::string::npos || next >= at) break;
        line_start = next + 1;
      }
      const int found = columns.Find(line_start, at);
      if (at % 997 != 0) continue;
      const auto before = std::string_view(test.text).substr(line_start, at - line_start);
      ASSERT_EQ(found, static_cast<int>(CountCharacters(before)) + 1) << test.name << " " << at;
    }
    EXPECT_LE(columns.counted(), test.most_work) << test.name;
  }
}

TEST(ColumnCounter, GoesBackAsFarAsThePlaceIsAlone) {
  const std::string text = Repeat("\xC3\xA9", 10'000);
  ColumnCounter columns(text);
  EXPECT_EQ(columns.Find(0, 20'000), 10'001);
  EXPECT_EQ(columns.Find(0, 19'990), 9'996);
  EXPECT_EQ(columns.Find(0, 19'992), 9'997);
  EXPECT_EQ(columns.counted(), 20'012U);
}

/// The positions of all nodes and keys, in the order of the text.
void AddPositions(const Node& node, std::vector<Position>& positions) {
  positions.push_back(node.at);
  for (const Node& item : node.items) AddPositions(item, positions);
  for (const Node::Entry& entry : node.fields) {
    positions.push_back(entry.key_at);
    AddPositions(entry.value, positions);
  }
}

std::vector<Position> PositionsIn(const ReadResult& read) {
  std::vector<Position> positions;
  for (const Document& document : read.documents) AddPositions(document.root, positions);
  return positions;
}

TEST(ColumnCounter, PositionsOnALongLineAreThoseOfTheJsonReader) {
  const std::string members = Repeat(R"("user:\u00e9)"
                                     "\xC3\xA9\xF0\x9F\x98\x80@example.com\", ",
                                     5'000);
  for (const std::string& text :
       {"{\"groups\": {\"\xC3\xA9@x.y\": [" + members + "\"user:z@x.y\"]}}",
        "[" + members + "{\"\xC3\xA9\": 1, \"b\": [[], {}]}]\n"}) {
    const std::vector<Position> expected = PositionsIn(ReadJson(text));
    ASSERT_GT(expected.size(), 5'000U);
    for (const Readers readers : {Readers::kSubsetFirst, Readers::kLibraryAlone}) {
      const std::vector<Position> found = PositionsIn(ReadYamlBy(readers, text));
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].line, expected[i].line) << i;
        ASSERT_EQ(found[i].column, expected[i].column) << i;
      }
    }
  }
}

}  // namespace
}  // namespace bindery::yaml
