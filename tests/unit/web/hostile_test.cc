// Whatever a name, a member or a condition holds: it stays text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";

/// Puts the hostile text in the place of every string of a report, names of members too where they
/// are data.
Json Poisoned(const Json& value) {
  if (value.is_string()) return kHostile;
  Json poisoned = value;
  if (value.is_structured()) {
    for (Json& member : poisoned) member = Poisoned(member);
  }
  return poisoned;
}

Json Grant() {
  return {{"role", "r"}, {"member", "m"}, {"condition", {{"title", "t"}, {"expression", "e"}}}};
}

Json Source() { return {{"resource", "r"}, {"file", "f"}, {"line", 1}}; }

Json Bounds() { return {{"state", "active"}, {"startsAt", nullptr}, {"endsAt", "x"}}; }

Json Attribution() {
  return {{"actor", "a"}, {"impersonator", "i"}, {"time", "t"}, {"method", "m"}};
}

Json Event() {
  return {{"id", 1},         {"time", "t"},   {"type", "Warning"}, {"reason", "r"},
          {"resource", "x"}, {"target", "t"}, {"message", "m"},    {"actor", "a"}};
}

Json Status() { return {{"state", "Stalled"}, {"reason", "r"}, {"message", "m"}}; }

Json Revision() {
  return {{"id", 1},
          {"time", "t"},
          {"origin", "o"},
          {"actor", "a"},
          {"policy", {{"x", "y"}}},
          {"changes", {{"added", {Grant()}}, {"removed", {Grant()}}}}};
}

Json Resource() {
  Json resource = {{"name", "n"},
                   {"apiVersion", "v"},
                   {"kind", "k"},
                   {"target", "t"},
                   {"provider", "p"},
                   {"source", {{"file", "f"}, {"line", 1}}},
                   {"labels", {{kHostile, "v"}}},
                   {"mode", "observe"},
                   {"observedAt", "t"},
                   {"status", Status()},
                   {"inputs", {{kHostile, "v"}}},
                   {"outputs", {{kHostile, "v"}}}};
  resource["grants"] = Json::array({{{"grant", Grant()},
                                     {"state", "s"},
                                     {"reason", "r"},
                                     {"since", "t"},
                                     {"attribution", Attribution()},
                                     {"timeBounds", Bounds()}}});
  resource["observed"] = {{"otherGrants", 2}};
  resource["events"] = Json::array({Event()});
  resource["problems"] =
      Json::array({{{"severity", "error"}, {"message", "m"}, {"file", "f"}, {"line", 1}}});
  resource["holds"] = Json::array({Json::object()});
  resource["revisions"] = Json::array({Revision()});
  return resource;
}

/// A page of a report that is read from JSON.
template <typename Report>
std::function<std::string(const PageContext&, const Json&)> Of(
    std::string (*page)(const PageContext&, const Report&)) {
  return [page](const PageContext& context, const Json& report) {
    // As an answer with hostile words in the place of known ones: FromJson() refuses such an
    // answer.
    Report read{};
    report::ReadJson(report, read);
    return page(context, read);
  };
}

std::string AnswersOf(const PageContext& context, const Json& json) {
  report::AccessListing read;
  report::ReadJson(json, read);
  return AccessPage(context, Expected<report::AccessListing>(std::move(read)));
}

std::string FindRefusal(const PageContext& context, const Json& json) {
  const std::string message = StringMember(json, "message");
  return AccessPage(context,
                    Expected<report::AccessListing>(Fail(Code::kInvalidArgument, message)));
}

struct Case {
  const char* name;
  std::function<std::string(const PageContext&, const Json&)> page;
  Json report;
};

std::vector<Case> Cases() {
  const Json list_facets = {
      {"kinds", {{kHostile, 1}}}, {"states", {{"Ready", 1}}}, {"labels", {{kHostile, 1}}}};
  Json answer = {{"target", "t"},  {"kind", "k"},   {"grant", Grant()},       {"principal", "p"},
                 {"verdict", "v"}, {"reason", "r"}, {"timeBounds", Bounds()}, {"source", Source()},
                 {"via", "v"},     {"note", "n"},   {"observedAt", "t"}};
  answer["dependsOn"] = Json::array({"d"});
  const Json hold = {
      {"digest", "d"},
      {"createdAt", "t"},
      {"state", "open"},
      {"reason", "r"},
      {"purpose", "p"},
      {"actor", "a"},
      {"removals", 1},
      {"targets",
       {{{"target", "t"}, {"kind", "k"}, {"resources", {"r"}}, {"removes", {Grant()}}}}}};
  const Json item = {{"class", "c"},
                     {"severity", "s"},
                     {"state", "s"},
                     {"target", "t"},
                     {"kind", "k"},
                     {"resource", "r"},
                     {"grant", Grant()},
                     {"desired", "d"},
                     {"observed", "o"},
                     {"firstSeen", "t"},
                     {"attribution", Attribution()}};
  const Json target = {
      {"target", "t"},
      {"kind", "k"},
      {"provider", "p"},
      {"scope", "s"},
      {"open", 1},
      {"severity", "s"},
      {"observedAt", "t"},
      {"etag", "e"},
      {"declares", {{{"name", "n"}, {"state", "s"}, {"reason", "r"}, {"source", Source()}}}},
      {"lines",
       {{{"grant", Grant()},
         {"state", "s"},
         {"source", Source()},
         {"attribution", Attribution()},
         {"timeBounds", Bounds()}}}},
      {"revisions", {Revision()}},
      {"policy", {{kHostile, "x"}}}};
  const Json problem = {{"file", "f"},    {"line", 1},       {"column", 1},
                        {"path", "p"},    {"code", "c"},     {"severity", "error"},
                        {"message", "m"}, {"resource", "r"}, {"excerpt", "e"}};
  return {
      {"overview",
       Of(OverviewPage),
       {{"attention",
         {{{"name", "n"}, {"state", "s"}, {"reason", "r"}, {"message", "m"}, {"since", "t"}}}},
        {"causes",
         {{{"state", "s"}, {"reason", "r"}, {"resources", 1}, {"example", "e"}, {"message", "m"}}}},
        {"holds", {{{"digest", "d"}, {"createdAt", "t"}, {"reason", "r"}, {"removals", 1}}}},
        {"places", {{{"place", "p"}, {"severity", "s"}, {"undeclared", 1}}}},
        {"expiring", {{{"resource", "r"}, {"target", "t"}, {"role", "r"}, {"endsAt", "t"}}}},
        {"mode", "observe"},
        {"events", {Event()}},
        {"health", {{{"name", "n"}, {"ok", false}, {"detail", "d"}}}},
        {"activity", {{"since", "t"}, {"samples", Json::array()}}}}},
      {"resources",
       Of(ResourcesPage),
       {{"resources", {Resource()}}, {"total", 500}, {"limit", 1}, {"facets", list_facets}}},
      {"resource", Of(ResourcePage), Resource()},
      {"revision",
       Of(RevisionPage),
       {{"name", "n"},
        {"target", "t"},
        {"revision", Revision()},
        {"rollback", {{"added", {Grant()}}, {"removed", {Grant()}}}}}},
      {"targets", Of(TargetsPage), {{"targets", {target}}, {"total", 1}}},
      {"target", Of(TargetPage), target},
      {"drift",
       Of(DriftPage),
       {{"items", {item}}, {"accepted", {item}}, {"notes", {item}}, {"total", 1}}},
      {"access", AnswersOf, {{"answers", {answer}}, {"notes", {"n"}}}},
      {"access error", FindRefusal, {{"message", "m"}}},
      {"guard", Of(GuardPage), {{"holds", {hold}}}},
      {"problems",
       Of(ProblemsPage),
       {{"problems", {problem}},
        {"groups", {{{"severity", "error"}, {"code", "c"}, {"count", 1}}}},
        {"total", 1}}},
      {"replicas",
       Of(ReplicasPage),
       {{"replicas", {{{"id", "i"}, {"host", "h"}, {"version", "v"}, {"state", "s"}}}}}},
      {"events", Of(EventsPage), {{"events", {Event()}}}},
      {"message",
       [](const PageContext& context, const Json& text) {
         const auto word = text.get<std::string>();
         return MessagePage(context, {word, word, "/", word});
       },
       "x"},
  };
}

TEST(HostileTexts, StayTextOnEveryPage) {
  PageContext context;
  context.path = "/resources/%3Cscript%3E";
  for (const char* field : {"q", "kind", "label", "sort", "state", "resource", "principal", "role",
                            "target", "at", "done", "provider", "offset"}) {
    context.query.emplace_back(field, kHostile);
  }
  context.query.emplace_back(kHostile, kHostile);
  context.socket = kHostile;
  for (const Case& c : Cases()) {
    for (const bool may_change : {false, true}) {
      SCOPED_TRACE(c.name);
      context.may_operate = may_change;
      context.may_approve = may_change;
      context.user = kHostile;
      const std::string page = c.page(context, Poisoned(c.report));
      EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
      EXPECT_THAT(page, Not(HasSubstr("<script>")));
      EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
      EXPECT_THAT(page, Not(HasSubstr("'>")));
    }
  }
}

TEST(HostileTexts, ReportsWithoutMembersAreShownEmpty) {
  for (const Case& c : Cases()) {
    if (c.report.is_string()) continue;
    SCOPED_TRACE(c.name);
    EXPECT_THAT(c.page({}, Json::object()), HasSubstr("</html>"));
  }
}

}  // namespace
}  // namespace bindery::web
