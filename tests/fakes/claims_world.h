#pragma once

#include <memory>
#include <string>

#include "controller/claims/claims.h"
#include "core/access/canonical_json.h"
#include "providers/registry/kinds.h"

namespace bindery::testing {

/// An index of claims that is filled by hand: for parts of the catalog by themselves.
class ClaimsWorld {
 public:
  static Target At(const std::string& id) {
    return {"AuthorizationPolicyIamBinding", "",
            "projects/acme/locations/global/authorizationPolicies/" + id};
  }
  [[nodiscard]] std::shared_ptr<const manifests::Manifest> Declare(const std::string& name,
                                                                   const std::string& target,
                                                                   const std::string& role) const {
    auto manifest = std::make_shared<manifests::Manifest>();
    manifest->name = name;
    manifest->token = &kind->schema().token;
    manifest->spec = CanonicalJson(
        {{"name", At(target).name}, {"role", role}, {"members", {"user:ana@example.com"}}});
    manifest->digest = Sha256Digest::Of(name + manifest->spec);
    manifest->source = {name + ".yaml", 1};
    return manifest;
  }
  /// Brings a resource into force.
  controller::ResourceEntry& Put(const std::string& name, const std::string& target,
                                 const std::string& role, std::int32_t grants = 1) {
    controller::ResourceEntry& entry = claims.Obtain(name);
    entry.manifest = Declare(name, target, role);
    entry.kind = kind;
    claims.Enforce(entry, {At(target), "cloudnative", role, grants});
    return entry;
  }
  /// As declared, as the last check found.
  static void Settle(controller::ResourceEntry& entry) {
    entry.standing.status = controller::SharedStatus::AsDeclared();
    entry.progress.observed_generation = entry.progress.generation;
  }

  providers::Kinds kinds;
  const reconcilers::Kind* kind =
      kinds.Find({"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"});
  controller::Claims claims;
  store::StoreChange change;
};

}  // namespace bindery::testing
