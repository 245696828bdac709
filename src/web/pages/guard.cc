#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <vector>

#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Of a hold, how many removals are listed by name.
constexpr std::size_t kShown = 200;

struct Removal {
  const report::HeldTarget* target = nullptr;
  const report::HeldRemoval* held = nullptr;
};

/// The removals of the hold, worst first, else in the order of the hold.
std::vector<Removal> WorstFirst(const report::HoldLine& hold) {
  std::vector<Removal> removals;
  for (const report::HeldTarget& target : hold.targets) {
    for (const report::HeldRemoval& held : target.removes) removals.push_back({&target, &held});
  }
  std::ranges::stable_sort(removals, std::ranges::greater(),
                           [](const Removal& removal) { return removal.held->severity.value(); });
  return removals;
}

Html Removals(const report::HoldLine& hold) {
  Table table("What would be removed",
              {{"Principal"}, {"Role"}, {"Severity"}, {"Target"}, {"Resources"}});
  const std::vector<Removal> removals = WorstFirst(hold);
  const auto shown = std::span(removals).first(std::min(removals.size(), kShown));
  for (const auto& [target, held] : shown) {
    table.AddRow({PrincipalName(held->grant.principal), RoleCell(held->grant),
                  Badge(held->severity.text()), ShortTargetLink(target->kind, target->target),
                  target->FirstResources()});
  }
  Html content = table.Finished();
  if (removals.size() > kShown) {
    content.Add(El("p", {{"class", "hint"}}, "The worst ", Figure(kShown), " of ",
                   Figure(std::ssize(removals)), "; the rest is in the JSON."));
  }
  return content;
}

Html Decision(const PageContext& context, const report::HoldLine& hold) {
  const bool open = hold.state == HoldState::kOpen;
  if (!open && hold.state != HoldState::kDenied) return {};
  if (!context.may_approve) {
    const std::string digest = hold.digest.substr(0, 12);
    Html hints = CommandHint("To let exactly these through:", "bindery guard approve " + digest);
    if (open)
      hints.Add(CommandHint("To keep what they would remove:", "bindery guard deny " + digest));
    return hints;
  }
  const std::string removals =
      Counted(static_cast<std::int64_t>(hold.removals), "removal", "removals");
  Html forms = ActionForm("/actions/approve", "Approve " + removals, {{"digest", hold.digest}});
  if (open) forms.Add(ActionForm("/actions/deny", "Deny " + removals, {{"digest", hold.digest}}));
  return forms;
}

Html Hold(const PageContext& context, const report::HoldLine& hold) {
  const std::string purpose =
      hold.purpose == HoldPurpose() ? "" : ", for " + ToString(hold.purpose);
  Html facts = El("p", {}, Badge(ToString(hold.state)), " since ", Ago(context, hold.created_at),
                  hold.actor.empty() ? "" : " by " + hold.actor, purpose, ".");
  facts.Add(Paragraph(hold.reason));
  facts.Add(Decision(context, hold));
  facts.Add(Removals(hold));
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
