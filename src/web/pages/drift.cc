#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html DifferenceCell(const Json& item) {
  Html cell = Badge(TextOf(item, "severity"));
  const std::string cause = TextOf(item, "cause");
  cell.Add(El("span", {{"class", "below"}},
              TextOf(item, "class") + (cause.empty() || cause == "unknown" ? "" : ", " + cause)));
  return cell;
}

Html WhatCell(const Json& item) {
  const std::string field = TextOf(item, "field");
  return field.empty() ? GrantCell(ObjectOf(item, "grant")) : El("code", {}, field);
}

Html WordsCell(const Json& item) {
  Html cell = El("span", {{"class", "below"}}, "declared: ", TextOf(item, "desired"));
  cell.Add(El("span", {{"class", "below"}}, "observed: ", TextOf(item, "observed")));
  const std::string action = TextOf(item, "action");
  if (!action.empty()) cell.Add(El("span", {{"class", "below"}}, action));
  const std::string made_by = MadeBy(item);
  if (!made_by.empty()) cell.Add(El("span", {{"class", "below"}}, "changed by: ", made_by));
  return cell;
}

/// Those of the items whose state fits; nothing when there are none.
Html Items(const PageContext& context, const Json& items, std::string_view title,
           bool (*fits)(const std::string& state)) {
  Table table(
      std::string(title) + ", worst first",
      {{"Grant"}, {"Severity"}, {"State"}, {"Target"}, {"In words"}, {"Resource"}, {"First seen"}});
  for (const Json& item : items) {
    if (!fits(TextOf(item, "state"))) continue;
    table.AddRow({WhatCell(item), DifferenceCell(item), Badge(TextOf(item, "state")),
                  TargetLink(TextOf(item, "kind"), TextOf(item, "target")), WordsCell(item),
                  ResourceLink(TextOf(item, "resource")), Ago(context, item, "firstSeen")});
  }
  return table.empty() ? Html() : SectionOf(title, table.Finished());
}

/// What may stay for some time, and why.
Html Accepted(const PageContext& context, const Json& items) {
  Table table("Accepted, the first to end first",
              {{"Grant"}, {"Severity"}, {"Target"}, {"Why"}, {"Resource"}, {"First seen"}});
  for (const Json& item : items) {
    table.AddRow({WhatCell(item), DifferenceCell(item),
                  TargetLink(TextOf(item, "kind"), TextOf(item, "target")),
                  Html(TextOf(item, "action")), ResourceLink(TextOf(item, "resource")),
                  Ago(context, item, "firstSeen")});
  }
  return table.empty() ? Html() : SectionOf("Accepted", table.Finished());
}

}  // namespace

std::string DriftPage(const PageContext& context, const Json& report) {
  const Json& summary = ObjectOf(report, "summary");
  const Json& items = ListOf(report, "items");
  const Json& accepted = ListOf(report, "accepted");
  Frame frame;
  frame.title = "Drift";
  frame.section = "/drift";
  frame.summary = Counted(CountOf(summary, "open"), "difference is", "differences are") +
                  " open, " + Figure(CountOf(summary, "held")) + " held, " +
                  Figure(CountOf(summary, "corrected")) + " corrected in the last day.";
  if (const auto count = accepted.size(); count > 0) {
    frame.summary += " " +
                     Counted(static_cast<std::int64_t>(count), "difference is", "differences are") +
                     " accepted.";
  }
  if (items.empty() && accepted.empty()) {
    return Document(context, frame,
                    Nothing("Everything is as declared, as of the last reading of each target."));
  }
  Html content = Items(context, items, "Current drift",
                       [](const std::string& state) { return state != "corrected"; });
  content.Add(Items(context, items, "Corrected drift",
                    [](const std::string& state) { return state == "corrected"; }));
  content.Add(Accepted(context, accepted));
  content.Add(Pager(context, report, items.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
