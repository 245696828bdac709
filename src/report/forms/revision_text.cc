// One recorded policy, with the effect of restoring the policy: reports of RevisionReport.

#include <string>
#include <vector>

#include "report/forms/texts.h"
#include "report/text/text_style.h"
#include "report/values/drift_items.h"
#include "report/values/revision_values.h"

namespace bindery::report {
namespace {

std::string GrantLines(const std::vector<GrantLine>& grants, const char* sign, Colour colour,
                       const TextStyle& style) {
  std::string text;
  for (const auto& [grant, words] : grants) {
    text += Paint("  " + std::string(sign) + " " + GetPrincipal(grant) + "  " + NameRole(grant),
                  colour, style) +
            "\n";
  }
  return text;
}

std::string Changes(const GrantChanges& changes, const TextStyle& style) {
  return GrantLines(changes.added, "+", Colour::kGreen, style) +
         GrantLines(changes.removed, "-", Colour::kRed, style);
}

/// "Revision 3: written 5m ago by bindery"
std::string Head(const RevisionDetail& detail, const TextStyle& style) {
  const RevisionLine& revision = detail.revision;
  return Paint(Printable(detail.target), Colour::kBold, style) + "\nRevision " +
         std::to_string(revision.id) + ": " + std::string(ToString(revision.origin)) + " " +
         FormatTimeAge(revision.time, style) + " ago (" + TimeText(revision.time) + ")" +
         (revision.actor.empty() ? "" : " by " + Printable(revision.actor)) + "\n";
}

}  // namespace

std::string RevisionText(const RevisionDetail& detail, const TextStyle& style) {
  const ComparedRevision& revision = detail.revision;
  std::string text = Head(detail, style);
  if (!revision.previous || !revision.changes) {
    text += "The first on record: there is nothing to compare it with. bindery history " +
            Printable(detail.name) + " " + std::to_string(revision.id) +
            " -o json shows its policy.\n";
  } else {
    const std::string changes = Changes(*revision.changes, style);
    text += "Against revision " + std::to_string(*revision.previous) + ":\n" +
            (changes.empty() ? "  no grant came or went\n" : changes);
  }
  return text + "\n" + RollbackText(detail, style);
}

std::string RollbackText(const RevisionDetail& detail, const TextStyle& style) {
  std::string text = "Rolling " + Printable(detail.target) + " back to revision " +
                     std::to_string(detail.revision.id);
  if (!detail.rollback) {
    text += ": what that changes is not known, its policy was not read yet\n";
  } else {
    const std::string changes = Changes(*detail.rollback, style);
    text += (changes.empty() ? " changes no grant" : "") + std::string(" (last read ") +
            FormatTimeAge(detail.rollback->observed_at, style) + " ago)" +
            (changes.empty() ? "\n" : ":\n" + changes);
  }
  if (detail.suspends.empty()) return text;
  return text + "It suspends " + JoinShown(detail.suspends) +
         ": the next check would undo it otherwise.\n";
}

}  // namespace bindery::report
