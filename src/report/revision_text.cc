// One recorded policy, and what bringing it back would do: reports of RevisionReport.

#include <string>

#include "report/json_fields.h"
#include "report/text.h"
#include "report/text_style.h"

namespace bindery {
namespace {

using report::ArrayMember;
using report::Colour;
using report::ObjectMember;
using report::Shown;

std::string Grants(const Json& changes, const char* member, const char* sign, Colour colour,
                   const TextStyle& style) {
  std::string text;
  for (const Json& grant : ArrayMember(changes, member)) {
    text += report::Paint("  " + std::string(sign) + " " + report::PrincipalOf(grant) + "  " +
                              report::RoleOf(grant),
                          colour, style) +
            "\n";
  }
  return text;
}

std::string Changes(const Json& changes, const TextStyle& style) {
  return Grants(changes, "added", "+", Colour::kGreen, style) +
         Grants(changes, "removed", "-", Colour::kRed, style);
}

/// "Revision 3: written 5m ago by bindery"
std::string Head(const Json& report, const TextStyle& style) {
  const Json& revision = ObjectMember(report, "revision");
  const std::string actor = Shown(revision, "actor");
  return report::Paint(Shown(report, "target"), Colour::kBold, style) + "\nRevision " +
         std::to_string(report::IntMember(revision, "id")) + ": " + Shown(revision, "origin") +
         " " + report::AgeOf(revision, "time", style) + " ago (" + Shown(revision, "time") + ")" +
         (actor.empty() ? "" : " by " + actor) + "\n";
}

}  // namespace

std::string RevisionText(const Json& report, const TextStyle& style) {
  const Json& revision = ObjectMember(report, "revision");
  const std::int64_t previous = report::IntMember(revision, "previous");
  std::string text = Head(report, style);
  if (previous == 0) {
    text += "The first on record: there is nothing to compare it with. bindery history " +
            Shown(report, "name") + " " + std::to_string(report::IntMember(revision, "id")) +
            " -o json shows its policy.\n";
  } else {
    const std::string changes = Changes(ObjectMember(revision, "changes"), style);
    text += "Against revision " + std::to_string(previous) + ":\n" +
            (changes.empty() ? "  no grant came or went\n" : changes);
  }
  return text + "\n" + RollbackText(report, style);
}

std::string RollbackText(const Json& report, const TextStyle& style) {
  const Json& rollback = ObjectMember(report, "rollback");
  const Json& revision = ObjectMember(report, "revision");
  std::string text = "Rolling " + Shown(report, "target") + " back to revision " +
                     std::to_string(report::IntMember(revision, "id"));
  if (rollback.empty()) {
    text += ": what that changes is not known, its policy was not read yet\n";
  } else {
    const std::string changes = Changes(rollback, style);
    text += (changes.empty() ? " changes no grant" : "") + std::string(" (last read ") +
            report::AgeOf(rollback, "observedAt", style) + " ago)" +
            (changes.empty() ? "\n" : ":\n" + changes);
  }
  const Json& suspends = ArrayMember(report, "suspends");
  if (suspends.empty()) return text;
  return text + "It suspends " + report::JoinShown(suspends) +
         ": the next check would undo it otherwise.\n";
}

}  // namespace bindery
