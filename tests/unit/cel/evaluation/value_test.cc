// Values as such: maps, weights, texts, code points.

#include "cel/evaluation/value.h"

#include <gtest/gtest.h>

#include "cel/evaluation/code_points.h"

namespace bindery::cel {
namespace {

using Int = std::int64_t;
using Uint = std::uint64_t;

TEST(Value, AMapFindsNumbersByWhatTheyAre) {
  Map map;
  EXPECT_TRUE(map.Add(Value(Uint{1}), Value(std::string("one"))));
  EXPECT_FALSE(map.Add(Value(Int{1}), Value(std::string("again"))));
  EXPECT_FALSE(map.Add(Value(2.0), Value(std::string("two"))));
  EXPECT_TRUE(map.Add(Value(std::string("1")), Value(std::string("text"))));
  ASSERT_EQ(map.size(), 2U);
  EXPECT_EQ(ToText(map.entries()[0].first), "1u");
  EXPECT_EQ(ToText(*map.Find(Value(1.0))), "\"one\"");
  EXPECT_EQ(map.Find(Value(Int{2})), nullptr);
  EXPECT_EQ(map.Find(Value(-1e300)), nullptr);
  EXPECT_EQ(map.Find(Value()), nullptr);
}

TEST(Value, WeightAndDepthSumUpWhatIsHeld) {
  EXPECT_EQ(Value(Int{1}).Weight(), 1U);
  EXPECT_EQ(Value(std::string(160, 'a')).Weight(), 11U);
  const Value list = Value::OfList({Value(Int{1}), Value(Int{2})});
  EXPECT_EQ(list.Weight(), 3U);
  EXPECT_EQ(list.Depth(), 1);
  EXPECT_EQ(list.CopyWeight(), 1U);
  const Value twice = Value::OfList({list, list});
  EXPECT_EQ(twice.Weight(), 7U);
  EXPECT_EQ(twice.Depth(), 2);
}

TEST(Value, WeightDoesNotWrapAround) {
  Value value = Value::OfList({Value(Int{1})});
  for (int i = 0; i < 70; ++i) value = Value::OfList({value, value});
  EXPECT_GT(value.Weight(), std::size_t{1} << 60U);
}

TEST(Value, TextsReadBackAsTheSameValue) {
  Map map;
  map.Add(Value(true), Value(TypeValue{"int"}));
  EXPECT_EQ(ToText(Value::OfList({Value(), Value(0.5), Value(Bytes{"\x01"}), Value::OfMap(map),
                                  Value(Duration{1}), Value(Timestamp{})})),
            "[null, 0.5, b\"\\x01\", {true: int}, duration(\"0.000000001s\"), "
            "timestamp(\"1970-01-01T00:00:00Z\")]");
}

TEST(CodePoints, BytesThatAreNoTextCountOneEach) {
  EXPECT_EQ(CountCodePoints("a\u00e9\U0001F431"), 3U);
  EXPECT_EQ(CountCodePoints("\xff\xc3"), 2U);
  EXPECT_TRUE(IsUtf8("a\u00e9"));
  EXPECT_FALSE(IsUtf8("\xc3"));
  EXPECT_FALSE(IsUtf8("\xed\xa0\x80"));  // A surrogate.
  EXPECT_FALSE(IsUtf8("\xc0\x80"));      // Longer than needed.
}

}  // namespace
}  // namespace bindery::cel
