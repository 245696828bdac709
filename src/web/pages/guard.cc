#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Of a hold, how many removals are listed by name.
constexpr std::size_t kShown = 200;

/// "a, b, c and 7 more": who declares something on a target is context, not the matter.
std::string FirstNames(const Json& names) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) {
    text += (text.empty() ? "" : ", ") + names[i].get<std::string>();
  }
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

Html Removals(const Json& hold) {
  Table table("What would be removed", {{"Principal"}, {"Role"}, {"Target"}, {"Resources"}});
  std::size_t shown = 0;
  for (const Json& target : ListOf(hold, "targets")) {
    const std::string names = FirstNames(ListOf(target, "resources"));
    for (const Json& grant : ListOf(target, "removes")) {
      if (++shown > kShown) continue;
      table.AddRow({El("code", {}, Breakable(PrincipalOf(grant))), RoleCell(grant),
                    TargetLink(TextOf(target, "kind"), TextOf(target, "target")), names});
    }
  }
  Html content = table.Finished();
  if (shown > kShown) {
    content.Add(El("p", {{"class", "hint"}}, "The first ", Figure(kShown), " of ",
                   Figure(static_cast<std::int64_t>(shown)), "; the rest is in the JSON."));
  }
  return content;
}

Html Decision(const PageContext& context, const Json& hold) {
  const std::string digest = TextOf(hold, "digest");
  const std::string state = TextOf(hold, "state");
  if (state != "open" && state != "denied") return {};
  if (!context.may_change) {
    return CommandHint("To let exactly these through:",
                       "bindery guard approve " + digest.substr(0, 12));
  }
  const std::string removals = Counted(CountOf(hold, "removals"), "removal", "removals");
  Html forms = ActionForm("/actions/approve", "Approve " + removals, {{"digest", digest}});
  if (state == "open") {
    forms.Add(ActionForm("/actions/deny", "Deny " + removals, {{"digest", digest}}));
  }
  return forms;
}

Html Hold(const PageContext& context, const Json& hold) {
  const std::string digest = TextOf(hold, "digest").substr(0, 12);
  const std::string actor = TextOf(hold, "actor");
  Html facts = El("p", {}, Badge(TextOf(hold, "state")), " since ", Ago(context, hold, "createdAt"),
                  actor.empty() ? "" : " by " + actor, ", for ",
                  TextOf(hold, "purpose") == "pass" ? "a pass" : TextOf(hold, "purpose"), ".");
  facts.Add(Paragraph(TextOf(hold, "reason")));
  facts.Add(Decision(context, hold));
  facts.Add(Removals(hold));
  return SectionOf("Hold " + digest, facts);
}

}  // namespace

std::string GuardPage(const PageContext& context, const Json& report) {
  const Json& holds = ListOf(report, "holds");
  std::int64_t open = 0;
  std::int64_t removals = 0;
  Html content;
  for (const Json& hold : holds) {
    if (TextOf(hold, "state") == "open") {
      ++open;
      removals += CountOf(hold, "removals");
    }
    content.Add(Hold(context, hold));
  }
  Frame frame;
  frame.title = "Guard";
  frame.section = "/guard";
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
  if (holds.empty()) {
    content =
        Nothing("A pass that would remove too many grants waits here until someone approves it.");
  }
  return Document(context, frame, content);
}

}  // namespace bindery::web
