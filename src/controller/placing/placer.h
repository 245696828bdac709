#pragma once

#include <optional>
#include <string>

#include "admission/admission.h"
#include "controller/claims/catalog_settings.h"
#include "controller/placing/project_names.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {

/// Tells where a manifest belongs: its target, provider and role, by its kind, the configuration
/// and the names of projects. Knows nothing of other manifests.
///
/// Pure; several threads may ask at once. A value of three references: all outlive it.
class Placer {
 public:
  Placer(const providers::Kinds& kinds, const CatalogSettings& settings,
         const ProjectNames& project_names)
      : kinds_(kinds), settings_(settings), project_names_(project_names) {}

  /// Null: the kind is unknown to this version.
  [[nodiscard]] const reconcilers::Kind* FindKindFor(const TypeToken& token) const {
    return kinds_.Find(token);
  }
  /// The place of the manifest. kUnavailable while the manifest has references.
  [[nodiscard]] Expected<admission::Placement> Place(const manifests::Manifest& manifest) const;
  /// The same for a manifest with references that cannot be resolved: nothing when the place
  /// depends on the references.
  [[nodiscard]] std::optional<admission::Placement> PlaceUnresolved(
      const manifests::Manifest& manifest) const;
  /// The declared grants at the place.
  [[nodiscard]] Expected<reconcilers::Declaration> Declare(const reconcilers::Kind& kind,
                                                           const manifests::Manifest& manifest,
                                                           const std::string& provider) const;
  /// Why the provider cannot serve the manifest; nothing when the provider can.
  [[nodiscard]] std::optional<manifests::ManifestError> FindProviderFault(
      const manifests::Manifest& manifest, const reconcilers::Kind& kind) const;

 private:
  [[nodiscard]] Expected<admission::Placement> PlaceAsWritten(
      const manifests::Manifest& manifest) const;
  [[nodiscard]] std::string GetPart(const reconcilers::Declaration& declared) const;
  [[nodiscard]] Expected<void> CheckImport(const reconcilers::Kind& kind,
                                           const manifests::Manifest& manifest,
                                           const admission::Placement& placement) const;

  const providers::Kinds& kinds_;
  const CatalogSettings& settings_;
  const ProjectNames& project_names_;
};

}  // namespace bindery::controller
