#include <algorithm>
#include <cstddef>

#include "web/filter.h"
#include "web/grants.h"
#include "web/manifest_link.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"
#include "web/timeline.h"

namespace bindery::web {
namespace {

Html OpenDriftCell(const report::TargetLine& target) {
  const auto open = static_cast<std::int64_t>(target.open);
  const auto held = static_cast<std::int64_t>(target.held);
  if (open + held == 0) return target.observed ? "none" : "not read yet";
  Html cell = Badge(target.severity ? ToString(*target.severity) : "");
  std::string words = open > 0 ? Figure(open) + " open" : "";
  if (held > 0) words += (words.empty() ? "" : ", ") + Figure(held) + " held";
  cell.Add(" ").Add(El("span", {{"class", "word hint"}}, words));
  return cell;
}

Html SourceCell(const PageContext& context,
                const std::optional<report::DeclaringManifest>& source) {
  if (!source) return "nobody";
  Html cell = ResourceLink(source->resource);
  cell.Add(El("span", {{"class", "below"}}, ManifestLink(context, source->file, source->line)));
  return cell;
}

Html GrantStateCell(const report::PolicyLine& line) {
  return Html(Badge(report::ToString(line.state))).Add(MakerLine(line.attribution));
}

Html PolicyTable(const PageContext& context, const report::TargetDetail& report) {
  if (report.lines.empty()) {
    return Nothing(report.observed ? "Nobody holds anything." : "It was not read yet.");
  }
  Table table("The whole policy, line by line, and what is declared and not there",
              {{"Principal"}, {"Role"}, {"State"}, {"Declared by"}, {"Time"}});
  std::size_t number = 0;
  for (const report::PolicyLine& line : report.lines) {
    const Grant& grant = line.grant.grant;
    const std::string id = "g" + std::to_string(++number);
    table.AddRow({PrincipalName(grant.principal), RoleFold(grant, id), GrantStateCell(line),
                  SourceCell(context, line.source), BoundsCell(line.time_bounds)});
  }
  return table.Finished();
}

Html DeclaringTable(const PageContext& context,
                    const std::vector<report::DeclaringResource>& declares) {
  if (declares.empty()) return Nothing("No manifest speaks of this target.");
  Table table("The resources on this target", {{"Resource"}, {"State"}, {"Manifest"}});
  for (const report::DeclaringResource& resource : declares) {
    table.AddRow({ResourceLink(resource.name),
                  Html(Badge(ToString(resource.state)))
                      .Add(El("span", {{"class", "below"}}, resource.reason)),
                  ManifestLink(context, resource.source)});
  }
  return table.Finished();
}

std::string LinesSummary(const std::vector<report::PolicyLine>& lines) {
  const auto count = [&](report::GrantPresence state) {
    return static_cast<std::int64_t>(
        std::count_if(lines.begin(), lines.end(),
                      [&](const report::PolicyLine& line) { return line.state == state; }));
  };
  const auto if_any = [&](report::GrantPresence state) {
    const std::int64_t number = count(state);
    return number == 0 ? "" : ", " + Figure(number) + " " + std::string(report::ToString(state));
  };
  return Counted(count(report::GrantPresence::kDeclared), "grant is", "grants are") +
         " as declared, " + Figure(count(report::GrantPresence::kUndeclared)) + " undeclared, " +
         Figure(count(report::GrantPresence::kMissing)) + " missing" +
         if_any(report::GrantPresence::kAccepted) + if_any(report::GrantPresence::kServiceAgent) +
         if_any(report::GrantPresence::kJustInTime) + if_any(report::GrantPresence::kDeleted) + ".";
}

}  // namespace

std::string TargetsPage(const PageContext& context, const report::TargetList& report) {
  Frame frame;
  frame.title = "Targets";
  frame.section = "/targets";
  frame.list = true;
  frame.has_csv = true;
  frame.summary = Counted(static_cast<std::int64_t>(report.total), "target", "targets") + ".";
  frame.searches = true;
  frame.before = FilterForm(context)
                     .Search("name, kind, provider")
                     .Text("kind", "Kind", "any")
                     .Text("within", "Within", "projects/acme")
                     .Flag("differing", "with differences")
                     .Flag("undeclared", "with undeclared grants")
                     .Finished();
  if (report.targets.empty()) {
    return Document(context, frame,
                    context.query.empty() ? FirstManifests("No target is known yet.")
                                          : Nothing("No target fits the filter."));
  }
  const auto by = [](const char* name) { return ListOrder{name, "kind"}; };
  const auto number = [](Column column) {
    column.number = true;
    return column;
  };
  Table table(
      "Policies in the clouds",
      {Sorted(context, "Target", by("target")), Sorted(context, "Kind", by("kind")),
       Sorted(context, "Provider", by("provider")),
       Sorted(context, "Differences", by("differences")),
       number(Sorted(context, "Undeclared", by("undeclared"))),
       number(Sorted(context, "Grants", by("grants"))),
       number(Sorted(context, "Resources", by("resources"))), Sorted(context, "Read", by("read"))});
  for (const report::TargetLine& target : report.targets) {
    table.AddRow({ShortTargetLink(target.kind, target.target, target.scope), Breakable(target.kind),
                  Word(target.provider), OpenDriftCell(target), Figure(target.undeclared),
                  Figure(target.grants), Figure(static_cast<std::int64_t>(target.resources)),
                  Ago(context, target.observed_at)});
  }
  Html content = table.Finished();
  content.Add(Pager(context, report, report.targets.size()));
  return Document(context, frame, content);
}

std::string TargetPage(const PageContext& context, const report::TargetDetail& report) {
  Frame frame;
  frame.title = report.target;
  frame.section = "/targets";
  frame.rows = true;
  frame.summary = LinesSummary(report.lines);
  Html content =
      El("p", {}, report.kind, " of the provider ", report.provider, ", last read ",
         Ago(context, report.observed_at),
         report.observed && !report.exists ? "; it was not there" : "",
         report.ever_written ? "; bindery has written it" : "; never written by bindery", ".");
  content.Add(MakeSection("Policy", PolicyTable(context, report)));
  content.Add(MakeSection("Who declares it", DeclaringTable(context, report.declares)));
  const std::string resource = report.declares.empty() ? "" : report.declares.front().name;
  content.Add(MakeSection("Timeline", Timeline(context, resource, report.revisions)));
  if (!report.policy.empty()) {
    content.Add(MakeSection("As it was read", JsonBlock(report.policy, "The policy as JSON")));
  }
  return Document(context, frame, content);
}

}  // namespace bindery::web
