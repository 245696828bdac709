#include <algorithm>
#include <cstddef>
#include <map>

#include "web/grants.h"
#include "web/manifest_link.h"
#include "web/pages/event_table.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"
#include "web/timeline.h"

namespace bindery::web {
namespace {

Html Fact(std::string_view name, const Html& value) {
  if (value.empty()) return {};
  return El("div", {}, El("dt", {}, name), El("dd", {}, value));
}

Html LabelLinks(const std::map<std::string, std::string>& labels) {
  Html links;
  for (const auto& [name, value] : labels) {
    const std::string text = name + "=" + value;
    links.Add(
        El("a", {{"class", "label"}, {"href", WithQuery("/resources", {{"label", text}})}}, text));
  }
  return links.empty() ? links : El("span", {{"class", "labels"}}, links);
}

Html Facts(const PageContext& context, const report::Explanation& report) {
  const report::ReportedStatus& status = report.status;
  Html facts;
  facts.Add(Fact("State", Html(Badge(ToString(status.state))).Add(" ").Add(status.reason)));
  facts.Add(Fact("Kind", Breakable(report.kind + " (" + report.api_version + ")")));
  facts.Add(Fact("Target", report.lookup ? El("code", {}, report.target)
                                         : TargetLink(report.kind, report.target)));
  facts.Add(Fact("Provider", report.provider));
  facts.Add(Fact(report.manifest_gone ? "Manifest, gone" : "Manifest",
                 ManifestLink(context, report.source)));
  facts.Add(Fact("Last read", Ago(context, report.observed_at)));
  facts.Add(Fact("Generation", std::to_string(status.generation) + " declared, " +
                                   std::to_string(status.observed_generation) + " observed"));
  if (report.suspended) facts.Add(Fact("Suspended", "yes: bindery leaves it alone"));
  facts.Add(Fact("Mode", report.mode));
  facts.Add(Fact("Time", BoundsText(report.time_bounds)));
  facts.Add(Fact("Labels", LabelLinks(report.labels)));
  return El("dl", {{"class", "facts"}}, facts);
}

Html Actions(const PageContext& context, const report::Explanation& report) {
  const std::string& name = report.name;
  if (!context.may_operate) return CommandHint("To check it now:", "bindery reconcile " + name);
  Html actions = ActionForm("/actions/reconcile", "Check now", {{"name", name}});
  actions.Add(ActionForm(report.suspended ? "/actions/resume" : "/actions/suspend",
                         report.suspended ? "Resume" : "Suspend", {{"name", name}}));
  return El("div", {{"class", "actions"}}, actions);
}

Html WhyCell(const report::ExplainedGrant& row) {
  const std::string bounds = BoundsText(row.time_bounds);
  return Html(row.reason + (bounds.empty() ? "" : "; " + bounds)).Add(MakerLine(row.attribution));
}

Html GrantTable(const PageContext& context, const report::Explanation& report) {
  if (report.grants.empty()) {
    return Nothing(report.lookup ? "A lookup declares no grants." : "No grant is declared.");
  }
  Table table("Each grant that is declared, or that the policy has in its place",
              {{"Principal"}, {"Role"}, {"State"}, {"Why"}, {"Since"}});
  std::size_t number = 0;
  for (const report::ExplainedGrant& row : report.grants) {
    const Grant& grant = row.grant.grant;
    const std::string id = "g" + std::to_string(++number);
    table.AddRow({PrincipalName(grant.principal), RoleFold(grant, id),
                  Badge(report::ToString(row.state)), WhyCell(row), Ago(context, row.since)});
  }
  Html content = table.Finished();
  const std::size_t others = report.observed ? report.observed->other_grants : 0;
  if (others > 0) {
    content.Add(El("p", {{"class", "hint"}},
                   Counted(static_cast<std::int64_t>(others), "other grant", "other grants") +
                       " on the target: ",
                   TargetLink(report.kind, report.target)));
  }
  return content;
}

Html Values(const Json& object, std::string_view label) {
  if (object.empty()) return Nothing("Nothing is known yet.");
  return JsonBlock(object, label);
}

Html Problems(const PageContext& context, const std::vector<report::ProblemLine>& problems) {
  if (problems.empty()) return {};
  Html items;
  for (const report::ProblemLine& problem : problems) {
    items.Add(El("li", {}, Badge(ToString(problem.severity)), " ",
                 ManifestLink(context, problem.file, problem.line), " ", Prose(problem.message)));
  }
  return MakeSection("Problems of the manifest", El("ul", {}, items));
}

Html Notice(const PageContext& context) {
  const std::string done = context.Asked("done");
  std::string text;
  if (done == "reconcile") text = "It was checked.";
  if (done == "rollback")
    text = "The recorded policy was written back; the resources of the target are suspended.";
  if (done == "suspend") text = "It is suspended: bindery leaves it alone until it is resumed.";
  if (done == "resume") text = "It is taken up again.";
  if (done == "held") text = "It is done but for removals, which the guard holds.";
  return text.empty() ? Html() : El("p", {{"class", "notice"}, {"role", "status"}}, text);
}

Html Holds(const std::vector<report::HoldLine>& holds) {
  if (holds.empty()) return {};
  return El("p", {{"class", "notice wanting"}}, "The guard holds removals on this target: ",
            El("a", {{"href", "/guard"}}, "what waits for approval"));
}

}  // namespace

std::string ResourcePage(const PageContext& context, const report::Explanation& report) {
  const report::ReportedStatus& status = report.status;
  const std::string state(ToString(status.state));
  Frame frame;
  frame.title = report.name;
  frame.section = "/resources";
  frame.rows = true;
  frame.summary = status.message.empty() ? state + "." : state + ": " + status.message;
  frame.before = Notice(context);
  Html content = Holds(report.holds);
  content.Add(Actions(context, report));
  content.Add(Facts(context, report));
  content.Add(Problems(context, report.problems));
  content.Add(MakeSection("Desired against observed", GrantTable(context, report)));
  content.Add(MakeSection("Outputs", Values(report.outputs, "Outputs as JSON")));
  content.Add(MakeSection("Inputs", Values(report.inputs, "Inputs as JSON")));
  std::vector<report::EventLine> newest_first = report.events;
  std::reverse(newest_first.begin(), newest_first.end());
  content.Add(
      MakeSection("Events", EventTable(context, newest_first, "Its last events, newest first")));
  if (!report.lookup) {
    content.Add(
        MakeSection("Revisions of the target",
                    Timeline(context, report.name,
                             report.revisions.value_or(std::vector<report::RevisionLine>()))));
  }
  return Document(context, frame, content);
}

}  // namespace bindery::web
