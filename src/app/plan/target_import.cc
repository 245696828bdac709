#include "app/plan/target_import.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/access/claim_part.h"
#include "core/text/count.h"
#include "report/access/grant_classes.h"

namespace bindery::app {
namespace {

class Importing {
 public:
  Importing(const TargetToImport& asked, const TargetImportRules& rules)
      : asked_(asked), rules_(rules), kind_(*asked.kinds.binding) {
    free_.document = asked.seen.document;
    free_.etag = asked.seen.etag;
  }

  TargetImport Run() {
    Sort();
    do {
      made_.parts.clear();
      refusals_.clear();
      if (!free_.grants.empty()) MakeParts();
    } while (TakeBackAccepted());
    TellBeside();
    std::ranges::move(refusals_, std::back_inserter(made_.left_out));
    made_.counts.accepted = static_cast<std::int64_t>(accepted_.size());
    CountParts();
    return std::move(made_);
  }

 private:
  [[nodiscard]] report::TargetGrants MakeQuestion() const {
    report::TargetGrants target;
    target.target = asked_.target;
    target.kind = &kind_;
    target.project_number = asked_.project_number;
    target.just_in_time = asked_.just_in_time;
    for (const Grant& grant : asked_.seen.grants) {
      if (!IsSetting(grant.role)) target.grants.push_back(grant);
    }
    for (const DeclaredManifest* claim : asked_.claims) {
      target.parts.push_back(claim->placement.role);
      const auto& grants = declared_.at(claim);
      if (grants) target.declared.insert(target.declared.end(), grants->begin(), grants->end());
    }
    return target;
  }

  /// Counts what others answer for; the rest goes to `free_`.
  void Sort() {
    for (const DeclaredManifest* claim : asked_.claims) declared_.emplace(claim, GrantsIn(*claim));
    const report::ClassRules rules{rules_.keeping, rules_.accepted, rules_.now};
    for (report::ClassedGrant& classed : report::ClassGrants(MakeQuestion(), rules))
      Take(std::move(classed));
  }

  /// Beside the new manifests an accepted grant may be a difference that the acceptance does not
  /// name: a changed condition. Such grants are declared too. True: the parts are to be made anew.
  bool TakeBackAccepted() {
    if (accepted_.empty() || made_.parts.empty()) return false;
    report::TargetGrants target = MakeQuestion();
    target.declared.insert(target.declared.end(), free_.grants.begin(), free_.grants.end());
    for (const ImportedPart& part : made_.parts) target.parts.push_back(part.part);
    const report::ClassRules rules{rules_.keeping, rules_.accepted, rules_.now};
    bool any = false;
    for (const report::ClassedGrant& classed : report::ClassGrants(target, rules)) {
      const auto known = std::ranges::find(accepted_, classed.grant);
      const bool open = classed.grant_class == report::GrantClass::kUndeclared ||
                        classed.grant_class == report::GrantClass::kUnmanaged;
      if (!open || known == accepted_.end()) continue;
      accepted_.erase(known);
      Declare(classed.grant);
      any = true;
    }
    return any;
  }

  void TellBeside() {
    if (imitations_ > 0) {
      made_.left_out.push_back(Count(imitations_, "grant") +
                               " in the form of just-in-time access that the service did not give: "
                               "remove it, or declare it by hand");
    }
    for (const auto& [claim, count] : beside_) {
      made_.left_out.push_back(
          Count(count, "grant") + " of " + std::string(RoleOfPart(claim->placement.role)) +
          ": the manifest \"" + claim->name + "\" (" + claim->source + ") " +
          (declared_.at(claim)
               ? "declares the role without them; bindery adopt puts a difference into the manifest"
               : "uses references, so that what it declares is not known"));
    }
  }

  void Take(report::ClassedGrant classed) {
    switch (classed.grant_class) {
      case report::GrantClass::kTombstone:
        ++made_.counts.tombstones;
        return;
      case report::GrantClass::kServiceAgent:
        ++made_.counts.service_agents;
        return;
      case report::GrantClass::kJustInTime:
        ++made_.counts.just_in_time;
        if (classed.unproven) ++made_.counts.unproven;
        return;
      case report::GrantClass::kDeclared:
      case report::GrantClass::kAccepted:
      case report::GrantClass::kUndeclared:
      case report::GrantClass::kUnmanaged:
        break;
    }
    const DeclaredManifest* claim = ClaimOn(classed.grant);
    if (claim != nullptr && Declares(*claim, classed.grant)) {
      ++made_.counts.declared;
    } else if (classed.grant_class == report::GrantClass::kAccepted) {
      accepted_.push_back(std::move(classed.grant));
    } else if (classed.imitation) {
      ++made_.counts.left_out;
      ++imitations_;
    } else {
      Declare(classed.grant);
    }
  }

  void Declare(const Grant& grant) {
    if (const DeclaredManifest* claim = ClaimOn(grant); claim != nullptr) {
      ++made_.counts.left_out;
      ++beside_[claim];
      return;
    }
    free_.grants.push_back(grant);
    free_.exists = true;
  }

  [[nodiscard]] const DeclaredManifest* ClaimOn(const Grant& grant) const {
    const auto found = std::ranges::find_if(asked_.claims, [&](const DeclaredManifest* claim) {
      return reconcilers::CoversOn(&kind_, claim->placement.role, grant);
    });
    return found == asked_.claims.end() ? nullptr : *found;
  }

  [[nodiscard]] bool Declares(const DeclaredManifest& claim, const Grant& grant) const {
    const auto& grants = declared_.at(&claim);
    return grants && HoldsGrant(kind_, *grants, grant);
  }

  void MakeParts() {
    switch (rules_.shape) {
      case ImportShape::kBinding:
        for (const std::string& role : kind_.Roles(free_)) MakeRole(role);
        return;
      case ImportShape::kMember:
        MakeMembers("");
        return;
      case ImportShape::kPolicy:
        MakePolicy();
    }
  }

  void MakeRole(const std::string& role) {
    const std::vector<ImportPiece> pieces = MakePieces(kind_, role, free_, rules_.key);
    const bool taken = std::ranges::any_of(pieces, [&](const ImportPiece& piece) {
      return std::ranges::any_of(asked_.claims, [&](const DeclaredManifest* claim) {
        return Overlap(claim->placement.role, piece.part);
      });
    });
    if (taken) return MakeMembers(role);
    for (const ImportPiece& piece : pieces) Make(*piece.kind, piece.part);
  }

  /// One manifest for each grant of the role, or of all roles: beside manifests of single members.
  void MakeMembers(const std::string& role) {
    const reconcilers::Kind* kind = asked_.kinds.member;
    if (kind == nullptr) return;
    for (const std::string& part : kind->Roles(free_)) {
      if (role.empty() || RoleOfPart(part) == role) Make(*kind, part);
    }
  }

  void MakePolicy() {
    const reconcilers::Kind* kind = asked_.kinds.policy;
    if (kind == nullptr) return;
    if (!asked_.claims.empty()) {
      refusals_.push_back(
          "manifests declare parts of the policy: import the rest with --as "
          "binding or --as member");
      return;
    }
    for (const Grant& grant : asked_.seen.grants) {
      if (IsSetting(grant.role) && std::ranges::find(free_.grants, grant) == free_.grants.end()) {
        free_.grants.push_back(grant);
      }
    }
    for (const std::string& part : kind->Roles(free_)) Make(*kind, part);
  }

  void Make(const reconcilers::Kind& kind, const std::string& part) {
    Expected<Json> inputs = kind.Inputs(asked_.target.name, part, free_);
    if (inputs) {
      made_.parts.push_back({&kind, part, *std::move(inputs)});
    } else {
      refusals_.push_back(inputs.error().message);
    }
  }

  /// Grants that no part declares are left out, whatever the reason.
  void CountParts() {
    std::int64_t forgotten = 0;
    for (const Grant& grant : free_.grants) {
      if (IsSetting(grant.role)) continue;
      const auto part = std::ranges::find_if(made_.parts, [&](const ImportedPart& made) {
        return reconcilers::CoversOn(made.kind, made.part, grant);
      });
      if (part != made_.parts.end()) ++part->grants;
      ++(part != made_.parts.end() ? made_.counts.imported : forgotten);
    }
    made_.counts.left_out += forgotten;
    if (forgotten > 0 && made_.left_out.empty()) {
      made_.left_out.push_back(Count(forgotten, "grant") + ": no manifest can declare " +
                               (forgotten == 1 ? "it" : "these"));
    }
  }

  const TargetToImport& asked_;
  const TargetImportRules& rules_;
  const reconcilers::Kind& kind_;
  /// What the claims declare; nothing where references decide.
  std::map<const DeclaredManifest*, std::optional<std::vector<Grant>>> declared_;
  reconcilers::Observation free_;  ///< With the grants that nobody answers for.
  std::vector<Grant> accepted_;
  std::int64_t imitations_ = 0;        ///< Grants that look like just-in-time access.
  std::vector<std::string> refusals_;  ///< What no manifest can declare: a line each.
  std::map<const DeclaredManifest*, std::int64_t> beside_;  ///< Grants in declared roles.
  TargetImport made_;
};

}  // namespace

std::optional<ImportShape> ParseImportShape(std::string_view text) {
  if (text == "binding") return ImportShape::kBinding;
  if (text == "member") return ImportShape::kMember;
  if (text == "policy") return ImportShape::kPolicy;
  return std::nullopt;
}

void ImportCounts::Add(const ImportCounts& other) {
  imported += other.imported;
  declared += other.declared;
  accepted += other.accepted;
  just_in_time += other.just_in_time;
  service_agents += other.service_agents;
  tombstones += other.tombstones;
  left_out += other.left_out;
  unproven += other.unproven;
}

std::vector<ImportedPart> SplitPart(const ImportKinds& kinds, const Target& target,
                                    const ImportedPart& part) {
  if (part.kind != kinds.binding || kinds.member == nullptr) return {};
  reconcilers::Observation held;
  held.exists = true;
  held.grants = part.kind->GrantsIn(part.inputs);
  std::vector<ImportedPart> singles;
  for (const std::string& one : kinds.member->Roles(held)) {
    Expected<Json> inputs = kinds.member->Inputs(target.name, one, held);
    if (inputs) singles.push_back({kinds.member, one, *std::move(inputs), 1});
  }
  // Else some grants would be counted twice, or never.
  const bool whole = std::cmp_equal(singles.size(), part.grants);
  return whole ? std::move(singles) : std::vector<ImportedPart>();
}

TargetImport ImportTarget(const TargetToImport& asked, const TargetImportRules& rules) {
  return Importing(asked, rules).Run();
}

}  // namespace bindery::app
