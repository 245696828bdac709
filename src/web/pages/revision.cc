#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

Html RollbackSection(const PageContext& context, const Json& report) {
  const Json& rollback = ObjectOf(report, "rollback");
  const std::string name = TextOf(report, "name");
  const std::string id = TextOf(ObjectOf(report, "revision"), "id");
  if (rollback.empty()) return Nothing("The target was not read: what would change is not known.");
  Html content = Paragraph(
      "What writing this policy back would change of the policy as it was last read. The guard may "
      "hold removals; the resources of the target are suspended, so that they stay as written.");
  content.Add(DiffOf(ListOf(rollback, "added"), ListOf(rollback, "removed")));
  content.Add(context.may_change
                  ? ActionForm("/actions/rollback", "Write revision " + id + " back",
                               {{"name", name}, {"revision", id}})
                  : CommandHint("To write it back:", "bindery rollback " + name + " " + id));
  return content;
}

}  // namespace

std::string RevisionPage(const PageContext& context, const Json& report) {
  const Json& revision = ObjectOf(report, "revision");
  const Json& changes = ObjectOf(revision, "changes");
  const std::string name = TextOf(report, "name");
  const std::string id = TextOf(revision, "id");
  const std::string actor = TextOf(revision, "actor");
  Frame frame;
  frame.title = "Revision " + id + " of " + name;
  frame.section = "/resources";
  frame.summary = "The policy of " + TextOf(report, "target") + ", " + TextOf(revision, "origin") +
                  (actor.empty() ? "" : " by " + actor) + ".";
  frame.live = false;
  Html content = El("p", {}, "On record since ", Moment(revision, "time"), " (",
                    Ago(context, revision, "time"), "). Back to ", ResourceLink(name), ".");
  content.Add(SectionOf("Against the revision before",
                        changes.empty()
                            ? Paragraph("It is the first on record.")
                            : DiffOf(ListOf(changes, "added"), ListOf(changes, "removed"))));
  content.Add(SectionOf("Roll back", RollbackSection(context, report)));
  content.Add(SectionOf("Policy", JsonBlock(ObjectOf(revision, "policy"), "The policy as JSON")));
  return Document(context, frame, content);
}

}  // namespace bindery::web
