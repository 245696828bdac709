#include "web/grants.h"

#include <algorithm>
#include <cstddef>

#include "report/values/drift_items.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html MakeCondition(const Grant& grant) {
  if (!grant.condition) return {};
  return El("span", {{"class", "condition"}}, "if ", El("b", {}, grant.condition->title), " ",
            El("code", {}, grant.condition->expression));
}

Html DiffLine(bool added, const Grant& grant) {
  return El("li", {{"class", added ? "added" : "removed"}},
            El("span", {{"class", "sign"}, {"aria-hidden", "true"}}, added ? "+" : "−"),
            El("span", {{"class", "unseen"}}, added ? "added: " : "removed: "),
            El("span", {}, El("code", {}, Breakable(grant.principal)), " ",
               El("span", {{"class", "role"}}, Breakable(grant.role)), " ", MakeCondition(grant)));
}

}  // namespace

Html PrincipalName(std::string_view principal) { return WholeName("code", "name", principal); }

Html RoleCell(const Grant& grant) {
  Html cell = El("span", {{"class", "role"}}, Breakable(grant.role));
  if (grant.condition) cell.Add(" ").Add(MakeCondition(grant));
  return cell;
}

Html RoleLine(const Grant& grant) {
  Html line = WholeName("span", "role", grant.role);
  if (!grant.condition) return line;
  const std::string& title = grant.condition->title;
  return line.Add(" ").Add(El("span", {{"class", "hint"}, {"title", grant.condition->expression}},
                              "if ", title.empty() ? grant.condition->expression : title));
}

Html RoleFold(const Grant& grant, const std::string& id) {
  if (!grant.condition) return RoleLine(grant);
  return El("details", {{"class", "fold"}, {"id", id}}, El("summary", {}, RoleLine(grant)),
            MakeCondition(grant));
}

std::string BoundsText(const std::optional<report::TimeBounds>& bounds) {
  if (!bounds) return "";
  const auto minute = [](const std::optional<cel::Timestamp>& time) {
    return report::MinuteOfText(report::TimeText(time)) + " UTC";
  };
  switch (bounds->phase) {
    case cel::TimePhase::kBefore:
      return "starts " + minute(bounds->starts_at);
    case cel::TimePhase::kAfter:
      return "expired " + minute(bounds->ends_at);
    case cel::TimePhase::kNever:
      return "never in force";
    case cel::TimePhase::kWithin:
    case cel::TimePhase::kUnbounded:
      break;
  }
  return bounds->ends_at ? "ends " + minute(bounds->ends_at) : "";
}

Html BoundsCell(const std::optional<report::TimeBounds>& bounds) {
  const std::string text = BoundsText(bounds);
  const std::size_t word = text.find(' ');
  if (!bounds || text.empty() || bounds->phase == cel::TimePhase::kNever) return text;
  // The foot of each page says that times are of UTC.
  const std::size_t zone = text.rfind(' ');
  return El("span", {{"class", "wide"}, {"title", text}}, text.substr(0, word + 1),
            El("span", {{"class", "half"}}, text.substr(word + 1, zone - word - 1)));
}

Html MakeDiff(const report::GrantChanges& changes) {
  if (changes.added.empty() && changes.removed.empty()) return Nothing("No grant differs");
  Html lines;
  for (const auto& [grant, words] : changes.removed) lines.Add(DiffLine(false, grant));
  for (const auto& [grant, words] : changes.added) lines.Add(DiffLine(true, grant));
  return El("ul", {{"class", "diff"}}, lines);
}

Html ExpiringSection(const std::vector<report::ExpiringGrants>& expiring, std::int64_t count) {
  if (expiring.empty()) return {};
  Table table("Declared grants that end by themselves, the first to end first",
              {{"Resource"}, {"Role"}, {"Grants", {}, "", true}, {"Ends"}, {"Target"}});
  constexpr std::size_t kMost = 100;
  std::int64_t shown = 0;
  for (std::size_t i = 0; i < std::min(expiring.size(), kMost); ++i) {
    const report::ExpiringGrants& line = expiring[i];
    shown += line.grants;
    table.AddRow({ResourceLink(line.resource), Breakable(line.role), Figure(line.grants),
                  report::MinuteOfText(cel::ToString(line.ends_at)) + " UTC",
                  El("span", {{"title", line.target}}, Breakable(ShortName(line.target)))});
  }
  Html section = table.Finished();
  if (shown < count) {
    section.Add(El("p", {{"class", "hint"}}, Figure(shown), " of ",
                   Counted(count, "grant", "grants"), " that end soon."));
  }
  return MakeSection("Ends soon", section);
}

Html JsonBlock(const Json& value, std::string_view label) {
  return El("pre", {{"tabindex", "0"}, {"role", "region"}, {"aria-label", std::string(label)}},
            El("code", {}, value.dump(2, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace bindery::web
