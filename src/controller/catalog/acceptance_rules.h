#pragma once

#include <memory>
#include <vector>

#include "controller/claims/catalog_settings.h"
#include "controller/claims/claims.h"
#include "core/settings/accepted_drift.h"

namespace bindery::controller {

/// The differences that may stay: the rules of the configuration, then the rules of the manifests
/// in force, by name. A manifest that is missing or unreadable stays in force for as long as any
/// manifest would, and does not end meanwhile.
///
/// Invariant: what is handed out is the same object while the rules are the same. Belongs to the
/// loop thread; the read objects outlive the object.
class AcceptanceRules {
 public:
  AcceptanceRules(const CatalogSettings& settings, const Claims& claims)
      : settings_(settings), claims_(claims) {}

  /// Null: no rules.
  [[nodiscard]] const std::shared_ptr<const AcceptedDriftRules>& InForce() const;

 private:
  struct Declared {
    std::shared_ptr<const manifests::Manifest> manifest;
    bool in_doubt = false;  ///< Its manifest may say something else by now.
  };
  [[nodiscard]] static std::shared_ptr<const AcceptedDriftRules> GetRules(
      const AcceptedDriftRules* configured, const std::vector<Declared>& declared);

  const CatalogSettings& settings_;
  const Claims& claims_;
  // What the rules were made of last, and the rules.
  mutable std::shared_ptr<const AcceptedDriftRules> configured_;
  mutable std::vector<Declared> declared_;
  mutable std::shared_ptr<const AcceptedDriftRules> rules_;
};

}  // namespace bindery::controller
