#include "web/timeline.h"

#include "web/grants.h"
#include "web/parts.h"

namespace bindery::web {
namespace {

Html Step(const PageContext& context, const std::string& resource,
          const report::RevisionLine& revision) {
  const std::string id = std::to_string(revision.id);
  const std::string words = "Revision " + id;
  const bool changed =
      revision.changes && !(revision.changes->added.empty() && revision.changes->removed.empty());
  // What was read changed, and not by a write of bindery.
  const bool foreign = revision.origin == Origin::kObserved && changed;
  Html head = Badge(ToString(foreign ? Origin::kForeign : revision.origin));
  head.Add(" ").Add(Ago(context, revision.time));
  if (!revision.actor.empty()) head.Add(" by ").Add(revision.actor);
  head.Add(": ").Add(resource.empty()
                         ? Html(words)
                         : El("a", {{"href", PathTo({"resources", resource, "revisions", id})}},
                              words, ", and what writing it back would change"));
  return El("li", {}, El("p", {}, head),
            revision.changes ? MakeDiff(*revision.changes) : Paragraph("The first on record."));
}

}  // namespace

Html Timeline(const PageContext& context, const std::string& resource,
              const std::vector<report::RevisionLine>& revisions) {
  if (revisions.empty()) return Nothing("No policy is on record.");
  Html steps;
  for (const report::RevisionLine& revision : revisions)
    steps.Add(Step(context, resource, revision));
  return El("ol", {{"class", "revisions"}}, steps);
}

}  // namespace bindery::web
