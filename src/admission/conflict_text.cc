#include "admission/conflict_text.h"

#include <algorithm>

namespace bindery {

namespace {

/// The remaining claims of a conflict; for claims of a different part, with the part.
std::string OthersOf(const std::vector<Holder>& holders, const Holder& holder) {
  std::string text;
  for (const Holder& other : holders) {
    if (other.name == holder.name) continue;
    if (!text.empty()) text += " and ";
    text += NameAndSource(other.name, other.source);
    if (other.placement.role != holder.placement.role) {
      text += " as " + PartInWords(other.placement.role);
    }
  }
  return text;
}

bool AreOfOnePart(const std::vector<Holder>& holders) {
  return std::all_of(holders.begin(), holders.end(), [&](const Holder& holder) {
    return holder.placement.role == holders.front().placement.role;
  });
}

bool ClaimsWholeRole(const Holder& holder) {
  const ClaimPart part = ClaimPart::Of(holder.placement.role);
  return part.member.empty() && !part.IsWhole();
}

/// The remedy for the authors of the manifests.
std::string WayOut(const std::vector<Holder>& holders) {
  const bool roles = std::all_of(holders.begin(), holders.end(), [](const Holder& holder) {
    return !IsWholePolicy(holder.placement.role) && !IsSetting(holder.placement.role);
  });
  std::string text = "declare it in one manifest";
  const bool any_role = std::any_of(holders.begin(), holders.end(), ClaimsWholeRole);
  const bool key_by_role =
      roles && any_role && std::all_of(holders.begin(), holders.end(), [](const Holder& holder) {
        const ClaimPart part = ClaimPart::Of(holder.placement.role);
        return !part.member.empty() || part.condition == "*";
      });
  if (roles && any_role && !AreOfOnePart(holders)) {
    text += ", or each member of the role in a manifest of its own";
  }
  if (key_by_role) {
    text += "; where the conditions differ, reconcile.bindingKey: roleAndCondition admits both";
  }
  return text;
}

}  // namespace

std::string NameAndSource(const std::string& name, const SourceRef& source) {
  return "\"" + name + "\" (" + source.Text() + ")";
}

std::string NamesOf(const std::vector<Holder>& holders, const std::string& except) {
  std::string text;
  for (const Holder& holder : holders) {
    if (holder.name == except) continue;
    if (!text.empty()) text += " and ";
    text += NameAndSource(holder.name, holder.source);
  }
  return text;
}

std::string PlacesOf(const std::vector<std::shared_ptr<const Manifest>>& manifests,
                     const std::shared_ptr<const Manifest>& except) {
  std::string text;
  for (const auto& manifest : manifests) {
    if (manifest == except) continue;
    if (!text.empty()) text += " and ";
    text += manifest->source.Text();
  }
  return text;
}

std::vector<Holder> InTheWayOf(const Holder& holder, const std::vector<Holder>& all) {
  std::vector<Holder> conflict;
  for (const Holder& other : all) {
    if (other.placement.Overlaps(holder.placement)) conflict.push_back(other);
  }
  return conflict;
}

std::string ClaimText(const Placement& placement) {
  return PartInWords(placement.role) + (IsWholePolicy(placement.role) ? " of \"" : " on \"") +
         placement.target.name + "\"";
}

std::string ConflictText(const std::vector<Holder>& holders, const Holder& holder,
                         const std::string& incumbent) {
  std::string text = ClaimText(holder.placement) + " is also declared by " +
                     OthersOf(holders, holder) +
                     (AreOfOnePart(holders) ? ": one binding per role" : ": each grant once");
  if (!incumbent.empty()) {
    text += std::string("; ") + (incumbent == holder.name ? "this one" : "\"" + incumbent + "\"") +
            " stays in force as it was before";
  }
  return text + "; " + WayOut(holders);
}

std::string ProviderConflictText(const std::vector<Holder>& holders, const Holder& holder) {
  return "\"" + holder.placement.target.name + "\" is declared through another provider by " +
         NamesOf(holders, holder.name) +
         ": one provider per target; set the same options.provider in all of them";
}

std::string ProtectedText(const InForce& holder) {
  const std::string name = "\"" + holder.name + "\"";
  return ClaimText(holder.placement) + " is held by " + name +
         ", which is protected (options.protect) and whose manifest (" + holder.source.Text() +
         ") is gone: nobody takes it over. If this is the same one by another name, say "
         "options.aliases: [" +
         holder.name + "]; else put that manifest back without options.protect, alone and in a " +
         "change of its own, or give it up with: bindery forget " + holder.name;
}

std::string MissedText(const InForce& holder) {
  return ClaimText(holder.placement) + " is held by \"" + holder.name + "\" (" +
         holder.source.Text() +
         "), whose manifest is missing since this scan: it is free when the next one confirms "
         "that; "
         "wait, or put that manifest back";
}

std::string EmptiedText(std::size_t manifests) {
  const bool one = manifests == 1;
  return "the file is empty; it declared " + std::to_string(manifests) +
         (one ? " manifest, which stays" : " manifests, which stay") +
         " in force: delete the file to remove " + (one ? "it" : "them");
}

}  // namespace bindery
