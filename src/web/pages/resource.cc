#include <algorithm>

#include "web/grants.h"
#include "web/pages/event_table.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html Fact(std::string_view name, const Html& value) {
  if (value.empty()) return {};
  return El("div", {}, El("dt", {}, name), El("dd", {}, value));
}

Html Facts(const PageContext& context, const Json& report) {
  const Json& status = ObjectOf(report, "status");
  Html facts;
  facts.Add(
      Fact("State", Html(Badge(TextOf(status, "state"))).Add(" ").Add(TextOf(status, "reason"))));
  facts.Add(Fact("Message", TextOf(status, "message")));
  facts.Add(Fact("Kind", TextOf(report, "kind") + " (" + TextOf(report, "apiVersion") + ")"));
  facts.Add(Fact("Target", IsTrue(report, "lookup")
                               ? El("code", {}, TextOf(report, "target"))
                               : TargetLink(TextOf(report, "kind"), TextOf(report, "target"))));
  facts.Add(Fact("Provider", TextOf(report, "provider")));
  facts.Add(Fact("Manifest", PlaceOf(ObjectOf(report, "source"))));
  facts.Add(Fact("Last read", Ago(context, report, "observedAt")));
  facts.Add(Fact("Generation", TextOf(status, "generation") + " declared, " +
                                   TextOf(status, "observedGeneration") + " observed"));
  if (IsTrue(report, "suspended")) facts.Add(Fact("Suspended", "yes: bindery leaves it alone"));
  facts.Add(Fact("Mode", TextOf(report, "mode")));
  facts.Add(Fact("Time", BoundsText(report)));
  Html labels;
  for (const auto& label : ObjectOf(report, "labels").items()) {
    const std::string text = label.key() + "=" + TextOf(ObjectOf(report, "labels"), label.key());
    labels.Add(
        El("a", {{"class", "label"}, {"href", WithQuery("/resources", {{"label", text}})}}, text));
  }
  facts.Add(Fact("Labels", labels.empty() ? labels : El("span", {{"class", "labels"}}, labels)));
  return El("dl", {{"class", "facts"}}, facts);
}

Html Actions(const PageContext& context, const Json& report) {
  const std::string name = TextOf(report, "name");
  if (!context.may_change) return CommandHint("To check it now:", "bindery reconcile " + name);
  const bool suspended = IsTrue(report, "suspended");
  Html actions = ActionForm("/actions/reconcile", "Check now", {{"name", name}});
  actions.Add(ActionForm(suspended ? "/actions/resume" : "/actions/suspend",
                         suspended ? "Resume" : "Suspend", {{"name", name}}));
  return El("div", {{"class", "actions"}}, actions);
}

Html WhyCell(const Json& row) {
  const std::string bounds = BoundsText(row);
  Html cell = TextOf(row, "reason") + (bounds.empty() ? "" : "; " + bounds);
  const std::string made_by = MadeBy(row);
  if (!made_by.empty()) cell.Add(El("span", {{"class", "below"}}, "changed by: ", made_by));
  return cell;
}

Html GrantTable(const PageContext& context, const Json& report) {
  const Json& grants = ListOf(report, "grants");
  if (grants.empty()) {
    return Nothing(IsTrue(report, "lookup") ? "A lookup declares no grants."
                                            : "No grant is declared.");
  }
  Table table("Each grant that is declared, or that the policy has in its place",
              {{"Principal"}, {"Role"}, {"State"}, {"Why"}, {"Since"}});
  for (const Json& row : grants) {
    const Json& grant = ObjectOf(row, "grant");
    table.AddRow({El("code", {}, Breakable(PrincipalOf(grant))), RoleCell(grant),
                  Badge(TextOf(row, "state")), WhyCell(row), Ago(context, row, "since")});
  }
  Html content = table.Finished();
  const std::int64_t others = CountOf(ObjectOf(report, "observed"), "otherGrants");
  if (others > 0) {
    content.Add(El("p", {{"class", "hint"}},
                   Counted(others, "grant", "grants") + " of other roles on the target: ",
                   TargetLink(TextOf(report, "kind"), TextOf(report, "target"))));
  }
  return content;
}

Html Values(const Json& object, std::string_view label) {
  if (object.empty()) return Nothing("Nothing is known yet.");
  return JsonBlock(object, label);
}

Html RevisionItem(const PageContext& context, const std::string& name,
                  const RevisionLine& revision) {
  const std::string id = std::to_string(revision.id);
  Html head = El("a", {{"href", PathTo({"resources", name, "revisions", id})}}, "Revision ", id);
  head.Add(" ").Add(El("span", {{"class", "tag"}}, ToString(revision.origin))).Add(" ");
  head.Add(Ago(context, revision.time));
  if (!revision.actor.empty()) head.Add(" by ").Add(revision.actor);
  return El("li", {}, El("p", {}, head),
            revision.changes ? DiffOf(*revision.changes) : Paragraph("The first on record."));
}

Html Revisions(const PageContext& context, const std::string& name,
               const std::vector<RevisionLine>& revisions) {
  if (revisions.empty()) return Nothing("No policy is on record.");
  Html items;
  for (const RevisionLine& revision : revisions) items.Add(RevisionItem(context, name, revision));
  return El("ol", {{"class", "revisions"}}, items);
}

Html Problems(const std::vector<report::ProblemLine>& problems) {
  if (problems.empty()) return {};
  Html items;
  for (const report::ProblemLine& problem : problems) {
    items.Add(El("li", {}, Badge(ToString(problem.severity)), " ",
                 PlaceOf(problem.file, problem.line), " ", problem.message));
  }
  return SectionOf("Problems of the manifest", El("ul", {}, items));
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

Html Holds(const Json& report) {
  if (ListOf(report, "holds").empty()) return {};
  return El("p", {{"class", "notice wanting"}}, "The guard holds removals on this target: ",
            El("a", {{"href", "/guard"}}, "what waits for approval"));
}

}  // namespace

std::string ResourcePage(const PageContext& context, const Json& report) {
  const Json& status = ObjectOf(report, "status");
  Frame frame;
  frame.title = TextOf(report, "name");
  frame.section = "/resources";
  frame.summary = TextOf(status, "state") + ": " + TextOf(status, "message");
  if (TextOf(status, "message").empty()) frame.summary = TextOf(status, "state") + ".";
  frame.before = Notice(context);
  Html content = Holds(report);
  content.Add(Actions(context, report));
  content.Add(Facts(context, report));
  std::vector<report::ProblemLine> problems;
  report::ReadJson(ListOf(report, "problems"), problems);
  content.Add(Problems(problems));
  content.Add(SectionOf("Desired against observed", GrantTable(context, report)));
  content.Add(SectionOf("Outputs", Values(ObjectOf(report, "outputs"), "Outputs as JSON")));
  content.Add(SectionOf("Inputs", Values(ObjectOf(report, "inputs"), "Inputs as JSON")));
  std::vector<EventLine> newest_first;
  report::ReadJson(ListOf(report, "events"), newest_first);
  std::reverse(newest_first.begin(), newest_first.end());
  content.Add(
      SectionOf("Events", EventTable(context, newest_first, "Its last events, newest first")));
  if (!IsTrue(report, "lookup")) {
    std::vector<RevisionLine> revisions;
    report::ReadJson(ListOf(report, "revisions"), revisions);
    content.Add(SectionOf("Revisions of the target",
                          Revisions(context, TextOf(report, "name"), revisions)));
  }
  return Document(context, frame, content);
}

}  // namespace bindery::web
