// Structs as JSON, and back.

#include "report/codec/json_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "core/text/printable.h"
#include "report/codec/json_text_writer.h"
#include "report/codec/time_bounds.h"
#include "report/values/attributions.h"
#include "support/matchers.h"

namespace bindery::report {
namespace {

enum class Fruit { kApple, kPear };

std::string_view ToString(Fruit fruit) { return fruit == Fruit::kApple ? "apple" : "pear"; }

struct Seed {
  std::string name;
};

struct Basket {
  std::string owner;
  std::uint8_t count = 7;
  bool full = false;
  Fruit fruit = Fruit::kPear;
  Word<Fruit> word;
  WallTime bought{};
  std::optional<std::int64_t> price;
  std::optional<std::string> note;
  std::string mark;
  Json any;
  std::vector<Seed> seeds;
  std::map<std::string, std::int64_t> totals;
  std::optional<Seed> best;
  GrantLine grant;
  std::optional<TimeBounds> bounds;
  std::optional<Attribution> made_by;
};

struct LabelledBasket : Basket {
  std::string label;
};

struct SownGrant : GrantLine {
  std::vector<Seed> seeds;
  std::string why;
};

}  // namespace

template <>
inline constexpr auto kAllOf<Fruit> = std::array{Fruit::kApple, Fruit::kPear};

template <>
inline constexpr auto kFields<Seed> = std::tuple{Field{"name", &Seed::name}};

template <>
inline constexpr auto kFields<Basket> =
    std::tuple{Field{"owner", &Basket::owner},    Field{"count", &Basket::count},
               Field{"full", &Basket::full},      Field{"fruit", &Basket::fruit},
               Field{"word", &Basket::word},      Field{"bought", &Basket::bought},
               Field{"price", &Basket::price},    FieldIfSet{"note", &Basket::note},
               FieldIfSet{"mark", &Basket::mark}, FieldIfSet{"any", &Basket::any},
               Field{"seeds", &Basket::seeds},    Field{"totals", &Basket::totals},
               Field{"best", &Basket::best},      Field{"grant", &Basket::grant},
               Field{"bounds", &Basket::bounds},  FieldIfSet{"madeBy", &Basket::made_by}};

template <>
inline constexpr auto kFields<LabelledBasket> =
    std::tuple_cat(kFields<Basket>, std::tuple{Field{"label", &LabelledBasket::label}});

template <>
inline constexpr auto kFields<SownGrant> =
    std::tuple{FieldIfSet{"seeds", &SownGrant::seeds}, FieldIfSet{"why", &SownGrant::why}};

namespace {

Json Full() {
  return Json::parse(R"({
    "owner": "ana", "count": 3, "full": true, "fruit": "apple", "word": "pear",
    "bought": "2026-11-21T12:00:00.000Z", "price": 12, "note": "ripe", "mark": "x",
    "any": {"deep": [1]}, "seeds": [{"name": "a"}, {"name": "b"}], "totals": {"kg": 2},
    "best": {"name": "b"}, "grant": {"relation": "viewer", "principal": "team:a"},
    "bounds": {"state": "pending", "startsAt": "2027-01-01T00:00:00Z", "endsAt": null},
    "madeBy": {"actor": "a", "impersonator": "b", "time": "2026-11-21T12:00:00.000Z",
               "method": "m", "how": "policy", "entry": "e", "source": "s"}})");
}

TEST(JsonCodec, WritesFieldsInTheirOrderWithNullForWhatIsNotSet) {
  EXPECT_EQ(
      ToJson(Basket{}).dump(),
      R"({"owner":"","count":7,"full":false,"fruit":"pear","word":"","bought":null,)"
      R"("price":null,"seeds":[],"totals":{},"best":null,"grant":{"role":"","member":""},"bounds":null})");
}

TEST(JsonCodec, ReadsWhatItWrites) {
  EXPECT_EQ(ToJson(FromJson<Basket>(Full()).value()).dump(), Full().dump());
}

TEST(JsonCodec, AStructThatExtendsAnotherHasItsFieldsFirst) {
  Json json = Full();
  json["label"] = "red";
  EXPECT_EQ(ToJson(FromJson<LabelledBasket>(json).value()).dump(), json.dump());
}

TEST(JsonCodec, FieldsOfAStructThatExtendsAGrantFollowThoseOfTheGrant) {
  for (const char* text :
       {R"({"relation":"viewer","principal":"team:a","seeds":[{"name":"a"}],"why":"x"})",
        R"({"role":"r","member":"m","condition":{"expression":"e","title":"t"}})"}) {
    EXPECT_EQ(ToJson(FromJson<SownGrant>(Json::parse(text)).value()).dump(), text);
  }
}

TEST(JsonCodec, IgnoresUnknownMembersAndKeepsDefaultsOfMissingOnes) {
  const Basket basket = FromJson<Basket>({{"owner", "ana"}, {"weight", 3}}).value();
  EXPECT_EQ(basket.owner, "ana");
  EXPECT_EQ(basket.count, 7);
}

TEST(JsonCodec, ValuesOfAnotherFormLeaveTheDefault) {
  const std::vector<Json> wrong = {nullptr,
                                   -1,
                                   1.5,
                                   256,
                                   Json::array(),
                                   Json::object(),
                                   Json::array({1, "x"}),
                                   std::uint64_t{1} << 63};
  const std::string empty = ToJson(Basket{}).dump();
  for (const Json& value : wrong) {
    SCOPED_TRACE(value.dump());
    Json json = Full();
    for (Json& member : json) member = value;
    const Basket basket = FromJson<Basket>(json).value();
    EXPECT_EQ(basket.count, 7);
    EXPECT_EQ(basket.fruit, Fruit::kPear);
    EXPECT_EQ(basket.bought, WallTime{});
    EXPECT_FALSE(basket.full);
    EXPECT_TRUE(basket.seeds.empty());
    EXPECT_EQ(ToJson(FromJson<Basket>(value).value()).dump(), empty);
  }
}

TEST(JsonCodec, ATextLeavesTheDefaultOfANumberATimeAndAList) {
  for (const char* name :
       {"count", "full", "bought", "price", "seeds", "totals", "best", "grant"}) {
    EXPECT_EQ(ToJson(FromJson<Basket>({{name, "text"}}).value()), ToJson(Basket{})) << name;
  }
}

TEST(JsonCodec, AnUnknownWordThatIsOnlyShownStaysAsItIs) {
  const Basket basket = FromJson<Basket>({{"word", "quince"}}).value();
  EXPECT_EQ(basket.word.text(), "quince");
  EXPECT_EQ(ToJson(basket)["word"], "quince");
  EXPECT_FALSE(basket.word == Fruit::kPear);
  EXPECT_TRUE(FromJson<Basket>({{"word", "apple"}}).value().word == Fruit::kApple);
}

TEST(JsonTextWriter, WritesWhatTheTreeIsDumpedAs) {
  Json odd = Full();
  odd["owner"] = "a \"quoted\" name\n\xe2\x80\xae reversed";
  odd["seeds"] = Json::array();
  for (const Json& json : {Full(), odd, Json(Json::object())}) {
    const Basket basket = FromJson<Basket>(json).value();
    const std::vector<Basket> baskets = {basket, Basket{}};
    for (const int step : {0, 2}) {
      std::string text;
      report::JsonTextWriter(text, static_cast<std::size_t>(step), 0).Append(baskets);
      EXPECT_EQ(text, PrintableJson(report::MakeJson(baskets).dump(step == 0 ? -1 : step)));
    }
  }
  std::string empty;
  report::JsonTextWriter(empty, 2, 0).Append(std::vector<Basket>());
  EXPECT_EQ(empty, "[]");
}

struct Shelf {
  std::vector<LabelledBasket> baskets;
  std::map<std::string, Fruit> by_name;
  std::optional<Fruit> first;
};

}  // namespace

template <>
inline constexpr auto kFields<Shelf> =
    std::tuple{Field{"baskets", &Shelf::baskets}, Field{"byName", &Shelf::by_name},
               Field{"first", &Shelf::first}};

namespace {

struct UnknownWordCase {
  const char* json;
  const char* expected;  ///< In the message.
};

TEST(JsonCodec, AnUnknownWordOfAnEnumIsRefusedWithItsPlaceAndTheKnownOnes) {
  const UnknownWordCase cases[] = {
      {R"({"first": "quince"})", R"(first: "quince" (known: apple, pear))"},
      {R"({"byName": {"a": "pear", "b": "quince"}})", R"(byName: "quince" (known: apple, pear))"},
      {R"({"baskets": [{"fruit": "pear"}, {"fruit": "quince"}]})",
       R"(baskets.fruit: "quince" (known: apple, pear))"},
      {R"({"baskets": [{"fruit": ""}]})", R"(baskets.fruit: "" (known: apple, pear))"},
      {R"({"baskets": [{"bounds": {"state": "paused"}}]})",
       R"(baskets.bounds.state: "paused" (known: active, pending, expired, never))"},
      {R"({"baskets": [{"madeBy": {"how": "told"}}]})",
       R"(baskets.madeBy.how: "told" (known: exact, policy))"},
  };
  for (const UnknownWordCase& one : cases) {
    EXPECT_THAT(FromJson<Shelf>(Json::parse(one.json)),
                testing::FailsWith(Code::kFailedPrecondition, ::testing::HasSubstr(one.expected)));
  }
}

TEST(JsonCodec, KnownWordsAreReadWhereverTheyAre) {
  const Json json = Json::parse(R"({"baskets": [], "byName": {"a": "apple"}, "first": "apple"})");
  EXPECT_EQ(ToJson(FromJson<Shelf>(json).value()), json);
}

}  // namespace
}  // namespace bindery::report
