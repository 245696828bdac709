// What is proved is true of every request that is tried.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/evaluator.h"
#include "cel/implication/implication.h"
#include "cel/syntax/parser.h"

namespace bindery::cel {
namespace {

constexpr const char* kParts[] = {
    R"(request.time < timestamp("2027-06-01T00:00:00Z"))",
    R"(request.time >= timestamp("2027-05-31T00:00:00Z"))",
    R"(request.time <= timestamp("2026-12-31T23:00:00Z"))",
    R"(timestamp("2028-01-01T00:00:00Z") > request.time)",
    R"(request.time.getFullYear() == 2027)",
    R"(request.time.getFullYear("Europe/Berlin") < 2027)",
    R"(request.time.getFullYear("America/New_York") in [2027, 2028])",
    R"(request.time.getMonth() == 4)",
    R"(request.time.getMonth("Asia/Tokyo") >= 5)",
    R"(request.time.getDate() == 31)",
    R"(request.time.getHours("Europe/Berlin") < 2)",
    R"(request.time.getHours() in [0, 23])",
    R"(request.time.getDayOfWeek() != 1)",
    R"(resource.name == "p/a/x")",
    R"(resource.name in ["p/a/x", "p/b/y", "q"])",
    R"(resource.name.startsWith("p/"))",
    R"(resource.name.startsWith("p/a/"))",
    R"(resource.name.endsWith("/x"))",
    R"(resource.name != "q")",
    R"(resource.name.extract("p/{part}/") == "a")",
    R"(resource.name.extract("p/{rest}").startsWith("a/"))",
    R"(resource.name.extract("p/{part}/").startsWith("b"))",
    R"(resource.type == "t")",
    R"(resource.type != "u")",
    R"(resource.service in ["s", "v"])",
    R"(destination.port == 22)",
    R"(destination.port < 1024)",
    R"(destination.port in [22, 3389])",
    R"(resource.matchTag("1/e", "dev"))",
    R"(resource.matchTag("1/e", "prod"))",
    R"(resource.hasTagKey("1/e"))",
    R"(api.getAttribute("r", []).hasOnly(["a"]))",
    R"(api.getAttribute("r", []).hasOnly(["a", "b"]))",
    R"(api.getAttribute("r", []).hasOnly(["b", "c"]))",
    R"("l/a" in request.auth.access_levels)",
    R"(resource.name.size() > 3)",
};

/// Draws expressions and requests.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  // NOLINTNEXTLINE(misc-no-recursion): bounded by `depth`
  std::string Expression(int depth) {
    if (depth == 0 || Below(4) == 0) return kParts[Below(std::size(kParts))];
    const std::string one = Expression(depth - 1);
    const std::string two = Expression(depth - 1);
    switch (Below(8)) {
      case 0:
        return "!(" + one + ")";
      case 1:
        return "(" + Expression(0) + " ? " + one + " : " + two + ")";
      case 2:
      case 3:
      case 4:
        return "(" + one + " || " + two + ")";
      default:
        return "(" + one + " && " + two + ")";
    }
  }

  Activation Request() {
    Activation made = IamActivation();
    const char* times[] = {
        "2026-12-31T22:59:59.999999999Z", "2026-12-31T23:00:00Z", "2026-12-31T23:30:00Z",
        "2027-01-01T00:00:00Z",           "2027-01-01T04:59:59Z", "2027-05-31T00:00:00Z",
        "2027-05-31T15:00:00Z",           "2027-05-31T22:00:00Z", "2027-05-31T23:59:59.5Z",
        "2027-06-01T00:00:00Z",           "2027-12-31T23:59:59Z", "2028-01-01T00:00:00Z"};
    made.Set("request.time", *ParseTimestamp(times[Below(std::size(times))]));
    const char* names[] = {"p/a/x", "p/b/y", "q", "p/a/", "p/a", "p/ab/x", "r/p/a/x", "p//x", ""};
    const std::size_t given = Below(8);
    const auto set = [&](const char* path, const char* text, bool there) {
      there ? made.Set(path, std::string(text)) : made.SetAbsent(path);
    };
    set("resource.service", Below(2) == 0 ? "s" : "w", given > 0);
    set("resource.type", Below(2) == 0 ? "t" : "u", given > 1);
    set("resource.name", names[Below(std::size(names))], given > 2);
    const std::int64_t ports[] = {21, 22, 23, 1023, 1024, 3389};
    SetOrNot(made, "destination.port", ports[Below(std::size(ports))]);
    const char* levels[] = {"l/a", "l/b"};
    SetOrNot(made, "request.auth.access_levels",
             Value::OfList({Value(std::string(levels[Below(2)]))}));
    SetFunctions(made);
    return made;
  }

 private:
  std::size_t Below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  void SetOrNot(Activation& made, const std::string& path, Value value) {
    Below(8) == 0 ? made.SetAbsent(path) : made.Set(path, std::move(value));
  }

  void SetFunctions(Activation& made) {
    const char* tags[] = {"", "dev", "prod", "test"};
    const std::string tag = tags[Below(std::size(tags))];
    made.SetFunction("resource.matchTag", [tag](std::span<const Value> args) -> Outcome {
      return Value(!tag.empty() && *args[1].As<std::string>() == tag);
    });
    made.SetFunction("resource.hasTagKey",
                     [tag](std::span<const Value>) -> Outcome { return Value(!tag.empty()); });
    std::vector<Value> items;
    for (const char* item : {"a", "b", "c", "d"}) {
      if (Below(3) == 0) items.emplace_back(std::string(item));
    }
    made.SetFunction("api.getAttribute",
                     [items](std::span<const Value>) -> Outcome { return Value::OfList(items); });
  }

  std::mt19937 random_;
};

bool Grants(const Expr& expr, const Activation& request) {
  const Outcome outcome = Evaluate(expr, request);
  const auto* value = std::get_if<Value>(&outcome);
  const bool* holds = value == nullptr ? nullptr : value->As<bool>();
  return holds != nullptr && *holds;
}

TEST(ImplicationProperty, WhatIsProvedIsTrueOfEveryRequest) {
  Draw draw(20261130);
  std::vector<Activation> requests;
  for (int i = 0; i < 150; ++i) requests.push_back(draw.Request());
  int proved = 0;
  int refuted = 0;
  for (int round = 0; round < 3'000; ++round) {
    const std::string inner = draw.Expression(3);
    const std::string outer = draw.Expression(2);
    const auto inner_tree = Parse(inner);
    const auto outer_tree = Parse(outer);
    ASSERT_TRUE(inner_tree && outer_tree) << inner << "\n" << outer;
    const bool counterexample = std::ranges::any_of(requests, [&](const Activation& request) {
      return Grants(**inner_tree, request) && !Grants(**outer_tree, request);
    });
    ProofBudget budget;
    const bool holds = Implies(**inner_tree, **outer_tree, budget);
    ASSERT_FALSE(holds && counterexample) << inner << "\n" << outer;
    proved += holds ? 1 : 0;
    refuted += counterexample ? 1 : 0;
  }
  // Neither side of the test is empty.
  EXPECT_GT(proved, 100);
  EXPECT_GT(refuted, 1'000);
}

}  // namespace
}  // namespace bindery::cel
