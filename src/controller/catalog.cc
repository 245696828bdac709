#include "controller/catalog.h"

#include <utility>

#include "controller/claim_status.h"
#include "controller/forget_resource.h"
#include "controller/project_mentions.h"
#include "controller/scan_transaction.h"

namespace bindery {
namespace {

bool SameProtected(const CatalogSettings& a, const CatalogSettings& b) {
  const ProtectedPrincipals none;
  const auto& left = a.protected_principals ? *a.protected_principals : none;
  const auto& right = b.protected_principals ? *b.protected_principals : none;
  return left == right;
}

}  // namespace

void Catalog::CopyFrom(const Catalog& other) {
  settings_ = other.settings_;
  rules_in_use_ = other.rules_in_use_;
  state_ = other.state_;
  project_names_.CopyFrom(other.project_names_);
  claims_.CopyFrom(other.claims_);
  evidence_ = other.evidence_;
  ages_.CopyFrom(other.ages_);
  links_.CopyFrom(other.links_);
}

void Catalog::SetSettings(CatalogSettings settings) {
  const bool same = settings.projects == settings_.projects &&
                    settings.provider_types == settings_.provider_types &&
                    settings.key_by_condition == settings_.key_by_condition;
  if (!same) state_.placed_otherwise = true;
  if (!(settings == settings_)) ++rules_in_use_;
  // What nobody declares, or was only looked at, is taken away by another word of ours.
  const bool wider =
      settings_.keep_undeclared != settings.keep_undeclared || settings_.mode != settings.mode ||
      settings_.target_rules != settings.target_rules || !SameProtected(settings_, settings);
  settings_ = std::move(settings);
  for (auto& [name, entry] : claims_.resources()) entry.settled = entry.settled && !wider;
  // What is declared may be treated differently now.
  for (auto& [key, target] : claims_.targets()) target.last_synced_digest = {};
}

std::vector<const Kind*> Catalog::AllKinds() const { return kinds_.InUse(); }

CatalogLoader Catalog::BeginLoad(bool by_same_rules, const EvidenceRecord& evidence) {
  evidence_.Load(evidence);
  return {{claims_, links_, ages_, state_, project_names_, unknown_tokens_, kinds_, placer()},
          by_same_rules,
          evidence.settled};
}

void Catalog::EndLoad(const std::vector<DriftRecord>& open_drift,
                      const std::vector<IntentRecord>& intents) {
  FinishLoad(claims_, open_drift, intents);
}

ScanOutcome Catalog::ApplyScan(const ScanInput& scan, const Now& now, bool all_wait) {
  const Placer placer = this->placer();
  ScanTransaction transaction({claims_, links_, ages_, evidence_, state_, placer}, scan, now);
  links_.NoteTemplates(scan);
  // While nothing waits, what did not change needs no second look.
  const bool news_only = state_.sound && !scan.again && !state_.placed_otherwise;
  NoteProjects(scan, news_only, placer, settings_, project_names_);
  transaction.TakeFormerNames();
  AdmissionResult result = Admitter({claims_, links_, evidence_, state_, placer}).Admit(scan);
  transaction.BringIntoForce(result);
  ScanOutcome outcome = transaction.Finish(all_wait);
  files_.Remember(scan, outcome.change);
  for (const Rejected& rejected : result.rejected) {
    outcome.change.forget_files.push_back(rejected.source.file);
  }
  outcome.conflicts = std::move(result.problems);
  files_.RecordScan(scan, now, outcome);
  return outcome;
}

std::optional<Error> Catalog::WouldEmpty(const ScanInput& scan) const {
  if (scan.manifests > 0) return std::nullopt;
  const Admitter admitter({claims_, links_, evidence_, state_, placer()});
  if (admitter.OfAll(scan).missing.empty()) return std::nullopt;
  return Error{Code::kFailedPrecondition,
               "the manifests directory holds files, but no manifest any more" +
                   std::string(kNothingDeleted)};
}

bool Catalog::AwaitsOthers() const {
  return links_.has_templates() || state_.awaits_forget || project_names_.waits();
}

void Catalog::Identify(const std::string& number, const std::string& id, StoreChange& change) {
  project_names_.Learn(number, id);
  // Agents of other projects can be told now.
  for (const TargetKey& key : TargetsOfProject(claims_, id)) {
    claims_.FindTarget(key)->last_synced_digest = {};
  }
  for (const std::string& name : DeclaredUnder(claims_, number)) Forget(name, change);
}

void Catalog::NoteUnreadable(ResourceEntry& entry, const std::string& why) {
  MarkUnreadable(entry, why);
  state_.sound = false;
}

void Catalog::Forget(const std::string& name, StoreChange& change) {
  const ResourceEntry* entry = claims_.FindResource(name);
  while (entry != nullptr) {
    const TargetKey key = entry->target;
    ForgetResource(std::string(entry->name), claims_, links_, state_, change);
    // What is only left to stay in the cloud goes with it.
    entry = claims_.OnlyRetained(key);
  }
}

}  // namespace bindery
