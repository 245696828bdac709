#include "app/plan/adopted_item.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "access/places.h"
#include "app/directory/kept_manifest.h"
#include "app/edits/adopted_setting.h"
#include "app/edits/manifest_edit.h"
#include "app/plan/export_text.h"
#include "app/plan/import_layout.h"
#include "app/plan/import_pieces.h"
#include "app/plan/imported_text.h"
#include "convert/expressions.h"
#include "core/access/claim_part.h"
#include "core/base/json.h"
#include "manifests/documents/loader.h"
#include "providers/registry/kinds.h"
#include "reconcilers/resource_id.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> NotPossible(const std::string& why) {
  return Fail(Code::kFailedPrecondition, why);
}

using Path = ManifestPath;

/// Of a manifest whose grants are not known.
tl::unexpected<Error> UsesReferences(const DeclaredManifest& manifest) {
  return NotPossible("the manifest " + manifest.Show() + " uses references: change it by hand");
}

class Adoption {
 public:
  Adoption(const config::Config& config, const store::DriftRecord& difference,
           const std::vector<DeclaredManifest>& declared)
      : config_(config),
        declared_(declared),
        target_(difference.target),
        item_(difference.item),
        kind_(providers::KnownKinds().FindByTargets(difference.target.kind.str())) {}

  Expected<AdoptionEdit> Run() {
    if (kind_ == nullptr || kind_->traits().principals == nullptr) {
      return NotPossible("no kind of this version declares grants on " + target_.name);
    }
    words_ = kind_->traits().binding_words;
    switch (item_.drift_class) {
      case DriftClass::kUndeclared:
        return Declare();
      case DriftClass::kMissing:
      case DriftClass::kPrincipalDeleted:
        return TakeOut();
      default:
        break;
    }
    return NotPossible("the grant holds under another condition than its manifest \"" +
                       item_.resource + "\" declares: change spec.condition by hand");
  }

 private:
  /// The manifest is known to declare the grant.
  [[nodiscard]] bool DeclaresGrant(const DeclaredManifest& manifest) const {
    const auto grants = GrantsIn(manifest);
    return grants && HoldsGrant(*kind_, *grants, item_.grant);
  }

  /// The manifest whose part of the policy the grant belongs to; null: none.
  [[nodiscard]] const DeclaredManifest* ClaimOnGrant() const {
    const auto found = std::ranges::find_if(declared_, [&](const DeclaredManifest& manifest) {
      return manifest.placement.target == target_ &&
             reconcilers::CoversOn(kind_, manifest.placement.role, item_.grant);
    });
    return found == declared_.end() ? nullptr : &*found;
  }

  Expected<AdoptionEdit> Declare() {
    const DeclaredManifest* claim = ClaimOnGrant();
    if (claim == nullptr) {
      const DeclaredManifest* doubted = FindDoubted(declared_, target_);
      return doubted == nullptr ? NewFile() : NotPossible(ExplainDoubt(*doubted));
    }
    if (DeclaresGrant(*claim)) {
      return Fail(Code::kAlreadyExists, "the manifest " + claim->Show() + " declares the grant");
    }
    const auto spec = ParseJson(claim->manifest->spec);
    if (!spec) return Fail(spec.error());
    const Json* bindings = FindMember(*spec, "bindings");
    const Json* list = bindings == nullptr ? FindMember(*spec, words_.principals) : bindings;
    // A reference stands for all of the list.
    if (list != nullptr && list->is_string()) return UsesReferences(*claim);
    if (IsSetting(item_.grant.role)) return JoinSettings(*claim, *spec);
    return bindings == nullptr ? JoinRole(*claim, *spec) : JoinPolicy(*claim, *bindings);
  }

  /// In a manifest of one role.
  [[nodiscard]] Expected<AdoptionEdit> JoinRole(const DeclaredManifest& claim,
                                                const Json& spec) const {
    if (!HasList(spec)) {
      return NotPossible("the manifest " + claim.Show() +
                         " is about this grant alone: change or delete it by hand");
    }
    if (!IsOfGrant(spec)) {
      return NotPossible("the manifest " + claim.Show() +
                         " declares the role under another condition: declare the role by "
                         "members, or set reconcile.bindingKey: roleAndCondition");
    }
    return Joined(claim, {{"spec"}, {words_.principals}});
  }

  /// In a manifest of a whole policy.
  [[nodiscard]] Expected<AdoptionEdit> JoinPolicy(const DeclaredManifest& claim,
                                                  const Json& bindings) const {
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      if (IsOfGrant(bindings.at(i))) {
        return Joined(claim, {{"spec"}, {"bindings"}, {i}, {words_.principals}});
      }
    }
    Json entry = {{words_.role, convert::EscapedText(item_.grant.role)},
                  {words_.principals, Json::array({convert::EscapedText(item_.grant.principal)})}};
    if (item_.grant.condition) entry["condition"] = ToJson(*item_.grant.condition);
    const auto text = GetText(claim);
    if (!text) return Fail(text.error());
    return Checked(claim, WithListEntry(*text, {claim.name, {{"spec"}, {"bindings"}}}, entry),
                   "added");
  }

  /// In a manifest of audit configurations.
  [[nodiscard]] Expected<AdoptionEdit> JoinSettings(const DeclaredManifest& claim,
                                                    const Json& spec) const {
    const auto text = GetText(claim);
    if (!text) return Fail(text.error());
    const AuditManifest manifest{*text, claim.name, spec, kind_->traits().principals->normal};
    return Checked(claim, WithAuditUnit(manifest, item_.grant), "added");
  }

  [[nodiscard]] Expected<AdoptionEdit> Joined(const DeclaredManifest& claim, Path path) const {
    const auto text = GetText(claim);
    if (!text) return Fail(text.error());
    const ManifestPlace place{claim.name, std::move(path)};
    return Checked(claim, WithListItem(*text, place, convert::EscapedText(item_.grant.principal)),
                   "added");
  }

  /// Out of the manifest that declares it.
  [[nodiscard]] Expected<AdoptionEdit> TakeOut() const {
    const auto claim = std::ranges::find_if(declared_, [&](const DeclaredManifest& manifest) {
      return manifest.placement.target == target_ && DeclaresGrant(manifest);
    });
    if (claim == declared_.end()) {
      const auto own = std::ranges::find(declared_, item_.resource, &DeclaredManifest::name);
      if (own != declared_.end() && !GrantsIn(*own)) return UsesReferences(*own);
      return Fail(Code::kAlreadyExists, "no manifest declares the grant any more");
    }
    const auto spec = ParseJson(claim->manifest->spec);
    if (!spec) return Fail(spec.error());
    const auto text = GetText(*claim);
    if (!text) return Fail(text.error());
    if (DeclaresOnlyGrant(*claim)) return DropManifest(*claim, *text);
    return Checked(*claim, WithoutGrant(*claim, *spec, *text), "taken out");
  }

  /// The text without the grant in a manifest that declares more.
  [[nodiscard]] Expected<std::string> WithoutGrant(const DeclaredManifest& claim, const Json& spec,
                                                   const std::string& text) const {
    if (IsSetting(item_.grant.role)) {
      return WithoutAuditUnit({text, claim.name, spec, kind_->traits().principals->normal},
                              item_.grant);
    }
    auto place = PlaceOfGrant(spec);
    if (!place) return NotPossible("the manifest has an unusual form");
    const bool only = place->count == 1 && place->list.size() > 2;
    if (!only) return WithoutListItem(text, {claim.name, place->list}, place->index);
    // The binding of a policy goes with its only member.
    const Json* bindings = FindMember(spec, "bindings");
    if (bindings != nullptr && bindings->size() == 1) return ExplainWholePolicy(claim);
    place->list.pop_back();
    const std::size_t index = std::get<std::size_t>(place->list.back());
    place->list.pop_back();
    return WithoutListEntry(text, {claim.name, place->list}, index);
  }

  /// The manifest declares nothing else that the cloud may hold.
  [[nodiscard]] bool DeclaresOnlyGrant(const DeclaredManifest& manifest) const {
    auto grants = GrantsIn(manifest);
    if (!grants) return false;
    std::erase_if(*grants, [&](const Grant& grant) {
      return HoldsGrant(*kind_, {item_.grant}, grant) || IsExemptionFrom(grant, item_.grant);
    });
    return grants->empty();
  }

  /// Without its last grant a manifest of a whole policy would be no manifest, or would give the
  /// policy another meaning; without the manifest nobody would claim the policy.
  [[nodiscard]] tl::unexpected<Error> ExplainWholePolicy(const DeclaredManifest& claim) const {
    return NotPossible(
        "the manifest " + claim.Show() + " declares all of the policy of " + target_.name +
        ", and lists no other grant: without " + item_.grant.principal + " in " +
        RoleText(item_.grant) +
        " nobody would claim the policy. Write into the manifest what the policy is to hold "
        "(bindery adopt of an undeclared grant adds the grant), or delete the manifest by hand if "
        "bindery is to leave the policy alone");
  }

  /// The file without the manifest, or no file.
  [[nodiscard]] Expected<AdoptionEdit> DropManifest(const DeclaredManifest& claim,
                                                    const std::string& text) const {
    if (IsWholePolicy(claim.placement.role)) return ExplainWholePolicy(claim);
    if (const std::string why = ExplainKept(claim, declared_); !why.empty()) {
      return NotPossible("the manifest " + claim.Show() + " declares nothing but this grant" + why);
    }
    for (const DeclaredManifest& other : declared_) {
      if (&other == &claim || !(other.placement.target == target_)) continue;
      if (!DeclaresGrant(other)) continue;
      return NotPossible("the manifests " + claim.Show() + " and " + other.Show() +
                         " declare the grant: take the grant out by hand");
    }
    auto rest = WithoutManifest(text, claim.name);
    if (!rest) return Fail(rest.error().code, claim.Show() + ": " + rest.error().message);
    AdoptionEdit edit;
    edit.file = GetFile(claim);
    edit.manifest = claim.name;
    edit.text = *std::move(rest);
    edit.removes_manifest = true;
    edit.removes_file = edit.text.empty();
    edit.change = item_.grant.principal + " in " + RoleText(item_.grant) + " is taken out";
    return edit;
  }

  /// A principal in a list of a spec.
  struct PrincipalPlace {
    Path list;
    std::size_t index = 0;
    std::size_t count = 0;  ///< Of the list.
  };

  [[nodiscard]] std::optional<PrincipalPlace> PlaceOfGrant(const Json& spec) const {
    const Json* bindings = FindMember(spec, "bindings");
    if (bindings == nullptr) return PlaceIn(spec, {{"spec"}});
    for (std::size_t i = 0; i < bindings->size(); ++i) {
      if (auto place = PlaceIn(bindings->at(i), {{"spec"}, {"bindings"}, {i}})) return place;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<PrincipalPlace> PlaceIn(const Json& binding, Path path) const {
    if (!HasList(binding) || !IsOfGrant(binding)) return std::nullopt;
    const auto normal = kind_->traits().principals->normal;
    const Json& principals = binding.at(words_.principals);
    path.emplace_back(words_.principals);
    for (std::size_t i = 0; i < principals.size(); ++i) {
      if (!principals.at(i).is_string()) continue;
      if (normal(principals.at(i).get<std::string>()) == normal(item_.grant.principal)) {
        return PrincipalPlace{std::move(path), i, principals.size()};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool HasList(const Json& binding) const {
    const Json* list = FindMember(binding, words_.principals);
    return list != nullptr && list->is_array();
  }

  /// The binding has the role and the condition of the grant.
  [[nodiscard]] bool IsOfGrant(const Json& binding) const {
    std::optional<Condition> condition;
    if (const Json* given = FindMember(binding, "condition")) {
      condition = Condition{StringMember(*given, "expression"), StringMember(*given, "title"),
                            StringMember(*given, "description")};
    }
    return StringMember(binding, words_.role) == item_.grant.role &&
           condition == item_.grant.condition;
  }

  [[nodiscard]] Expected<std::string> GetText(const DeclaredManifest& manifest) const {
    return ReadExportText((config_.manifests.directory / GetFile(manifest)).string());
  }

  static std::string GetFile(const DeclaredManifest& manifest) {
    return std::string(manifest.manifest->source.file.str());
  }

  /// The edit, if the manifest then declares the grant, or does not any more.
  [[nodiscard]] Expected<AdoptionEdit> Checked(const DeclaredManifest& manifest,
                                               Expected<std::string> text,
                                               const std::string& verb) const {
    const std::string change = item_.grant.principal + " in " + RoleText(item_.grant);
    if (!text) {
      return Fail(text.error().code, manifest.Show() + ": " + text.error().message + ": " + change +
                                         " is to be " + verb);
    }
    if (const DeclaredManifest* other = FindReferrer(manifest.name, declared_)) {
      return NotPossible("the manifest " + other->Show() + " refers to " + manifest.Show() +
                         " and might change along: change both by hand: " + change + " is to be " +
                         verb);
    }
    const std::string file = GetFile(manifest);
    const manifests::FileContent content =
        manifests::LoadFile(*text, file, providers::KnownKinds());
    const auto changed = std::ranges::find_if(
        content.manifests, [&](const std::shared_ptr<const manifests::Manifest>& one) {
          return one->name == manifest.name;
        });
    const bool wanted = item_.drift_class == DriftClass::kUndeclared;
    const auto spec = changed == content.manifests.end()
                          ? Expected<Json>(Fail(Code::kInvalidArgument, "no valid manifest"))
                          : ParseJson((*changed)->spec);
    const reconcilers::Kind* kind = providers::KnownKinds().Find(*manifest.manifest->token);
    if (!spec || kind == nullptr ||
        HoldsGrant(*kind_, kind->GrantsIn(*spec), item_.grant) != wanted) {
      return NotPossible("the manifest " + manifest.Show() +
                         " cannot be changed safely: change it by hand: " + change + " is to be " +
                         verb);
    }
    return AdoptionEdit{file, manifest.name, *std::move(text), false, change + " is " + verb};
  }

  /// A manifest of this grant alone: a manifest of the role would declare all of its members.
  [[nodiscard]] Expected<AdoptionEdit> NewFile() const {
    const reconcilers::Kind* kind = FindMemberKind(*kind_);
    reconcilers::Observation seen;
    seen.exists = true;
    seen.grants = {item_.grant};
    const auto parts = kind == nullptr ? std::vector<std::string>{} : kind->Roles(seen);
    if (parts.empty()) {
      return NotPossible("no manifest of " + target_.name +
                         " exists and none can declare the grant alone: bindery import writes a "
                         "manifest of all of it");
    }
    auto inputs = kind->Inputs(target_.name, parts.front(), seen);
    if (!inputs) return Fail(inputs.error());
    TakenNames names;
    for (const DeclaredManifest& other : declared_) names.Take(other.name);
    const TargetWords words =
        MakeWords(target_.kind.str(), target_.name, access::ContainerInName(target_.name));
    AdoptionEdit edit;
    edit.is_new = true;
    edit.manifest = names.Free(NamePrefix(words) + SlugOfPart(parts.front()));
    edit.text = ImportedManifestText(
        reconcilers::ResourceId{target_.name, parts.front()}.Text(),
        NewManifest(*kind, edit.manifest, *std::move(inputs), {ProviderOption(), false}));
    if (const std::string fault = FaultOfManifest(*kind, edit.text); !fault.empty()) {
      return NotPossible(fault);
    }
    edit.file = (Folder(words) / (edit.manifest + ".yaml")).string();
    edit.change = item_.grant.principal + " in " + RoleText(item_.grant) + " is declared";
    return edit;
  }

  /// Manifests of one target name one provider.
  [[nodiscard]] std::string ProviderOption() const {
    for (const DeclaredManifest& other : declared_) {
      if (!(other.placement.target == target_)) continue;
      const std::string& name = other.placement.provider;
      return name == kind_->traits().provider_type ? "" : name;
    }
    return "";
  }

  /// Beside the manifests of the target.
  [[nodiscard]] fs::path Folder(const TargetWords& words) const {
    for (const DeclaredManifest& other : declared_) {
      if (other.placement.target == target_) return fs::path(GetFile(other)).parent_path();
    }
    return config_.manifests.recursive ? fs::path(words.project) / words.kind : fs::path();
  }

  const config::Config& config_;
  const std::vector<DeclaredManifest>& declared_;
  const Target& target_;
  const DriftItem& item_;
  const reconcilers::Kind* kind_;
  reconcilers::BindingWords words_{};
};

}  // namespace

Expected<AdoptionEdit> EditForDifference(const config::Config& config,
                                         const store::DriftRecord& difference,
                                         const std::vector<DeclaredManifest>& declared) {
  return Adoption(config, difference, declared).Run();
}

}  // namespace bindery::app
