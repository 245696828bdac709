#include "app/plan/manifest_import.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <map>
#include <set>
#include <utility>

#include "access/places.h"
#include "app/clouds/clouds.h"
#include "app/plan/import_pieces.h"
#include "app/plan/imported_text.h"
#include "app/plan/policy_names.h"
#include "core/access/claim_part.h"
#include "core/base/work_pool.h"

namespace bindery::app {
namespace {

constexpr std::size_t kReaders = 8;

/// One id of the list, with the present state.
struct Wanted {
  std::string id;
  reconcilers::ResourceId named;
  const Expected<reconcilers::Observation>* seen = nullptr;
};

class Import {
 public:
  Import(const config::Config& config, const OpenedProvider& provider, const ImportWish& wish,
         const DeclaredFolder& declared)
      : config_(config),
        provider_(provider),
        wish_(wish),
        kind_(*wish.kind),
        declared_(declared),
        policy_names_(*declared.names, places_, provider.name) {
    for (const DeclaredManifest& manifest : declared_.manifests) names_.Take(manifest.name);
  }

  ImportResult Run() {
    std::vector<Wanted> wanted = ReadIds();
    NoteNames(wanted);
    ReadTargets(wanted);
    for (const Wanted& one : wanted) MakeAll(one);
    CheckUndeclared(wanted);
    WriteText();
    return std::move(result_);
  }

 private:
  void Refuse(const std::string& id, const std::string& why) {
    result_.errors.push_back(wish_.many ? id + ": " + why : why);
  }

  std::vector<Wanted> ReadIds() {
    std::vector<Wanted> wanted;
    for (const std::string& id : wish_.ids) {
      Expected<reconcilers::ResourceId> named = kind_.ParseId(id, provider_.connection->project);
      if (named) {
        wanted.push_back({id, std::move(*named)});
      } else {
        Refuse(id, ToString(named.error()));
      }
    }
    return wanted;
  }

  /// Two ids of the list may name one policy.
  void NoteNames(const std::vector<Wanted>& wanted) {
    if (!kind_.traits().names_are_global) return;
    for (const Wanted& one : wanted) policy_names_.Note(kind_.traits().policy, one.named.target);
    policy_names_.Learn();
  }

  /// Each target once, for all ids that name the target.
  void ReadTargets(std::vector<Wanted>& wanted) {
    for (const Wanted& one : wanted) {
      seen_.try_emplace(one.named.target, Fail(Code::kInternal, "not read"));
    }
    WorkPool pool(kReaders);
    std::atomic<std::size_t> done = 0;
    for (auto& item : seen_) {
      boost::asio::post(pool, [this, &item, &done] {
        item.second = kind_.Observe(*provider_.connection, item.first, provider_.timeout);
        if (wish_.progress) wish_.progress(++done, seen_.size());
      });
    }
    pool.join();
    for (Wanted& one : wanted) one.seen = &seen_.at(one.named.target);
  }

  void MakeAll(const Wanted& one) {
    if (!*one.seen) return Refuse(one.id, ToString(one.seen->error()));
    const std::string rival = policy_names_.FindRival(kind_.traits().policy, one.named.target);
    if (!rival.empty()) return Refuse(one.id, "FAILED_PRECONDITION: " + ExplainRival(rival));
    NoteLeftAside(one);
    std::vector<std::string> roles = {one.named.role};
    if (one.named.role.empty()) roles = kind_.Roles(**one.seen);
    if (roles.empty() && wish_.many) {
      result_.notes.push_back(one.id + " is passed over: there is nothing to import");
      return;
    }
    // The policy has no grant, and the kind reports this in its own words.
    if (roles.empty()) roles.emplace_back();
    for (const std::string& role : roles) {
      const std::vector<ImportPiece> pieces =
          MakePieces(kind_, role, **one.seen, config_.reconcile.binding_key);
      if (pieces.size() > 1) NotePieces(one, role, pieces);
      for (const ImportPiece& piece : pieces) Make(one, piece, pieces.size() > 1);
    }
  }

  void NotePieces(const Wanted& one, const std::string& role,
                  const std::vector<ImportPiece>& pieces) {
    const bool bindings = pieces.front().kind == &kind_;
    result_.notes.push_back(
        one.named.target + ": " + role + " is held under several conditions: it is imported as " +
        std::to_string(pieces.size()) + " manifests of the kind " +
        pieces.front().kind->schema().token.kind +
        (bindings ? "" : " (reconcile.bindingKey: roleAndCondition gives one for each condition)"));
  }

  /// No manifest can declare these grants.
  void NoteLeftAside(const Wanted& one) {
    const std::vector<std::string> sentences = ListLeftAside(kind_, one.named.role, **one.seen);
    if (sentences.empty() ||
        !told_left_aside_.insert(reconcilers::ResourceId{one.named}.Text()).second)
      return;
    for (const std::string& sentence : sentences) {
      result_.notes.push_back(one.named.target + ": " + sentence);
    }
  }

  void Make(const Wanted& one, const ImportPiece& piece, bool one_of_several) {
    const std::string& role = piece.part;
    const reconcilers::Kind& kind = *piece.kind;
    Expected<Json> inputs = kind.Inputs(one.named.target, role, **one.seen);
    if (!inputs) return Refuse(one.id, ToString(inputs.error()));
    ImportedManifest made;
    made.role = role;
    made.kind = &kind;
    made.target = FullTarget(one.named.target);
    const bool whole = IsWholePolicy(role) || kind.schema().read_only;
    made.id = reconcilers::ResourceId{one.named.target, role}.Text();
    // The list may name it twice. An id does not tell conditions apart.
    if (!claims_.insert(made.target.name + " " + role).second) return;
    made.name = NameFor(one, role, whole, one_of_several);
    if (const std::string taken = TakenBy(made); !taken.empty()) return Refuse(one.id, taken);
    names_.Take(made.name);
    made.document = NewManifest(kind, made.name, std::move(*inputs),
                                {provider_.is_default ? "" : provider_.name, wish_.protect});
    const std::string fault = FaultOfManifest(kind, ImportedManifestText(made.id, made.document));
    if (!fault.empty()) return Refuse(made.id, "FAILED_PRECONDITION: " + fault);
    result_.manifests.push_back(std::move(made));
  }

  /// The given name for a single manifest; else a name that describes the declaration.
  std::string NameFor(const Wanted& one, const std::string& role, bool whole, bool one_of_several) {
    one_of_several = one_of_several || (!whole && one.named.role.empty());
    if (!wish_.many && !one_of_several) return wish_.name;
    std::string name = wish_.name;
    if (wish_.many) name += "-" + Slug(one.named.target.substr(one.named.target.rfind('/') + 1));
    if (!whole) name += SlugOfPart(role);
    return names_.Free(std::move(name));
  }

  /// Why the manifest would not come into force; empty when nothing blocks the manifest.
  std::string TakenBy(const ImportedManifest& made) const {
    for (const DeclaredManifest& other : declared_.manifests) {
      const std::string who = other.Show();
      if (other.name == made.name) {
        return "ALREADY_EXISTS: there is a manifest " + who + ": choose another name";
      }
      if (!(other.placement.target == made.target)) continue;
      if (Overlap(other.placement.role, made.role))
        return "ALREADY_EXISTS: " + made.id + " is declared by " + who +
               ": leave it out of the import, or delete that manifest first";
      if (other.placement.provider != provider_.name) {
        return "FAILED_PRECONDITION: " + made.target.name + " belongs to provider \"" +
               other.placement.provider + "\", by " + who + ": name that one with --provider";
      }
    }
    const DeclaredManifest* doubted =
        made.kind->schema().read_only ? nullptr : FindDoubted(declared_.manifests, made.target);
    if (doubted != nullptr) return "FAILED_PRECONDITION: " + ExplainDoubt(*doubted);
    if (names_.Has(made.name))
      return "ALREADY_EXISTS: there is a manifest \"" + made.name + "\": choose another name";
    return "";
  }

  /// Undeclared roles beside the imported roles would be removed by the next pass.
  void CheckUndeclared(const std::vector<Wanted>& wanted) {
    if (!result_.errors.empty() && !wish_.keep_going) return;
    if (config_.reconcile.mode != Mode::kEnforce || kind_.schema().read_only) return;
    const controller::CatalogSettings settings = MakeEngineSettings(config_, {}).catalog;
    std::set<std::string> told;
    for (const Wanted& one : wanted) {
      if (!*one.seen || !told.insert(one.named.target).second) continue;
      const Target target = FullTarget(one.named.target);
      if (settings.UndeclaredOn(target, &kind_) != UndeclaredRoles::kRemove) continue;
      const std::string left = UndeclaredOn(one);
      if (left.empty()) continue;
      const std::string why = "the next pass would remove " + left + " from " + one.named.target +
                              ", as no manifest declares what is held there "
                              "(undeclaredRoles: remove); import the target "
                              "without a role to take over all there is";
      if (wish_.only_shown) {
        result_.warnings.push_back(why);
      } else {
        Refuse(one.id, "FAILED_PRECONDITION: " + why);
        std::erase_if(result_.manifests,
                      [&](const ImportedManifest& made) { return made.target == target; });
      }
    }
  }

  /// "roles/a, roles/b"
  [[nodiscard]] std::string UndeclaredOn(const Wanted& one) const {
    std::string left;
    for (const std::string& role : kind_.Roles(**one.seen)) {
      if (!IsDeclared(one, role)) left += (left.empty() ? "" : ", ") + role;
    }
    return left;
  }

  /// As manifests on it are placed.
  [[nodiscard]] Target FullTarget(const std::string& name) const {
    const reconcilers::KindTraits& traits = kind_.traits();
    if (!traits.names_are_global) return {traits.policy, provider_.name, name};
    return {traits.policy, "", declared_.names->MakeCanonical(provider_.name, name)};
  }

  /// Manifests declare the whole part, or each of its grants.
  [[nodiscard]] bool IsDeclared(const Wanted& one, const std::string& role) const {
    const Target full = FullTarget(one.named.target);
    std::vector<std::string> claimed;
    for (const DeclaredManifest& manifest : declared_.manifests) {
      if (manifest.placement.target == full) claimed.push_back(manifest.placement.role);
    }
    for (const ImportedManifest& manifest : result_.manifests) {
      if (manifest.target == full) claimed.push_back(manifest.role);
    }
    const bool contained = std::any_of(claimed.begin(), claimed.end(),
                                       [&](const auto& part) { return Contains(part, role); });
    return contained || AreCovered(kind_, role, claimed, **one.seen);
  }

  void WriteText() {
    for (const ImportedManifest& made : result_.manifests) {
      result_.text +=
          (result_.text.empty() ? "" : "---\n") + ImportedManifestText(made.id, made.document);
    }
  }

  const config::Config& config_;
  const OpenedProvider& provider_;
  const ImportWish& wish_;
  const reconcilers::Kind& kind_;
  const DeclaredFolder& declared_;
  const access::Places places_{{}};  ///< None is known.
  PolicyNames policy_names_;
  std::map<std::string, Expected<reconcilers::Observation>> seen_;  ///< By target.
  TakenNames names_;
  std::set<std::string> claims_;           ///< Parts that have their manifest.
  std::set<std::string> told_left_aside_;  ///< Ids with a note of what is left aside.
  ImportResult result_;
};

}  // namespace

ImportResult MakeManifests(const config::Config& config, const OpenedProvider& provider,
                           const ImportWish& wish, const DeclaredFolder& declared) {
  return Import(config, provider, wish, declared).Run();
}

}  // namespace bindery::app
