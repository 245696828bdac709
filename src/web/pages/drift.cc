#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/settings/accepted_drift.h"
#include "report/values/drift_items.h"
#include "web/filter.h"
#include "web/grants.h"
#include "web/manifest_link.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// What a list tells of a difference besides its columns.
constexpr std::size_t kMostBeside = 100;

std::string ClassWords(const report::DriftReportItem& item) {
  const std::string cause = report::DescribeKnownCause(item);
  return std::string(ToString(item.drift_class)) + (cause.empty() ? "" : ", " + cause);
}

Html DriftPrincipalCell(const report::DriftReportItem& item) {
  if (!item.field.empty()) return El("code", {}, item.field);
  if (!item.grant) return "the target as a whole";
  return PrincipalName(item.grant->grant.principal);
}

Html NameRole(const report::DriftReportItem& item) {
  return item.grant ? RoleLine(item.grant->grant) : Html();
}

Html FirstSeenCell(const PageContext& context, const report::DriftReportItem& item) {
  return Ago(context, item.first_seen.value_or(WallTime{}));
}

Html Line(std::string_view words, const std::string& text) {
  return text.empty() ? Html() : El("p", {}, words, Breakable(text));
}

/// "2026-11-21 11:30 UTC by bindery"; empty while the difference stands.
std::string PutRight(const report::DriftReportItem& item) {
  const std::string time = report::FormatMinute(item.resolved_at);
  if (time.empty()) return "";
  return time + " UTC" + (item.resolved_by.empty() ? "" : " by " + item.resolved_by);
}

/// How to make it declared, and what the manifests gain or lose by that. The daemon does not write
/// into the folder of manifests: a person does, and commits.
Html AdoptHint(const report::DriftReportItem& item) {
  const bool declares = item.drift_class == DriftClass::kUndeclared;
  const bool takes_out =
      item.drift_class == DriftClass::kMissing || item.drift_class == DriftClass::kPrincipalDeleted;
  if (!item.grant || !(declares || takes_out)) return {};
  report::GrantChanges changes;
  (declares ? changes.added : changes.removed).push_back(*item.grant);
  return CommandHint(declares ? "To declare it, in the folder of manifests:"
                              : "To take it out of its manifest, in the folder of manifests:",
                     "bindery adopt " + std::to_string(item.id))
      .Add(MakeDiff(changes));
}

/// What is declared, what is there, who did it, and how to let it stay.
Html DetailCell(const PageContext& context, const report::DriftReportItem& item) {
  Html detail;
  if (!item.resource.empty()) {
    detail.Add(El("p", {}, "Resource ", ResourceLink(item.resource), " ",
                  ManifestLink(context, item.source)));
  }
  detail.Add(Line("Declared: ", item.desired)).Add(Line("Observed: ", item.observed));
  detail.Add(Line("Put right: ", PutRight(item))).Add(Line("", item.action));
  detail.Add(Line("Changed by: ", DescribeMaker(item.attribution)));
  const bool stands = item.state == DriftState::kOpen || item.state == DriftState::kHeld;
  if (stands && IsAcceptable(item.drift_class)) {
    detail.Add(CommandHint(
        "To let it stay, with a reason on record:",
        "bindery drift accept " + std::to_string(item.id) + " --reason \"…\" --until 30d"));
  }
  if (stands) detail.Add(AdoptHint(item));
  return Disclosure("d" + std::to_string(item.id), detail, /*open=*/false);
}

/// A column that sorts: its title, and its name in the address.
struct DriftTitle {
  const char* title;
  const char* name;
  const char* words = "";  ///< As ListOrder::words.
};

/// The titles of a table of differences: those of all such tables, then `more`.
std::vector<Column> ListTitles(const PageContext& context, const char* fallback,
                               std::initializer_list<DriftTitle> more) {
  std::vector<DriftTitle> titles = {{"Principal", "principal"},
                                    {"Role", "role"},
                                    {"Severity", "severity"},
                                    {"Difference", "class"}};
  titles.insert(titles.end(), more);
  std::vector<Column> columns;
  for (const auto& [title, name, words] : titles) {
    columns.push_back(Sorted(context, title, {name, fallback, words}));
  }
  return columns;
}

/// The corrected or the current items; nothing if none exists.
Html Items(const PageContext& context, const std::vector<report::DriftReportItem>& items,
           std::string_view title, bool corrected) {
  Table table(std::string(title), ListTitles(context, "severity",
                                             {{"State", "state"},
                                              {"Target", "target"},
                                              {"First seen", "firstSeen"},
                                              {"Details", "resource", "by resource"}}));
  for (const report::DriftReportItem& item : items) {
    const bool left_out = item.drift_class == DriftClass::kJustInTime ||
                          (item.state == DriftState::kCorrected) != corrected;
    if (left_out) continue;
    table.AddRow({DriftPrincipalCell(item), NameRole(item), Badge(ToString(item.severity)),
                  ClassWords(item), Badge(ToString(item.state)),
                  ShortTargetLink(item.kind, item.target), FirstSeenCell(context, item),
                  DetailCell(context, item)});
  }
  return table.empty() ? Html() : MakeSection(title, table.Finished());
}

/// Items beside the drift, with the reason; the first of many.
Html Beside(const PageContext& context, const std::vector<report::DriftReportItem>& items,
            std::string_view title, std::string_view caption) {
  // In an order of their own at first.
  Table table(std::string(caption), ListTitles(context, "until",
                                               {{"Target", "target"},
                                                {"Resource", "resource"},
                                                {"First seen", "firstSeen"},
                                                {"Why", "why"}}));
  std::size_t shown = 0;
  for (const report::DriftReportItem& item : items) {
    if (++shown > kMostBeside) break;
    const bool note = item.state == DriftState::kNoted;
    table.AddRow({DriftPrincipalCell(item), NameRole(item), Badge(ToString(item.severity)),
                  ClassWords(item), ShortTargetLink(item.kind, item.target),
                  ResourceLink(item.resource), FirstSeenCell(context, item),
                  Sentence("w" + std::to_string(item.id), note ? item.observed : item.action)});
  }
  if (table.empty()) return {};
  Html section = table.Finished();
  if (items.size() > kMostBeside) {
    section.Add(CommandHint("The first " + std::to_string(kMostBeside) + " are shown. All:",
                            "bindery drift --all -o json"));
  }
  return MakeSection(title, section);
}

/// Grants on unmanaged targets, by target and role; the first of many roles.
Html Unmanaged(const std::optional<report::UnmanagedGrants>& unmanaged) {
  if (!unmanaged) return {};
  Table table("Grants on unmanaged targets, by target and role",
              {{"Role"}, {"Severity"}, {"Grants"}, {"Target"}});
  for (const report::UnmanagedRole& role : unmanaged->roles) {
    table.AddRow({El("code", {}, Breakable(role.role)), Badge(ToString(role.severity)),
                  Html(Figure(role.grants)), El("code", {}, Breakable(role.target))});
  }
  if (table.empty()) return {};
  Html section = table.Finished();
  if (unmanaged->more_roles > 0) {
    section.Add(CommandHint(Figure(unmanaged->more_roles) + " more are counted only. By role:",
                            "bindery coverage --by role"));
  }
  return MakeSection("Unmanaged", section);
}

std::vector<report::DriftReportItem> JustInTimeAmong(
    const std::vector<report::DriftReportItem>& items) {
  std::vector<report::DriftReportItem> found;
  for (const report::DriftReportItem& item : items) {
    if (item.drift_class == DriftClass::kJustInTime) found.push_back(item);
  }
  return found;
}

Html DriftFilter(const PageContext& context) {
  const std::vector<Choice> severities = {
      {"critical", "critical"}, {"high", "high and worse"}, {"medium", "medium and worse"}};
  const std::array states = {DriftState::kOpen, DriftState::kHeld, DriftState::kCorrected};
  return FilterForm(context)
      .Search("principal, role, target")
      .Select("severity", "Severity", severities)
      .Select("class", "Difference", MakeChoices(kAllDriftClasses))
      .Select("cause", "Cause", MakeChoices(kAllDriftCauses))
      .Select("state", "State", MakeChoices(states))
      .Text("kind", "Kind of target", "any")
      .Text("within", "Within", "projects/acme")
      .Text("principal", "Principal", "allUsers")
      .Text("firstSeen", "Seen since", "24h")
      .Text("since", "Corrected since", "24h")
      .Finished();
}

std::string Summary(const report::DriftListing& report) {
  const report::DriftSummary& summary = report.summary;
  std::string text = Counted(summary.open, "difference is", "differences are") + " open, " +
                     Figure(summary.held) + " held, " + Figure(summary.corrected) +
                     " corrected lately.";
  if (summary.accepted > 0) {
    text += " " + Counted(summary.accepted, "difference is", "differences are") + " accepted.";
  }
  if (summary.just_in_time > 0) {
    text += " " +
            Counted(summary.just_in_time, "just-in-time grant is", "just-in-time grants are") +
            " there.";
  }
  if (report.unmanaged && report.unmanaged->grants > 0) {
    text += " " + Counted(report.unmanaged->grants, "grant is", "grants are") + " on " +
            Counted(report.unmanaged->targets, "target", "targets") + " that nobody manages.";
  }
  return text;
}

}  // namespace

std::string DriftPage(const PageContext& context, const report::DriftListing& report) {
  Frame frame;
  frame.title = "Drift";
  frame.section = "/drift";
  frame.list = true;
  frame.has_csv = true;
  frame.summary = Summary(report);
  frame.as_of = report.generated_at;
  if (!context.query.empty()) {
    frame.summary = Figure(static_cast<std::int64_t>(report.total)) + " listed. " + frame.summary;
  }
  frame.searches = true;
  frame.before = DriftFilter(context);
  const bool nothing = report.items.empty() && report.accepted.empty() && report.notes.empty();
  if (nothing) {
    const Html ending = ExpiringSection(report.expiring, report.summary.expiring);
    return Document(
        context, frame,
        Nothing(context.query.empty()
                    ? report.summary.targets == 0
                          ? "No target was read yet: whether something differs is not known."
                          : "Everything is as declared, as of the last reading of each target."
                    : "No difference fits the filter.")
            .Add(context.query.empty() ? ending : Html())
            .Add(context.query.empty() ? Unmanaged(report.unmanaged) : Html()));
  }
  Html content = Items(context, report.items, "Current drift", /*corrected=*/false);
  content.Add(Items(context, report.items, "Corrected drift", /*corrected=*/true));
  content.Add(Beside(context, JustInTimeAmong(report.items), "Just-in-time",
                     "Just-in-time access, which is no drift"));
  content.Add(Pager(context, report, report.items.size()));
  const bool plain = context.query.empty();
  if (plain) content.Add(ExpiringSection(report.expiring, report.summary.expiring));
  content.Add(Beside(context, report.accepted, "Accepted", "Accepted differences"));
  content.Add(Beside(context, report.notes, "Notes", "Notes, which are no drift"));
  if (plain) content.Add(Unmanaged(report.unmanaged));
  return Document(context, frame, content);
}

}  // namespace bindery::web
