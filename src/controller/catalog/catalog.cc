#include "controller/catalog/catalog.h"

#include <utility>

#include "controller/claims/forget_resource.h"
#include "controller/evidence/removal_rules.h"
#include "providers/bindery/own_kinds.h"

namespace bindery::controller {
namespace {

bool SameProtected(const CatalogSettings& a, const CatalogSettings& b) {
  const ProtectedPrincipals none;
  const auto& left = a.protected_principals ? *a.protected_principals : none;
  const auto& right = b.protected_principals ? *b.protected_principals : none;
  return left == right;
}

const AcceptedDriftRules& AcceptedIn(const CatalogSettings& settings) {
  static const AcceptedDriftRules kNone;
  return settings.accepted ? *settings.accepted : kNone;
}

}  // namespace

void Catalog::CopyFrom(const Catalog& other, const ClaimsPart* part) {
  settings_ = other.settings_;
  rules_in_use_ = other.rules_in_use_;
  state_ = other.state_;
  project_names_.CopyFrom(other.project_names_);
  evidence_ = other.evidence_;
  ages_.CopyFrom(other.ages_);
  if (part != nullptr) {
    claims_.CopyFrom(other.claims_, *part);
    links_.CopyFrom(other.links_, part->resources);
    return;
  }
  claims_.CopyFrom(other.claims_);
  links_.CopyFrom(other.links_);
  directory_.CopyFrom(other.directory_);
}

void Catalog::SetSettings(CatalogSettings settings) {
  settings.provider_types.insert_or_assign(providers::kOwnProvider, providers::kOwnProvider);
  const bool same = settings.projects == settings_.projects &&
                    settings.provider_types == settings_.provider_types &&
                    settings.key_by_condition == settings_.key_by_condition;
  if (!same) state_.placed_otherwise = true;
  if (!(settings == settings_)) ++rules_in_use_;
  // What nobody declares, or was only looked at, is taken away by another word of ours.
  const bool wider =
      settings_.keep_undeclared != settings.keep_undeclared || settings_.mode != settings.mode ||
      settings_.target_rules != settings.target_rules || !SameProtected(settings_, settings) ||
      IsAnyGone(AcceptedIn(settings_), AcceptedIn(settings));
  settings_ = std::move(settings);
  evidence_.SetRules(RemovalRulesDigest(settings_));
  if (wider) DoubtRemovals(claims_, evidence_, ages_);
  // The declared state may be treated differently now.
  for (auto& [key, target] : claims_.targets()) target.last_synced_digest = {};
}

CatalogLoader Catalog::BeginLoad(bool by_same_rules, const store::EvidenceRecord& evidence) {
  evidence_.Load(evidence);
  return {{claims_, links_, ages_, state_, project_names_, unknown_tokens_, kinds_, placer()},
          by_same_rules,
          evidence.settled};
}

void Catalog::Forget(const std::string& name, store::StoreChange& change) {
  // A resource that was blocked by the forgotten resource may have the claim now.
  if (directory_.awaits_forget()) directory_.last_scan().NoteChange();
  const ResourceEntry* entry = claims_.FindResource(name);
  while (entry != nullptr) {
    const TargetKey key = entry->place.target;
    ForgetResource(std::string(entry->name), claims_, links_, state_, change);
    // Retained resources go with the last claim.
    entry = OnlyRetained(claims_, key);
  }
}

}  // namespace bindery::controller
