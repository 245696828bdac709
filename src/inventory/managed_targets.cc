#include "inventory/managed_targets.h"

#include <limits>

#include "controller/gates/stored_forms.h"
#include "providers/registry/kinds.h"
#include "report/access/grant_classes.h"
#include "report/access/observed_access.h"
#include "report/text/json_fields.h"

namespace bindery::inventory {
namespace {

std::pair<std::string, std::string> KeyOfTarget(const Target& target) {
  return {target.kind.str(), target.name};
}

/// What a manifest in force declares.
std::vector<Grant> DeclaredBy(const store::ResourceRecord& resource,
                              const controller::CatalogSettings& settings) {
  const reconcilers::Kind* kind = providers::KnownKinds().Find(resource.token);
  if (kind == nullptr) return {};
  const auto declared = kind->Declare(report::ObjectFromText(resource.spec),
                                      settings.DefaultProject(resource.provider));
  if (declared && declared->absent) return {};
  return report::DeclaredGrants(resource);
}

void AddResource(store::ResourceRecord&& resource, std::string_view provider,
                 const controller::CatalogSettings& settings, ManagedTargets& managed) {
  if (!resource.accepted || resource.target.name.empty()) return;
  if (resource.provider != provider || providers::IsLookup(resource.token)) return;
  ManagedTarget& target = managed.by_name[KeyOfTarget(resource.target)];
  target.target = resource.target;
  target.resources.push_back(resource.name);
  target.parts.push_back(resource.role);
  for (Grant& grant : DeclaredBy(resource, settings)) target.declared.push_back(std::move(grant));
}

/// The names that the service stores for what is declared are declared as well.
void AddStoredForm(const DriftItem& note, ManagedTarget& target) {
  const reconcilers::StoredForm form = controller::FindForm(note);
  for (const std::string& principal : form.stored) {
    Grant stored = form.asked;
    stored.principal = principal;
    target.declared.push_back(std::move(stored));
  }
}

Expected<void> AddDrift(const store::ReportReader& store, ManagedTargets& managed) {
  store::DriftFilter filter;
  filter.unresolved_only = true;
  filter.limit = std::numeric_limits<std::int32_t>::max();
  auto drift = store.Drift(filter);
  if (!drift) return Fail(drift.error());
  for (store::DriftRecord& record : *drift) {
    const auto found = managed.by_name.find(KeyOfTarget(record.target));
    if (found == managed.by_name.end()) continue;
    if (record.item.drift_class == DriftClass::kStoredDifferently) {
      AddStoredForm(record.item, found->second);
    }
    found->second.open.push_back(std::move(record.item));
  }
  return {};
}

}  // namespace

Expected<ManagedTargets> ManagedTargets::Read(const store::ReportReader& store,
                                              std::string_view provider,
                                              const controller::CatalogSettings& settings) {
  ManagedTargets managed;
  auto accepted = report::ReadAcceptedDrift(store, settings.accepted.get());
  if (!accepted) return Fail(accepted.error());
  managed.accepted = *std::move(accepted);
  const auto read = store.ReadResources([&](store::ResourceRecord&& resource) {
    AddResource(std::move(resource), provider, settings, managed);
  });
  if (!read) return Fail(read.error());
  const auto targets = store.Targets();
  if (!targets) return Fail(targets.error());
  for (const store::TargetRecord& record : *targets) {
    const auto found = managed.by_name.find(KeyOfTarget(record.target));
    if (found == managed.by_name.end()) continue;
    ManagedTarget& target = found->second;
    target.observed = record.observed;
    target.exists = record.exists;
    target.observed_at = record.observed_at;
    target.policy_digest = record.policy_digest;
  }
  if (auto added = AddDrift(store, managed); !added) return Fail(added.error());
  return managed;
}

const ManagedTarget* ManagedTargets::Find(const std::string& kind, const std::string& name,
                                          const access::Places& places) const {
  const auto find = [&](const std::string& spelled) {
    const auto found = by_name.find({kind, spelled});
    return found == by_name.end() ? nullptr : &found->second;
  };
  if (const ManagedTarget* target = find(name)) return target;
  const std::string container = access::ContainerInName(name);
  if (container.empty()) return nullptr;
  const std::string rest = name.substr(container.size());
  if (const ManagedTarget* target = find(places.GetName(container) + rest)) return target;
  const std::string number = places.GetNumber(container);
  return number.empty() ? nullptr : find("projects/" + number + rest);
}

}  // namespace bindery::inventory
