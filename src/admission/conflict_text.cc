#include "admission/conflict_text.h"

namespace bindery {

std::string NamesOf(const std::vector<Holder>& holders, const std::string& except) {
  std::string text;
  for (const Holder& holder : holders) {
    if (holder.name == except) continue;
    if (!text.empty()) text += " and ";
    text += "\"" + holder.name + "\" (" + holder.source.Text() + ")";
  }
  return text;
}

std::string ClaimText(const Placement& placement) {
  if (placement.role == "*") return "the policy of \"" + placement.target.name + "\"";
  return "role \"" + placement.role + "\" on \"" + placement.target.name + "\"";
}

std::string ConflictText(const std::vector<Holder>& holders, const Holder& holder,
                         const std::string& incumbent) {
  std::string text = ClaimText(holder.placement) + " is also declared by " +
                     NamesOf(holders, holder.name) + ": one binding per role";
  if (incumbent.empty()) return text;
  return text + "; " + (incumbent == holder.name ? "this one" : "\"" + incumbent + "\"") +
         " stays in force as it was before";
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
         "), whose manifest is missing since this scan: it is free when the next one confirms that";
}

std::string EmptiedText(std::size_t manifests) {
  const bool one = manifests == 1;
  return "the file is empty; it declared " + std::to_string(manifests) +
         (one ? " manifest, which stays" : " manifests, which stay") +
         " in force: delete the file to remove " + (one ? "it" : "them");
}

}  // namespace bindery
