#include "controller/placing/placer.h"

#include <utility>

#include "reconcilers/declaration.h"
#include "reconcilers/provider_choice.h"

namespace bindery::controller {

Expected<reconcilers::Declaration> Placer::Declare(const reconcilers::Kind& kind,
                                                   const manifests::Manifest& manifest,
                                                   const std::string& provider) const {
  return reconcilers::MakeDeclaration(kind, manifest, settings_.DefaultProject(provider));
}

std::optional<manifests::ManifestError> Placer::FindProviderFault(
    const manifests::Manifest& manifest, const reconcilers::Kind& kind) const {
  return reconcilers::ProviderFault(manifest, kind, settings_.provider_types);
}

/// The unique part of a target: by default a role, whatever the condition.
std::string Placer::GetPart(const reconcilers::Declaration& declared) const {
  const ClaimPart part = ClaimPart::Of(declared.role);
  const bool narrows = settings_.key_by_condition && part.member.empty() && !part.IsWhole() &&
                       !IsSetting(part.role) && !declared.grants.empty();
  if (!narrows) return declared.role;
  const std::string condition = ConditionOfPart(declared.grants.front().condition);
  return ClaimPart{part.role, "", condition}.Text();
}

/// The id of options.import must name the declaration of the manifest.
Expected<void> Placer::CheckImport(const reconcilers::Kind& kind,
                                   const manifests::Manifest& manifest,
                                   const admission::Placement& placement) const {
  const std::string& id = manifest.options.extra_options().import_id;
  if (id.empty()) return {};
  const Expected<reconcilers::ResourceId> adopted =
      kind.ParseId(id, settings_.DefaultProject(placement.provider));
  if (!adopted) return Fail(adopted.error().Wrap("options.import"));
  const Expected<std::string> target =
      kind.traits().names_are_global ? project_names_.Canonical(placement.provider, adopted->target)
                                     : Expected<std::string>(adopted->target);
  const bool same = target && *target == placement.target.name &&
                    (adopted->role.empty() || Contains(adopted->role, placement.role));
  if (same) return {};
  return Fail(Code::kInvalidArgument,
              "options.import names \"" + id + "\", but the manifest declares " +
                  PartInWords(placement.role) + " on \"" + placement.target.name +
                  "\": correct one of them, or take options.import out");
}

Expected<admission::Placement> Placer::Place(const manifests::Manifest& manifest) const {
  if (manifest.references != nullptr) {
    return Fail(Code::kUnavailable, "waits for what it refers to");
  }
  return PlaceAsWritten(manifest);
}

std::optional<admission::Placement> Placer::PlaceUnresolved(
    const manifests::Manifest& manifest) const {
  Expected<admission::Placement> placement = PlaceAsWritten(manifest);
  const bool told = placement && placement->target.name.find("${") == std::string::npos &&
                    placement->role.find("${") == std::string::npos;
  if (!told) return std::nullopt;
  return std::move(*placement);
}

Expected<admission::Placement> Placer::PlaceAsWritten(const manifests::Manifest& manifest) const {
  const reconcilers::Kind* kind = FindKindFor(*manifest.token);
  if (kind == nullptr) {
    return Fail(Code::kInvalidArgument, "no kind \"" + manifest.token->Text() + "\"");
  }
  const reconcilers::KindTraits& traits = kind->traits();
  admission::Placement placement;
  placement.provider = reconcilers::ChooseProvider(manifest, *kind);
  if (auto fault = FindProviderFault(manifest, *kind)) {
    return Fail(Error(std::move(*fault)));
  }
  Expected<reconcilers::Declaration> declared = Declare(*kind, manifest, placement.provider);
  if (!declared) return Fail(std::move(declared.error()));
  placement.target.kind = traits.policy;
  if (!traits.names_are_global) placement.target.scope = placement.provider;
  placement.target.name = std::move(declared->target);
  if (traits.names_are_global) {
    Expected<std::string> name =
        project_names_.Canonical(placement.provider, placement.target.name);
    if (!name) return Fail(std::move(name.error()));
    placement.target.name = std::move(*name);
  }
  // Any number of manifests may look up the same.
  placement.role = kind->schema().read_only ? manifest.name : GetPart(*declared);
  if (auto same = CheckImport(*kind, manifest, placement); !same) return Fail(same.error());
  placement.grants = static_cast<std::int32_t>(declared->grants.size());
  return placement;
}

}  // namespace bindery::controller
