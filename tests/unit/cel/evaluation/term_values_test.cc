#include "cel/evaluation/term_values.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/syntax/parser.h"

namespace bindery::cel {
namespace {

struct ValuesCase {
  const char* why;
  const char* inner;
  const char* outer;
  bool proved;
};

constexpr const char* kWeekdays =
    R"(request.time.getDayOfWeek("Europe/Berlin") >= 1 && request.time.getDayOfWeek("Europe/Berlin") <= 5)";
constexpr const char* kOfficeHours =
    R"(request.time.getHours("Europe/Berlin") >= 9 && request.time.getHours("Europe/Berlin") < 17)";

TEST(TermValues, ProveByTheValuesOfOneTerm) {
  const ValuesCase cases[] = {
      {"more days", kWeekdays, R"(request.time.getDayOfWeek("Europe/Berlin") <= 6)", true},
      {"fewer days", kWeekdays, R"(request.time.getDayOfWeek("Europe/Berlin") <= 4)", false},
      {"the same days as a list", kWeekdays,
       R"(request.time.getDayOfWeek("Europe/Berlin") in [1, 2, 3, 4, 5])", true},
      {"a day is missing", kWeekdays,
       R"(request.time.getDayOfWeek("Europe/Berlin") in [1, 2, 4, 5])", false},
      {"all but one day", kWeekdays, R"(request.time.getDayOfWeek("Europe/Berlin") != 0)", true},
      {"longer hours", kOfficeHours, R"(8 <= request.time.getHours("Europe/Berlin"))", true},
      {"the last hour belongs to neither", kOfficeHours,
       R"(!(request.time.getHours("Europe/Berlin") >= 17))", true},
      {"hours in another zone are another term", kOfficeHours,
       R"(request.time.getHours("Europe/London") >= 8)", false},
      {"more ports", "destination.port == 22", "destination.port in [22, 3389]", true},
      {"fewer ports", "destination.port in [22, 3389]", "destination.port == 22", false},
      {"a port of a range", "destination.port == 22", "destination.port < 1024", true},
      {"more names", R"(resource.type in ["a", "b"])",
       R"(resource.type == "b" || resource.type == "a" || resource.type == "c")", true},
      {"all but two names", R"(!(resource.type == "a" || resource.type == "b"))",
       R"(resource.type != "a")", true},
      {"all but one name", R"(resource.type != "a")",
       R"(!(resource.type == "a" || resource.type == "b"))", false},
      {"a part of a name", R"(resource.name.extract("x/{id}/") == "ab")",
       R"(resource.name.extract("x/{id}/").startsWith("a"))", true},
      {"another end of a name", R"(resource.name == "ab")", R"(resource.name.endsWith("a"))",
       false},
      {"an unknown part beside", R"(resource.service == "s" && destination.port == 22)",
       "destination.port > 20", true},
      {"an unknown alternative beside", R"(resource.service == "s" || destination.port == 22)",
       "destination.port > 20", false},
      {"a term without a value makes the outer part fail",
       R"(resource.service == "s" || destination.port == 22)",
       "destination.port >= 22 || destination.port < 22", false},
      {"a constant is no term", "true", "false", false},
      {"texts have an order", R"(resource.name == "b")", R"(resource.name > "a")", true},
      {"an unknown text has no place in it", R"(resource.name != "b")", R"(resource.name > "a")",
       false},
  };
  for (const ValuesCase& c : cases) {
    const auto inner = Parse(c.inner);
    const auto outer = Parse(c.outer);
    ASSERT_TRUE(inner && outer) << c.why;
    EXPECT_EQ(HoldsByValues(**inner, **outer), c.proved) << c.why;
  }
}

TEST(TermValues, TooManyValuesProveNothing) {
  std::string list = "destination.port in [0";
  for (int i = 1; i < 300; ++i) list += ", " + std::to_string(2 * i);
  list += "]";
  const auto inner = Parse("destination.port == 0");
  const auto outer = Parse(list);
  ASSERT_TRUE(inner && outer);
  EXPECT_FALSE(HoldsByValues(**inner, **outer));
}

}  // namespace
}  // namespace bindery::cel
