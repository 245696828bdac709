#include "admission/conflict_text.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace bindery::admission {

namespace {

/// The most manifests that one message names. The messages about a thousand manifests that declare
/// the same are a thousand: each with all names would be a million.
constexpr std::size_t kMostNamed = 8;

/// Names with "and" between the names; of many the first ones, and how many more there are.
class NameList {
 public:
  /// `name` makes the text, and is not called for names that are only counted.
  template <typename Name>
  void Add(const Name& name) {
    ++count_;
    if (count_ > kMostNamed) return;
    if (!text_.empty()) text_ += " and ";
    text_ += name();
  }
  [[nodiscard]] std::string Text() const {
    if (count_ <= kMostNamed) return text_;
    return text_ + " and " + std::to_string(count_ - kMostNamed) + " more";
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

/// The remaining claims of a conflict; for claims of a different part, with the part. `first`: the
/// name that is listed before the others.
std::string NameOthers(const Holders& holders, const Holder& holder, const std::string& first) {
  NameList list;
  const auto add = [&](const Holder& other) {
    if (other.name == holder.name) return;
    list.Add([&] {
      const bool same = other.placement.role == holder.placement.role;
      return NameAndSource(other.name, other.source) +
             (same ? "" : " as " + PartInWords(other.placement.role));
    });
  };
  for (const Holder* other : holders) {
    if (other->name == first) add(*other);
  }
  for (const Holder* other : holders) {
    if (other->name != first) add(*other);
  }
  return list.Text();
}

bool AreOfOnePart(const Holders& holders) {
  return std::all_of(holders.begin(), holders.end(), [&](const Holder* holder) {
    return holder->placement.role == holders.front()->placement.role;
  });
}

bool IsRoleOrMember(std::string_view part) { return !IsWholePolicy(part) && !IsSetting(part); }

bool IsWholeRole(std::string_view part) {
  const ClaimPart claim = ClaimPart::Of(part);
  return claim.member.empty() && !claim.IsWhole();
}

bool IsMemberOrUnderAnyCondition(std::string_view part) {
  const ClaimPart claim = ClaimPart::Of(part);
  return !claim.member.empty() || claim.condition == "*";
}

/// The remedy for the authors of the manifests.
std::string WayOut(const Holders& holders) {
  std::set<std::string_view> parts;
  for (const Holder* holder : holders) parts.insert(holder->placement.role);
  const bool whole_role = std::all_of(parts.begin(), parts.end(), IsRoleOrMember) &&
                          std::any_of(parts.begin(), parts.end(), IsWholeRole);
  std::string text = "declare it in one manifest";
  if (whole_role && parts.size() > 1)
    text += ", or each member of the role in a manifest of its own";
  if (whole_role && std::all_of(parts.begin(), parts.end(), IsMemberOrUnderAnyCondition)) {
    text += "; where the conditions differ, reconcile.bindingKey: roleAndCondition admits both";
  }
  return text;
}

}  // namespace

std::string NameAndSource(const std::string& name, const manifests::SourceRef& source) {
  return "\"" + name + "\" (" + source.Text() + ")";
}

std::string ListNames(const std::vector<Holder>& holders, const std::string& except) {
  NameList list;
  for (const Holder& holder : holders) {
    if (holder.name == except) continue;
    list.Add([&] { return NameAndSource(holder.name, holder.source); });
  }
  return list.Text();
}

std::string ListPlaces(const std::vector<std::shared_ptr<const manifests::Manifest>>& manifests,
                       const std::shared_ptr<const manifests::Manifest>& except) {
  NameList list;
  for (const auto& manifest : manifests) {
    if (manifest == except) continue;
    list.Add([&] { return manifest->source.Text(); });
  }
  return list.Text();
}

Holders FindInTheWay(const Holder& holder, const std::vector<Holder>& all) {
  Holders conflict;
  for (const Holder& other : all) {
    if (other.placement.Overlaps(holder.placement)) conflict.push_back(&other);
  }
  return conflict;
}

std::string ClaimText(const Placement& placement) {
  return PartInWords(placement.role) + (IsWholePolicy(placement.role) ? " of \"" : " on \"") +
         placement.target.name + "\"";
}

std::string ConflictText(const Holders& holders, const Holder& holder,
                         const std::string& incumbent) {
  std::string text = ClaimText(holder.placement) + " is also declared by " +
                     NameOthers(holders, holder, incumbent) +
                     (AreOfOnePart(holders) ? ": one binding per role" : ": each grant once");
  if (!incumbent.empty()) {
    text += std::string("; ") + (incumbent == holder.name ? "this one" : "\"" + incumbent + "\"") +
            " stays in force as it was before";
  }
  return text + "; " + WayOut(holders);
}

std::string ProviderConflictText(const std::vector<Holder>& holders, const Holder& holder) {
  return "\"" + holder.placement.target.name + "\" is declared through another provider by " +
         ListNames(holders, holder.name) +
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

}  // namespace bindery::admission
