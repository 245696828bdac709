#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

Html RollbackSection(const PageContext& context, const report::RevisionDetail& detail) {
  if (!detail.rollback) return Nothing("The target was not read: what would change is not known.");
  const std::string id = std::to_string(detail.revision.id);
  Html content = Paragraph(
      "What writing this policy back would change of the policy as it was last read. The guard may "
      "hold removals; the resources of the target are suspended, so that they stay as written.");
  content.Add(MakeDiff(*detail.rollback));
  content.Add(context.may_approve
                  ? ActionForm("/actions/rollback", "Write revision " + id + " back",
                               {{"name", detail.name}, {"revision", id}})
                  : CommandHint("To write it back:", "bindery rollback " + detail.name + " " + id));
  return content;
}

}  // namespace

std::string RevisionPage(const PageContext& context, const report::RevisionDetail& detail) {
  const report::ComparedRevision& revision = detail.revision;
  Frame frame;
  frame.title = "Revision " + std::to_string(revision.id) + " of " + detail.name;
  frame.section = "/resources";
  frame.summary = "The policy of " + detail.target + ", " + std::string(ToString(revision.origin)) +
                  (revision.actor.empty() ? "" : " by " + revision.actor) + ".";
  frame.live = false;
  Html content = El("p", {}, "On record since ", Moment(revision.time), " (",
                    Ago(context, revision.time), "). Back to ", ResourceLink(detail.name), ".");
  content.Add(MakeSection(
      "Against the revision before",
      revision.changes ? MakeDiff(*revision.changes) : Paragraph("It is the first on record.")));
  content.Add(MakeSection("Roll back", RollbackSection(context, detail)));
  content.Add(MakeSection("Policy", JsonBlock(revision.policy, "The policy as JSON")));
  return Document(context, frame, content);
}

}  // namespace bindery::web
