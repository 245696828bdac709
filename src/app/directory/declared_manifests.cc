#include "app/directory/declared_manifests.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "app/clouds/clouds.h"
#include "app/directory/known_catalog.h"
#include "app/directory/offline_scan.h"
#include "controller/calls/project_question.h"
#include "controller/placing/project_mentions.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/work_pool.h"
#include "core/text/glob.h"
#include "manifests/documents/resolve.h"
#include "manifests/files/file_names.h"
#include "manifests/schema/problem.h"
#include "providers/bindery/own_kinds.h"
#include "reconcilers/project_identity.h"
#include "reconcilers/provider_choice.h"
#include "store/open_store.h"

namespace bindery::app {
namespace {

/// A daemon takes a directory without manifests for a fault; here it is where the first ones go.
bool IsWithoutManifests(const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::recursive_directory_iterator entry(directory, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (manifests::IsManifestName(entry->path().filename().string())) return false;
  }
  return !failed || failed == std::errc::no_such_file_or_directory;
}

constexpr std::string_view kProjectCollection = "projects/";

using reconcilers::HasNumber;

/// Two numbers are two projects.
bool AreOfOtherNumbers(const std::string& one, const std::string& other) {
  const std::string number = reconcilers::GetProjectNumber(one);
  const std::string another = reconcilers::GetProjectNumber(other);
  return !number.empty() && !another.empty() && number != another;
}

/// `any_name`: FormAnyName() of the target.
bool MayMean(const DeclaredManifest& manifest, const Target& target, const std::string& any_name) {
  const Target& placed = manifest.placement.target;
  const Target& known = manifest.doubt ? manifest.doubt->form : placed;
  if (known.kind != target.kind || known.scope != target.scope || placed == target) return false;
  if (!manifest.doubt) return FormAnyName(placed.name) == any_name;
  if (manifest.manifest->references != nullptr) return MatchesGlob(known.name, target.name);
  return (known.name == any_name || known.name == target.name) &&
         !AreOfOtherNumbers(placed.name, target.name);
}

/// The text with `by` in place of all between `begin` and `end`, both included.
std::string ReplaceAll(const std::string& text, std::string_view begin, std::string_view end,
                       std::string_view by) {
  std::string replaced;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find(begin, at);
    replaced += text.substr(at, found - at);
    if (found == std::string::npos) break;
    replaced += by;
    const std::size_t last = text.find(end, found);
    at = last == std::string::npos ? text.size() : last + end.size();
  }
  return replaced;
}

/// The name of the target, with `*` in place of each reference; "*" where the references leave the
/// form of the name open.
std::string FormWithReferences(const manifests::Manifest& manifest, const reconcilers::Kind& kind,
                               const controller::Placer& placer, const std::string& provider) {
  // A part of a name that no resource has.
  constexpr std::string_view kStandIn = "some-reference-0";
  manifests::Manifest plain = manifest;
  plain.references = nullptr;
  plain.spec = ReplaceAll(manifest.spec, "${", "}", kStandIn);
  const auto declared = placer.Declare(kind, plain, provider);
  return declared ? ReplaceAll(declared->target, kStandIn, "0", "*") : "*";
}

/// The form of the target of a manifest whose place is not known by `placement`; empty: no doubt.
DoubtedPlace FindDoubtedPlace(const manifests::Manifest& manifest, const reconcilers::Kind& kind,
                              const controller::Placer& placer,
                              const admission::Placement& placement) {
  const bool is_placed = !placement.target.name.empty();
  const std::string provider = reconcilers::ChooseProvider(manifest, kind);
  DoubtedPlace place;
  place.form.kind = kind.traits().policy;
  if (!kind.traits().names_are_global) place.form.scope = provider;
  if (manifest.references != nullptr) {
    if (!is_placed) place.form.name = FormWithReferences(manifest, kind, placer, provider);
    place.why = "uses references, so that its target or role is not known";
    return place;
  }
  const auto declared = placer.Declare(kind, manifest, provider);
  if (declared && kind.traits().names_are_global) {
    const std::string& name = is_placed ? placement.target.name : declared->target;
    if (HasNumber(name)) place.form.name = FormAnyName(name);
    if (place.form.name.empty() && !is_placed) place.form.name = name;
    place.why = "names its target by a number whose id the service does not tell";
  }
  return place;
}

/// The fields of manifests that use no references, by name.
using PlainSpecs = std::map<std::string, Json>;

PlainSpecs ListPlainSpecs(const controller::ScanInput& scan) {
  const auto uses_references = [](const auto& manifest) { return manifest->references != nullptr; };
  PlainSpecs specs;
  if (std::ranges::none_of(scan.Manifests(), uses_references)) return specs;
  for (const auto& manifest : scan.Manifests()) {
    if (uses_references(manifest)) continue;
    if (auto spec = ParseJson(manifest->spec)) specs.emplace(manifest->name, *std::move(spec));
  }
  return specs;
}

/// The manifest with the fields that its references name; the manifest itself where one of them is
/// not written down.
std::shared_ptr<const manifests::Manifest> FillReferences(
    const std::shared_ptr<const manifests::Manifest>& manifest, const reconcilers::Kind* kind,
    const PlainSpecs& specs) {
  if (manifest->references == nullptr || kind == nullptr) return manifest;
  auto filled = manifests::Resolve(
      *manifest, kind->schema(), [&](const std::string& name) { return specs.contains(name); },
      [&](const std::string& name) -> Expected<Json> {
        const auto found = specs.find(name);
        if (found == specs.end()) return Fail(Code::kUnavailable, "its values are not known");
        return found->second;
      });
  return filled ? *std::move(filled) : manifest;
}

DeclaredManifest MakeDeclared(const std::shared_ptr<const manifests::Manifest>& written,
                              const controller::Placer& placer, const PlainSpecs& specs) {
  const reconcilers::Kind* kind = placer.FindKindFor(*written->token);
  const auto manifest = FillReferences(written, kind, specs);
  DeclaredManifest one;
  one.name = manifest->name;
  one.source = manifest->source.Text();
  one.manifest = manifest;
  one.references = written->references;
  Expected<admission::Placement> placement = placer.Place(*manifest);
  if (placement) {
    one.placement = *std::move(placement);
  } else if (auto likely = placer.PlaceUnresolved(*manifest)) {
    one.placement = *std::move(likely);
  }
  const bool writes =
      kind != nullptr && !kind->schema().read_only && !placer.FindProviderFault(*manifest, *kind);
  if (!writes) return one;
  DoubtedPlace doubt = FindDoubtedPlace(*manifest, *kind, placer, one.placement);
  if (!doubt.form.name.empty()) one.doubt = std::move(doubt);
  return one;
}

/// The acceptance that a manifest of the kind AcceptedDrift declares.
std::optional<AcceptedDriftRule> FindRule(const DeclaredManifest& one) {
  const bool is_rule = one.placement.target == providers::AcceptedDriftTarget() &&
                       one.manifest->references == nullptr;
  const auto spec = is_rule ? ParseJson(one.manifest->spec) : Json::object();
  return is_rule && spec ? providers::AcceptedDriftRuleIn(*spec) : std::nullopt;
}

}  // namespace

std::string FormAnyName(const std::string& name) {
  if (!name.starts_with(kProjectCollection)) return {};
  const std::size_t end = std::min(name.find('/', kProjectCollection.size()), name.size());
  std::string form = std::string(kProjectCollection) + "*" + name.substr(end);
  const bool account = reconcilers::IsAccountNumber(name) || reconcilers::IsAccountAddress(name);
  return account ? form.substr(0, form.rfind('/') + 1) + "*" : form;
}

std::optional<std::vector<Grant>> GrantsIn(const DeclaredManifest& manifest) {
  if (manifest.manifest == nullptr) return std::vector<Grant>{};
  if (manifest.manifest->references != nullptr) return std::nullopt;
  const reconcilers::Kind* kind = providers::KnownKinds().Find(*manifest.manifest->token);
  const auto spec = ParseJson(manifest.manifest->spec);
  return kind == nullptr || !spec ? std::vector<Grant>{} : kind->GrantsIn(*spec);
}

bool HoldsGrant(const reconcilers::Kind& kind, const std::vector<Grant>& grants,
                const Grant& grant) {
  const auto normal = kind.traits().principals->normal;
  return std::ranges::any_of(grants, [&](const Grant& held) {
    return held.role == grant.role && held.condition == grant.condition &&
           normal(held.principal) == normal(grant.principal);
  });
}

const DeclaredManifest* FindDoubted(const std::vector<DeclaredManifest>& manifests,
                                    const Target& target) {
  const std::string any_name = FormAnyName(target.name);
  const bool numbered = HasNumber(target.name);
  const auto found = std::ranges::find_if(manifests, [&](const DeclaredManifest& manifest) {
    return (manifest.doubt || numbered) && MayMean(manifest, target, any_name);
  });
  return found == manifests.end() ? nullptr : &*found;
}

std::string ExplainDoubt(const DeclaredManifest& manifest) {
  const std::string why =
      manifest.doubt ? manifest.doubt->why
                     : "may be about the same policy, whose project is named by a number, and the "
                       "service does not tell the id";
  return "the manifest " + manifest.Show() + " " + why + ": what is declared here is not known";
}

TargetNames::TargetNames(const config::Config& config,
                         const controller::Engine::Connections& connections,
                         const providers::Kinds& kinds)
    : connections_(connections), store_(config.store), catalog_(kinds) {
  catalog_.SetSettings(MakeEngineSettings(config, connections).catalog);
}

std::string TargetNames::MakeCanonical(const std::string& provider, const std::string& name) {
  if (!HasNumber(name)) return name;
  Learn(provider, {name});
  auto canonical = catalog_.project_names().Canonical(provider, name);
  return canonical ? *std::move(canonical) : name;
}

std::string TargetNames::GetNumber(const std::string& name) {
  return catalog_.project_names().GetNumber(name);
}

void TargetNames::Learn(const std::string& provider, const std::vector<std::string>& targets) {
  bool known = true;
  for (const std::string& name : targets) {
    if (HasNumber(name)) known &= catalog_.project_names().Canonical(provider, name).has_value();
  }
  if (known) return;
  ReadStore();
  Ask();
}

void TargetNames::Learn(const controller::ScanInput& scan) {
  controller::ProjectNames& names = catalog_.project_names();
  const auto note = [&] {
    controller::NoteProjects(scan, /*news_only=*/false, placer(), catalog_.settings(), names);
  };
  note();
  if (!names.waits()) return;
  ReadStore();
  note();
  Ask();
  note();
}

void TargetNames::ReadStore() {
  if (std::exchange(store_is_read_, true)) return;
  const SystemClock clock;
  const auto store = store::OpenStore(store_, store::StoreAccess::kReadOnly, clock);
  if (!store) return;
  std::ignore = LoadKnown(**store, catalog_, OtherWriter::kPossible);
  const auto scans = (*store)->inventory().Inventories();
  if (!scans) return;
  // The last finished scan of a scope, and the scans that began later.
  std::set<std::pair<std::string, std::string>> finished;
  for (const InventoryRecord& scan : *scans) {
    if (finished.contains({scan.provider, scan.scope})) continue;
    const auto facts = (*store)->inventory().Inventory(scan.id);
    if (!facts) continue;
    if (scan.finished) finished.emplace(scan.provider, scan.scope);
    for (const InventoryContainer& container : facts->containers) LearnContainer(container);
  }
}

void TargetNames::LearnContainer(const InventoryContainer& container) {
  const auto is_project = [](const std::string& name) {
    return name.starts_with(kProjectCollection);
  };
  if (!is_project(container.name) || !is_project(container.number)) return;
  catalog_.project_names().Learn(container.number.substr(kProjectCollection.size()),
                                 container.name.substr(kProjectCollection.size()));
}

void TargetNames::Ask() {
  constexpr std::size_t kMostAskers = 8;
  controller::ProjectNames& names = catalog_.project_names();
  const std::vector<controller::ProjectNames::Question> questions = names.TakeQuestions();
  using Answer = Expected<reconcilers::ProjectIdentity>;
  std::vector<Answer> answers(questions.size(),
                              Fail(Code::kUnavailable, "its provider is not asked"));
  WorkPool pool(std::min(kMostAskers, questions.size()));
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto connection = connections_.find(questions[i].provider);
    if (names.Knows(questions[i].number) || connection == connections_.end()) continue;
    if (silent_.contains(questions[i].provider)) continue;
    boost::asio::post(pool, [&, i, connection] {
      answers[i] = controller::AskForProject({questions[i], connection->second});
    });
  }
  pool.join();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Code* failure = answers[i] ? nullptr : &answers[i].error().code;
    if (failure != nullptr &&
        (*failure == Code::kUnavailable || *failure == Code::kDeadlineExceeded))
      silent_.insert(questions[i].provider);
    if (answers[i]) {
      names.Learn(answers[i]->number, answers[i]->id);
    } else if (!names.Knows(questions[i].number)) {
      names.GiveUp(questions[i].number, ToString(answers[i].error()));
    }
  }
}

Expected<DeclaredFolder> ReadDeclared(const config::Config& config,
                                      const controller::Engine::Connections& connections,
                                      const providers::Kinds& kinds) {
  DeclaredFolder folder{{}, std::make_shared<TargetNames>(config, connections, kinds)};
  folder.accepted = config.drift.accept;
  const Expected<controller::ScanInput> scan = ReadOnce(config.manifests, kinds);
  if (!scan && IsWithoutManifests(config.manifests.directory)) return folder;
  if (!scan) return Fail(scan.error());
  folder.errors = static_cast<std::size_t>(std::ranges::count(
      scan->problems, manifests::ProblemSeverity::kError, &manifests::Problem::severity));
  folder.names->Learn(*scan);
  const PlainSpecs specs = ListPlainSpecs(*scan);
  for (const auto& manifest : scan->Manifests()) {
    folder.manifests.push_back(MakeDeclared(manifest, folder.names->placer(), specs));
    if (auto rule = FindRule(folder.manifests.back())) folder.accepted.push_back(*std::move(rule));
  }
  return folder;
}

}  // namespace bindery::app
