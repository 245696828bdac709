#include "controller/live_fit.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bindery {
namespace {

/// "bindings[0].principals" as the pointer "/bindings/0/principals".
Json::json_pointer PointerOf(const std::string& path) {
  std::string pointer = "/";
  for (const char c : path) {
    if (c == ']') continue;
    pointer += c == '.' || c == '[' ? '/' : c;
  }
  return Json::json_pointer(pointer);
}

/// Gives the field at `path` its live value; where there is none, it goes. A field whose parent is
/// not declared stays undeclared.
void TakeLive(const std::string& path, const Json& live, Json& spec) {
  const Json::json_pointer pointer = PointerOf(path);
  const Json::json_pointer parent = pointer.parent_pointer();
  if (!spec.contains(parent)) return;
  Json& holder = spec[parent];
  if (holder.is_object()) {
    if (live.contains(pointer)) {
      holder[pointer.back()] = live[pointer];
    } else {
      holder.erase(pointer.back());
    }
  } else if (spec.contains(pointer) && live.contains(pointer)) {
    spec[pointer] = live[pointer];
  }
}

/// What the claim declares with the fields it ignores as they are there. Nothing where there is
/// nothing to keep: then all of it is declared.
Expected<std::optional<Declaration>> WithIgnored(const CheckJob& job, const DeclaredClaim& claim,
                                                 const Observation& seen) {
  Expected<Json> live = job.kind->Inputs(job.target.name, claim.role, seen);
  if (!live && live.error().code == Code::kNotFound) return std::optional<Declaration>();
  if (!live) return Fail(live.error());
  Expected<Json> spec = ParseJson(claim.manifest->spec);
  if (!spec) return Fail(spec.error());
  for (const std::string& path : claim.manifest->options.uncommon().ignore_changes) {
    TakeLive(path, *live, *spec);
  }
  Expected<Declaration> declared = job.kind->Declare(*spec, job.project);
  if (!declared) return Fail(declared.error());
  return std::optional<Declaration>(std::move(*declared));
}

/// "grant roles/viewer to user:a@example.com is missing" of each difference, a few of them.
std::string InWords(const std::vector<DriftItem>& drift) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < drift.size() && i < kShown; ++i) {
    const DriftItem& item = drift[i];
    text += (i == 0 ? "" : "; ") + RoleText(item.grant) + " of " + item.grant.principal +
            " is declared as \"" + item.desired + "\" and there as \"" + item.observed + "\"";
  }
  if (drift.size() > kShown) text += "; and " + std::to_string(drift.size() - kShown) + " more";
  return text;
}

/// Of what is to be taken over, and of what the first write would take away beside it: a write
/// replaces the whole policy.
std::vector<DriftItem> DifferencesOf(const CheckJob& job, const Claim& claim,
                                     const Observation& seen, const Desired& desired) {
  Desired alone;
  alone.keep_undeclared = desired.keep_undeclared;
  alone.claims = desired.claims;
  for (Claim& other : alone.claims) {
    other.treatment = other.resource == claim.resource ? Treatment::kObserve : Treatment::kFreeze;
  }
  return job.kind->Plan(alone, seen).drift;
}

ResourceStatus Mismatch(const std::vector<DriftItem>& drift) {
  return {ResourceState::kStalled, std::string(reason::kImportMismatch),
          "what is to be imported is not as declared, so nothing is written (" + InWords(drift) +
              "): let the manifests say what is there, or take options.import out"};
}

bool IsKept(Treatment treatment) {
  return treatment == Treatment::kEnforce || treatment == Treatment::kObserve;
}

}  // namespace

void FitToLive(const CheckJob& job, const Observation& seen, Desired& desired) {
  if (desired.restore) return;
  const auto refuse = [&desired](Claim& claim, ResourceStatus status) {
    claim.treatment = Treatment::kFreeze;
    desired.refused.emplace_back(claim.resource, std::move(status));
  };
  bool keeps_undeclared = false;
  for (std::size_t i = 0; i < job.declared.size(); ++i) {
    const DeclaredClaim& declared = job.declared[i];
    Claim& claim = desired.claims[i];
    if (declared.manifest == nullptr || !IsKept(claim.treatment)) continue;
    if (!declared.manifest->options.uncommon().ignore_changes.empty()) {
      Expected<std::optional<Declaration>> kept = WithIgnored(job, declared, seen);
      if (!kept) {
        refuse(claim, {ResourceState::kStalled, std::string(ToString(kept.error().code)),
                       "options.ignoreChanges: " + kept.error().message});
        continue;
      }
      if (*kept) claim.declaration.grants = std::move((*kept)->grants);
    }
    if (!declared.adopting) continue;
    const std::vector<DriftItem> drift = DifferencesOf(job, claim, seen, desired);
    if (drift.empty()) continue;
    refuse(claim, Mismatch(drift));
    // What nobody declares may be what the import is to find.
    keeps_undeclared = true;
  }
  if (!keeps_undeclared || desired.keep_undeclared) return;
  desired.keep_undeclared = true;
  desired.undeclared_in_doubt = true;
}

}  // namespace bindery
