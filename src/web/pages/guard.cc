#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "report/values/guard_values.h"
#include "web/filter.h"
#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Of a hold, how many removals are listed by name.
constexpr std::size_t kShown = 200;

/// The first of the resources, and how many more there are.
Html ResourcesCell(const report::HeldTarget& target) {
  const std::vector<std::string>& resources = target.resources;
  if (resources.empty()) return {};
  const std::string& first = resources.front();
  Html cell = El("span", {{"class", NameClass(first)}, {"title", first}}, InOneLine(first));
  const std::int64_t more = std::ssize(resources) - 1;
  if (more > 0) {
    const std::string words = "and " + Figure(more) + " more";
    cell.Add(" ").Add(El("span", {{"class", "hint"}, {"title", target.FirstResources()}}, words));
  }
  return El("span", {{"class", "named"}}, cell);
}

Html Removals(const PageContext& context, const report::HoldLine& hold) {
  const auto by = [](const char* name) { return ListOrder{name, "severity"}; };
  Table table("What would be removed",
              {Sorted(context, "Principal", by("principal")), Sorted(context, "Role", by("role")),
               Sorted(context, "Severity", by("severity")), Sorted(context, "Target", by("target")),
               Sorted(context, "Resources", by("resources"))});
  const auto sort = report::GuardSort::Parse(context.Asked("sort"));
  const auto removals = report::ListRemovals(hold, sort.value_or(report::GuardSort()));
  const auto shown = std::span(removals).first(std::min(removals.size(), kShown));
  std::size_t number = 0;
  for (const auto& [target, held] : shown) {
    const std::string id = hold.digest.substr(0, 12) + "-" + std::to_string(++number);
    table.AddRow({PrincipalName(held->grant.principal), RoleFold(held->grant, id),
                  Badge(held->severity.text()), ShortTargetLink(target->kind, target->target),
                  ResourcesCell(*target)});
  }
  Html content = table.Finished();
  if (removals.size() > kShown) {
    content.Add(El("p", {{"class", "hint"}}, sort ? "The first " : "The worst ", Figure(kShown),
                   " of ", Figure(std::ssize(removals)), "; the rest is in the JSON and the CSV."));
  }
  return content;
}

Html Decision(const PageContext& context, const report::HoldLine& hold) {
  const bool open = hold.state == HoldState::kOpen;
  if (!open && hold.state != HoldState::kDenied) return {};
  if (!context.may_approve) {
    const std::string digest = hold.digest.substr(0, 12);
    Html hints = "To let exactly these through: ";
    hints.Add(El("code", {}, "bindery guard approve " + digest));
    if (open) {
      hints.Add("; to keep what they would remove: ");
      hints.Add(El("code", {}, "bindery guard deny " + digest));
    }
    return El("p", {{"class", "hint"}}, hints);
  }
  const std::string removals =
      Counted(static_cast<std::int64_t>(hold.removals), "removal", "removals");
  Html forms = ActionForm("/actions/approve", "Approve " + removals, {{"digest", hold.digest}});
  if (open) forms.Add(ActionForm("/actions/deny", "Deny " + removals, {{"digest", hold.digest}}));
  return El("div", {{"class", "actions"}}, forms);
}

Html Hold(const PageContext& context, const report::HoldLine& hold) {
  const std::string purpose =
      hold.purpose == HoldPurpose() ? "" : ", for " + ToString(hold.purpose);
  Html facts =
      El("p", {}, Badge(ToString(hold.state)), hold.actor.empty() ? "" : " by " + hold.actor + ",",
         " first held ", Ago(context, hold.created_at), purpose, ": ", Prose(hold.reason));
  facts.Add(Decision(context, hold));
  facts.Add(Removals(context, hold));
  return MakeSection("Hold " + hold.digest.substr(0, 12), facts);
}

}  // namespace

std::string GuardPage(const PageContext& context, const report::HoldList& report) {
  std::int64_t open = 0;
  std::int64_t removals = 0;
  Html content;
  for (const report::HoldLine& hold : report.holds) {
    if (hold.state == HoldState::kOpen) {
      ++open;
      removals += static_cast<std::int64_t>(hold.removals);
    }
    content.Add(Hold(context, hold));
  }
  Frame frame;
  frame.title = "Guard";
  frame.section = "/guard";
  frame.dense = true;
  frame.has_csv = true;
  frame.summary = open == 0 ? "Nothing waits for approval."
                            : Counted(removals, "removal waits", "removals wait") +
                                  " for approval, in " + Counted(open, "hold", "holds") + ".";
  if (context.Asked("done") == "approve") {
    frame.before = El("p", {{"class", "notice"}, {"role", "status"}},
                      "Approved: exactly these removals are carried out now.");
  }
  if (context.Asked("done") == "deny") {
    frame.before = El("p", {{"class", "notice"}, {"role", "status"}},
                      "Denied: these removals are not carried out, nor asked about again.");
  }
  if (report.holds.empty()) {
    content =
        Nothing("A pass that would remove too many grants waits here until someone approves it.");
  }
  return Document(context, frame, content);
}

}  // namespace bindery::web
