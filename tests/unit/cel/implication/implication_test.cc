#include "cel/implication/implication.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "cel/syntax/parser.h"

namespace bindery::cel {
namespace {

struct ImplicationCase {
  const char* why;
  const char* inner;
  const char* outer;
  bool proved;
};

bool IsProved(const std::string& inner, const std::string& outer) {
  const auto inner_tree = Parse(inner);
  const auto outer_tree = Parse(outer);
  EXPECT_TRUE(inner_tree && outer_tree) << inner << " / " << outer;
  ProofBudget budget;
  return Implies(**inner_tree, **outer_tree, budget);
}

constexpr const char* kWeekdays =
    R"(request.time.getDayOfWeek("Europe/Berlin") >= 1 && request.time.getDayOfWeek("Europe/Berlin") <= 5)";
constexpr const char* kOfficeHours =
    R"(request.time.getHours("Europe/Berlin") >= 9 && request.time.getHours("Europe/Berlin") < 17)";

TEST(Implication, IsProvedByTheValuesOfOneTerm) {
  const ImplicationCase cases[] = {
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
      {"a sum of getters is a number",
       "request.time.getHours() * 60 + request.time.getMinutes() < 600",
       "request.time.getHours() * 60 + request.time.getMinutes() <= 600", true},
      {"a getter has no other values", "destination.port == 1", "request.time.getMonth() < 12",
       true},
      {"texts have an order", R"(resource.name == "b")", R"(resource.name > "a")", true},
      {"an unknown text has no place in it", R"(resource.name != "b")", R"(resource.name > "a")",
       false},
  };
  for (const ImplicationCase& c : cases) {
    EXPECT_EQ(IsProved(c.inner, c.outer), c.proved) << c.why;
  }
}

constexpr const char* kUntil2028 = R"(request.time < timestamp("2028-01-01T00:00:00Z"))";
constexpr const char* kBefore2027 = R"(request.time < timestamp("2027-01-01T00:00:00Z"))";
constexpr const char* kIn2027 =
    R"(request.time >= timestamp("2027-01-01T00:00:00Z") && request.time < timestamp("2028-01-01T00:00:00Z"))";
constexpr const char* kInMay2027 =
    R"(request.time >= timestamp("2027-05-01T00:00:00Z") && request.time < timestamp("2027-06-01T00:00:00Z"))";

TEST(Implication, TheCalendarFollowsFromTheTime) {
  const ImplicationCase cases[] = {
      {"a year within an end", "request.time.getFullYear() == 2027", kUntil2028, true},
      {"years up to an end", "request.time.getFullYear() <= 2027", kUntil2028, true},
      {"an end within years", kUntil2028, "request.time.getFullYear() < 2028", true},
      {"an end behind years", kUntil2028, "request.time.getFullYear() < 2027", false},
      {"a year is its moments", kIn2027, "2027 == request.time.getFullYear()", true},
      {"a year in a zone to the west ends later",
       R"(request.time.getFullYear("America/New_York") == 2027)", kUntil2028, false},
      {"a year in a zone to the east ends earlier",
       R"(request.time.getFullYear("Asia/Tokyo") <= 2027)", kUntil2028, true},
      {"its beginning is earlier", R"(request.time.getFullYear("Asia/Tokyo") == 2027)", kIn2027,
       false},
      {"one year of several", "request.time.getFullYear() == 2027",
       "request.time.getFullYear() in [2026, 2027]", true},
      {"not all years of a list", "request.time.getFullYear() in [2026, 2027]",
       "request.time.getFullYear() == 2027", false},
      {"all years but one", kBefore2027, "request.time.getFullYear() != 2027", true},
      {"a year in a zone that nobody knows", R"(request.time.getFullYear("No/Where") == 2027)",
       kUntil2028, false},
      {"a range of days is in its month", kInMay2027, "request.time.getMonth() == 4", true},
      {"but not in another zone", kInMay2027, R"(request.time.getMonth("Europe/Berlin") == 4)",
       false},
      {"a month of a year is no range", "request.time.getMonth() == 4", kInMay2027, false},
      {"a month and its year are one",
       "request.time.getMonth() == 4 && request.time.getFullYear() == 2027", kUntil2028, true},
      {"days of a month are in order", kInMay2027, "request.time.getDate() <= 31", true},
      {"weekends fall into each month", kInMay2027,
       "request.time.getDayOfWeek() in [1, 2, 3, 4, 5]", false},
      {"a day is a day of the week",
       R"(request.time >= timestamp("2027-05-03T00:00:00Z") && request.time < timestamp("2027-05-04T00:00:00Z"))",
       "request.time.getDayOfWeek() == 1", true},
      {"an hour is its hour",
       R"(request.time >= timestamp("2027-05-03T10:00:00Z") && request.time < timestamp("2027-05-03T11:00:00Z"))",
       R"(request.time.getHours("Europe/Berlin") == 12 && request.time.getHours() == 10)", true},
      {"a nanosecond more is not",
       R"(request.time >= timestamp("2027-05-03T10:00:00Z") && request.time <= timestamp("2027-05-03T11:00:00Z"))",
       "request.time.getHours() == 10", false},
      {"an end as a difference",
       R"(request.time - timestamp("2027-01-01T00:00:00Z") < duration("3600s"))", kUntil2028, true},
      {"hours on some days beside hours on all",
       "request.time.getHours() >= 9 && request.time.getDayOfWeek() == 1",
       "request.time.getHours() >= 9 && request.time.getDayOfWeek() < 6 || request.time.getHours() "
       "< 3",
       true},
  };
  for (const ImplicationCase& c : cases) {
    EXPECT_EQ(IsProved(c.inner, c.outer), c.proved) << c.why;
  }
}

TEST(Implication, AChoiceHoldsByCases) {
  const ImplicationCase cases[] = {
      {"one side of a choice", R"(resource.type == "t" && resource.name.startsWith("a"))",
       R"(resource.type == "t" ? resource.name.startsWith("a") : destination.port == 22)", true},
      {"a choice within its sides",
       R"(resource.type == "t" ? resource.name == "a" : resource.name == "b")",
       R"(resource.name in ["a", "b"])", true},
      {"a choice with a shorter prefix",
       R"(resource.type == "t" ? resource.name.startsWith("ab") : resource.matchTag("1/e", "v"))",
       R"(resource.type == "t" ? resource.name.startsWith("a") : resource.hasTagKey("1/e"))", true},
      {"a choice with a longer prefix",
       R"(resource.type == "t" ? resource.name.startsWith("a") : true)",
       R"(resource.type == "t" ? resource.name.startsWith("ab") : true)", false},
      {"a choice that is always true on one side", R"(resource.type != "t")",
       R"(resource.type == "t" ? resource.name == "a" : true)", true},
      {"a choice that may fail", R"(destination.port == 22)",
       R"(resource.type == "t" ? destination.port == 22 : destination.port == 22)", false},
      {"a choice by the type is made where a name is known", R"(resource.name.startsWith("a"))",
       R"(resource.type == "t" ? resource.name.startsWith("a") : true)", true},
      {"a choice by the name may fail where the type is known", R"(resource.type == "t")",
       R"(resource.name == "a" ? resource.type == "t" : true)", false},
      {"a choice by the address is made where a port is known", "destination.port == 22",
       R"(destination.ip == "10.0.0.1" ? destination.port == 22 : true)", true},
      {"a choice of times",
       R"(resource.type == "t" ? request.time < timestamp("2027-01-01T00:00:00Z") : request.time.getFullYear() < 2028)",
       kUntil2028, true},
      {"a choice by the time", R"(request.time.getFullYear() < 2027 ? true : resource.name == "a")",
       R"(request.time < timestamp("2027-01-01T00:00:00Z") || resource.name == "a")", true},
  };
  for (const ImplicationCase& c : cases) {
    EXPECT_EQ(IsProved(c.inner, c.outer), c.proved) << c.why;
  }
}

TEST(Implication, HoldsForNamesTagsAndLists) {
  const ImplicationCase cases[] = {
      {"De Morgan", R"(!(resource.name.startsWith("a") || resource.type == "t"))",
       R"(!resource.name.startsWith("a") && !(resource.type == "t"))", true},
      {"parts of both ends", R"(resource.name.startsWith("ab") && resource.name.endsWith("yz"))",
       R"(resource.name.endsWith("z") && resource.name.startsWith("a"))", true},
      {"two prefixes exclude each other",
       R"(resource.name.startsWith("ab") || resource.name.startsWith("ac"))",
       R"(!resource.name.startsWith("b"))", true},
      {"a prefix with the wanted part", R"(resource.name.startsWith("p/b/objects/x/y"))",
       R"(resource.name.extract("/objects/{folder}/") == "x")", true},
      {"a prefix that does not reach the part", R"(resource.name.startsWith("p/b/objects/x"))",
       R"(resource.name.extract("/objects/{folder}/") == "x")", false},
      {"a prefix with the beginning of an open part",
       R"(resource.name.startsWith("p/objects/x/y"))",
       R"(resource.name.extract("/objects/{rest}").startsWith("x/"))", true},
      {"a name with the wanted part", R"(resource.name == "p/b/objects/x/y")",
       R"(resource.name.extract("/objects/{folder}/") != "z")", true},
      {"a list as alternatives", R"(resource.name in ["a", "b"] && resource.type == "t")",
       R"((resource.type == "t" && resource.name == "b") || resource.name == "a")", true},
      {"one value of a tag", R"(resource.matchTag("1/e", "dev"))",
       R"(!resource.matchTag("1/e", "prod") && resource.hasTagKey("1/e"))", true},
      {"any value of a tag", R"(resource.hasTagKey("1/e"))", R"(resource.matchTag("1/e", "dev"))",
       false},
      {"a tag by ID is another part", R"(resource.matchTagId("tagKeys/1", "tagValues/2"))",
       R"(resource.hasTagKey("1/e"))", false},
      {"two lists allow what they share",
       R"(api.getAttribute("r", []).hasOnly(["a", "b"]) && api.getAttribute("r", []).hasOnly(["b", "c"]))",
       R"(api.getAttribute("r", []).hasOnly(["b"]))", true},
      {"a list beside another attribute", R"(api.getAttribute("r", []).hasOnly(["a"]))",
       R"(api.getAttribute("s", []).hasOnly(["a", "b"]))", false},
      {"any of two levels", R"("l/a" in request.auth.access_levels)",
       R"("l/b" in request.auth.access_levels || "l/a" in request.auth.access_levels)", true},
      {"a comparison with true", R"(resource.matchTag("1/e", "dev") == true)",
       R"(resource.matchTag("1/e", "dev"))", true},
      {"a comparison with false", R"(resource.name.startsWith("a") == false)",
       R"(!resource.name.startsWith("a"))", true},
      {"joined constants", R"(resource.name == "projects/" + "acme")",
       R"(resource.name.startsWith("projects/"))", true},
      {"raw texts", R"(resource.name.startsWith(r'a\d'))", R"(resource.name.startsWith("a"))",
       true},
      {"ports of two sides", "destination.port > 20 && destination.port < 23",
       "destination.port in [21, 22]", true},
      {"a negated path", R"(!(request.path == "/a") && request.host == "h")",
       R"(request.host != "i")", true},
  };
  for (const ImplicationCase& c : cases) {
    EXPECT_EQ(IsProved(c.inner, c.outer), c.proved) << c.why;
  }
}

TEST(Implication, ManyPartsEndTheProof) {
  std::string list = "destination.port in [0";
  for (int i = 1; i < 600; ++i) list += ", " + std::to_string(2 * i);
  EXPECT_FALSE(IsProved("destination.port == 0", list + "]"));
  std::string names = "resource.name.startsWith(\"0\")";
  for (int i = 1; i < 60; ++i) {
    const std::string text = "\"" + std::to_string(i) + "\")";
    names += " || resource.name.startsWith(" + text + " || resource.name.endsWith(" + text;
  }
  std::ignore = IsProved(names, names + " || destination.port == 1");
}

}  // namespace
}  // namespace bindery::cel
