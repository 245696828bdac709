#include "app/plan/policy_import.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "access/places.h"
#include "app/clouds/clouds.h"
#include "app/plan/import_pieces.h"
#include "app/plan/kind_pattern.h"
#include "app/plan/policy_names.h"
#include "app/plan/policy_reads.h"
#include "core/text/count.h"
#include "providers/registry/kinds.h"
#include "reconcilers/project_identity.h"
#include "reconcilers/resource_id.h"

namespace bindery::app {
namespace {

/// The number of policies whose files are put into place together: an import that is cut off loses
/// no more.
constexpr std::size_t kReadAtOnce = 128;

/// A policy to import.
struct Item {
  TargetToImport asked;
  const DeclaredManifest* doubted = nullptr;  ///< As FindDoubted().
  std::string name;                           ///< As PolicyNames::GetOne().
  std::string rival;                          ///< As PolicyNames::FindRival().
  std::string bindings;                       ///< JSON array, as in the facts.
  TargetWords words;
  std::string file;
};

/// The policies that were read together.
struct ReadChunk {
  std::size_t begin = 0;  ///< The item of the first.
  std::vector<Expected<reconcilers::Observation>> seen = {};
  std::vector<JustInTime> just_in_time = {};  ///< What services know of the grants of each.
};

/// A policy with the kind of its roles.
using AskedPolicy = std::pair<const InventoryPolicy*, const reconcilers::Kind*>;

ImportKinds GetImportKinds(const providers::InventorySource& source,
                           const reconcilers::Kind& kind) {
  ImportKinds kinds;
  kinds.binding = &kind;
  kinds.member = FindMemberKind(kind);
  kinds.policy = providers::KnownKinds().Find(source.GetWholePolicy(kind.schema().token));
  return kinds;
}

/// The pattern names the kind whose manifests the import writes. Without a kind of the shape the
/// import says why nothing is written, and so the kind of the roles counts.
bool FitsShape(const ImportKinds& kinds, const PolicyImportWish& wish) {
  const reconcilers::Kind* written = wish.shape == ImportShape::kMember   ? kinds.member
                                     : wish.shape == ImportShape::kPolicy ? kinds.policy
                                                                          : kinds.binding;
  return FitsKindPattern((written == nullptr ? kinds.binding : written)->schema(), wish.kinds);
}

class PolicyImport {
 public:
  PolicyImport(const PolicyImportParts& parts, const PolicyImportWish& wish,
               std::vector<WrittenManifest>& written)
      : parts_(parts),
        wish_(wish),
        written_(written),
        settings_(MakeEngineSettings(parts.config, {}).catalog),
        keeping_{settings_.protected_principals, settings_.target_rules, settings_.accepted},
        rules_{keeping_, parts.declared.accepted, parts.config.reconcile.binding_key, wish.shape,
               std::chrono::system_clock::now()} {
    for (const DeclaredManifest& manifest : parts.declared.manifests) {
      names_.Take(manifest.name);
      const Target& target = manifest.placement.target;
      claims_[target].push_back(&manifest);
      forms_.emplace(target.kind.str(), FormAnyName(target.name));
    }
  }

  Expected<PolicyImportReport> Run(const InventoryFacts& facts) {
    Collect(facts);
    std::size_t done = 0;
    while (done < items_.size()) {
      const std::size_t end = EndOfChunk(done);
      if (wish_.read) Read(done, end);
      if (auto written = WriteChunk(done, end); !written) return Fail(written.error());
      done = end;
      if (parts_.progress) parts_.progress(done, items_.size());
    }
    report_.policies = static_cast<std::int64_t>(items_.size());
    report_.grants = report_.counts.All();
    return std::move(report_);
  }

 private:
  void Collect(const InventoryFacts& facts) {
    const access::Places places(facts.containers);
    LearnNames(facts, places);
    PolicyNames policy_names(*parts_.declared.names, places, parts_.provider.name);
    const std::vector<AskedPolicy> asked = ListAsked(facts);
    for (const auto& [policy, kind] : asked) {
      if (kind->traits().names_are_global) policy_names.Note(policy->kind, policy->target);
    }
    policy_names.Learn();
    using Name = std::pair<std::string, std::string>;  ///< Of a target, behind its kind.
    std::map<Name, std::size_t> known;                 ///< The places in `items_`.
    std::set<Name> contradicted;
    for (const auto& [policy, kind] : asked) {
      const Name name{policy->kind, policy_names.GetOne(policy->kind, policy->target)};
      const auto [first, is_new] = known.emplace(name, items_.size());
      if (is_new) {
        items_.push_back(MakeItem(*policy, *kind, places));
        items_.back().name = name.second;
        items_.back().rival = policy_names.FindRival(policy->kind, policy->target);
        continue;
      }
      Item& item = items_[first->second];
      if (!wish_.read && item.bindings != policy->bindings) contradicted.insert(name);
      // Manifests of a policy with two names have the name with the id.
      if (!reconcilers::HasNumber(item.asked.target.name)) continue;
      Item by_id = MakeItem(*policy, *kind, places);
      by_id.name = std::move(item.name);
      by_id.rival = std::move(item.rival);
      item = std::move(by_id);
    }
    std::erase_if(items_, [&](const Item& item) {
      if (!contradicted.contains({item.asked.target.kind.str(), item.name})) return false;
      LeaveOut(item, "the export has several policies of it, which differ");
      return true;
    });
    std::stable_sort(items_.begin(), items_.end(),
                     [](const Item& a, const Item& b) { return a.file < b.file; });
  }

  /// Policies without a kind are counted.
  [[nodiscard]] std::vector<AskedPolicy> ListAsked(const InventoryFacts& facts) {
    std::vector<AskedPolicy> asked;
    for (const InventoryPolicy& policy : facts.policies) {
      const reconcilers::Kind* kind =
          policy.kind.empty() ? nullptr : providers::KnownKinds().FindByTargets(policy.kind);
      if (kind == nullptr) {
        if (wish_.kinds.empty()) ++report_.no_kind[policy.type.empty() ? "?" : policy.type];
      } else if (FitsShape(GetImportKinds(parts_.source, *kind), wish_)) {
        asked.emplace_back(&policy, kind);
      }
    }
    return asked;
  }

  /// Learns all numbers of projects at once.
  void LearnNames(const InventoryFacts& facts, const access::Places& places) {
    std::vector<std::string> names;
    for (const InventoryPolicy& policy : facts.policies) {
      const reconcilers::Kind* kind = providers::KnownKinds().FindByTargets(policy.kind);
      if (kind != nullptr && HasTwins({policy.kind, "", policy.target}, *kind)) {
        names.push_back(places.ById(policy.target));
      }
    }
    parts_.declared.names->Learn(parts_.provider.name, names);
  }

  /// Some manifest may name the target otherwise.
  [[nodiscard]] bool HasTwins(const Target& target, const reconcilers::Kind& kind) const {
    return kind.traits().names_are_global && !claims_.contains(target) &&
           forms_.contains({target.kind.str(), FormAnyName(target.name)});
  }

  [[nodiscard]] Item MakeItem(const InventoryPolicy& policy, const reconcilers::Kind& kind,
                              const access::Places& places) const {
    Item item;
    const std::string place = places.GetName(policy.place);
    const std::string scope = kind.traits().names_are_global ? std::string() : parts_.provider.name;
    item.asked.target = {policy.kind, scope, policy.target};
    item.asked.kinds = GetImportKinds(parts_.source, kind);
    item.asked.project_number = places.GetNumberInName(policy.target);
    item.bindings = policy.bindings;
    item.words = MakeWords(policy.kind, policy.target, place);
    item.file = wish_.layout.GetFile(item.words);
    const Target placed = FindPlaced(item.asked.target, kind, places);
    const auto claims = claims_.find(placed);
    if (claims != claims_.end()) item.asked.claims = claims->second;
    item.doubted = FindDoubted(parts_.declared.manifests, placed);
    return item;
  }

  /// The target as manifests on it are placed.
  [[nodiscard]] Target FindPlaced(Target target, const reconcilers::Kind& kind,
                                  const access::Places& places) const {
    if (!HasTwins(target, kind)) return target;
    target.name =
        parts_.declared.names->MakeCanonical(parts_.provider.name, places.ById(target.name));
    return target;
  }

  /// A chunk ends where a file ends.
  [[nodiscard]] std::size_t EndOfChunk(std::size_t begin) const {
    std::size_t end = std::min(begin + kReadAtOnce, items_.size());
    while (end < items_.size() && items_[end].file == items_[end - 1].file) ++end;
    return end;
  }

  void Read(std::size_t begin, std::size_t end) {
    std::vector<PolicyRead> reads;
    for (std::size_t i = begin; i < end; ++i) {
      const TargetToImport& asked = items_[i].asked;
      reads.push_back({asked.kinds.binding, asked.target.name, asked.project_number});
    }
    chunk_ = {begin, ReadPolicies(parts_.provider, reads)};
    chunk_.just_in_time = AskForJustInTime(parts_.provider, reads, chunk_.seen, rules_.now);
  }

  Expected<void> WriteChunk(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      ManifestTexts texts(LimitsOfReader());
      const std::string& path = items_[i].file;
      for (; i < end && items_[i].file == path; ++i) Import(i, texts);
      for (const NewManifests& file : texts.files()) {
        if (auto written = Write(path, file.text); !written) return written;
        ++report_.files;
        report_.manifests += static_cast<std::int64_t>(file.count);
      }
    }
    return parts_.place ? parts_.place() : Expected<void>();
  }

  /// A file of the name may hold something else: it stays as it is.
  Expected<void> Write(const std::string& path, const std::string& text) {
    constexpr int kMostNames = 1'000;
    auto written = parts_.write(path, text);
    const std::string stem = path.substr(0, path.rfind('.'));
    for (int i = 2; !written && written.error().code == Code::kAlreadyExists && i < kMostNames;
         ++i) {
      written = parts_.write(stem + "-" + std::to_string(i) + ".yaml", text);
    }
    return written;
  }

  void Import(std::size_t at, ManifestTexts& texts) {
    Item& item = items_[at];
    if (const std::string other = OtherProvider(item); !other.empty()) {
      return LeaveOut(item, "its manifests belong to the provider \"" + other + "\"");
    }
    if (item.doubted != nullptr) return LeaveOut(item, ExplainDoubt(*item.doubted));
    if (!item.rival.empty()) return LeaveOut(item, ExplainRival(item.rival));
    auto seen = GetSeen(at);
    if (!seen) {
      if (seen.error().code != Code::kNotFound) return LeaveOut(item, ToString(seen.error()));
      // Nothing is left to declare.
      ++report_.gone;
      return;
    }
    item.asked.seen = *std::move(seen);
    item.asked.just_in_time = wish_.read ? std::move(chunk_.just_in_time[at - chunk_.begin])
                                         : JustInTime{parts_.provider.connection->just_in_time, {}};
    TargetImport made = ImportTarget(item.asked, rules_);
    item.asked.seen = {};
    Add(item, std::move(made), texts);
  }

  [[nodiscard]] std::string OtherProvider(const Item& item) const {
    for (const DeclaredManifest* claim : item.asked.claims) {
      if (claim->placement.provider != parts_.provider.name) return claim->placement.provider;
    }
    return "";
  }

  Expected<reconcilers::Observation> GetSeen(std::size_t at) {
    if (wish_.read) return std::move(chunk_.seen[at - chunk_.begin]);
    return ObservationInExport(items_[at].asked.kinds.binding->traits(), items_[at].bindings);
  }

  void LeaveOut(const Item& item, const std::string& reason) {
    report_.left_out.push_back({item.asked.target.name, reason});
  }

  /// The texts of all manifests, before the first of them counts.
  void Add(const Item& item, TargetImport made, ManifestTexts& texts) {
    for (const std::string& reason : made.left_out) LeaveOut(item, reason);
    const Target& target = item.asked.target;
    const bool removes =
        settings_.UndeclaredOn(target, item.asked.kinds.binding) == UndeclaredRoles::kRemove;
    NewManifests added;
    ImportCounts counts = made.counts;
    std::optional<WrittenManifest> first;
    for (std::size_t at = 0; at < made.parts.size(); ++at) {
      const ImportedPart part = std::move(made.parts[at]);
      const std::string name = names_.Free(NamePrefix(item.words) + SlugOfPart(part.part));
      const Json document =
          NewManifest(*part.kind, name, part.inputs,
                      {parts_.provider.is_default ? "" : parts_.provider.name, wish_.protect});
      const std::string text =
          ImportedManifestText(reconcilers::ResourceId{target.name, part.part}.Text(), document);
      if (const std::string fault = FaultOfManifest(*part.kind, text); !fault.empty()) {
        // One member that no manifest can declare is no reason to leave out the others.
        std::vector<ImportedPart> singles = SplitPart(item.asked.kinds, target, part);
        const bool of_role = fault.find(": spec.role: ") != std::string::npos;
        if (!singles.empty() && !of_role) {
          made.parts.insert(made.parts.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                            std::make_move_iterator(singles.begin()),
                            std::make_move_iterator(singles.end()));
          continue;
        }
        LeaveOut(item, fault);
        counts.left_out += part.grants;
        counts.imported -= part.grants;
        continue;
      }
      names_.Take(name);
      added.Add(text);
      if (!first) first = {part.kind, document.at("spec"), parts_.provider.name};
    }
    // Half of a target would have the next pass remove the other half.
    if (removes && counts.left_out > 0 && item.asked.claims.empty() && !added.text.empty()) {
      LeaveOut(item,
               "the whole target: undeclared roles are removed there "
               "(undeclaredRoles: remove), and a part cannot be declared");
      counts.left_out += std::exchange(counts.imported, 0);
      added = {};
      first.reset();
    }
    const FileLimits limits = LimitsOfReader();
    if (added.count > limits.documents || added.text.size() > limits.bytes) {
      LeaveOut(item, "the whole target: its " + Count(added.count, "manifest") +
                         " are more than bindery reads of one file");
      counts.left_out += std::exchange(counts.imported, 0);
      added = {};
      first.reset();
    }
    report_.counts.Add(counts);
    texts.Add(added);
    if (first) written_.push_back(*std::move(first));
  }

  const PolicyImportParts& parts_;
  const PolicyImportWish& wish_;
  std::vector<WrittenManifest>& written_;
  const controller::CatalogSettings settings_;
  const KeepingRules keeping_;
  const TargetImportRules rules_;
  std::map<Target, std::vector<const DeclaredManifest*>> claims_;
  std::set<std::pair<std::string, std::string>> forms_;  ///< Of the targets with claims, by kind.
  TakenNames names_;
  std::vector<Item> items_;
  ReadChunk chunk_;
  PolicyImportReport report_;
};

}  // namespace

Expected<void> CheckKindPattern(const providers::InventorySource& source,
                                const PolicyImportWish& wish) {
  if (wish.kinds.empty()) return {};
  const providers::Kinds& kinds = providers::KnownKinds();
  const std::string& type = kinds.FindByTargets(source.JudgedAs())->traits().provider_type;
  for (const manifests::KindSchema* schema : kinds.Schemas()) {
    const reconcilers::Kind* kind = kinds.Find(schema->token);
    const bool is_binding = kind != nullptr && kind->traits().provider_type == type &&
                            kinds.FindByTargets(kind->traits().policy) == kind;
    if (is_binding && FitsShape(GetImportKinds(source, *kind), wish)) return {};
  }
  return Fail(Code::kInvalidArgument, "--kind: \"" + wish.kinds +
                                          "\" fits no kind of the manifests that --as asks for: "
                                          "bindery kinds lists the kinds");
}

Expected<PolicyImportReport> ImportPolicies(const PolicyImportParts& parts,
                                            const PolicyImportWish& wish,
                                            const InventoryFacts& facts,
                                            std::vector<WrittenManifest>& written) {
  auto report = PolicyImport(parts, wish, written).Run(facts);
  if (!report) return report;
  report->not_known = facts.scan.unread;
  if (const std::size_t errors = parts.declared.errors; errors > 0) {
    report->not_known.push_back("what manifests with errors declare: the manifests directory has " +
                                Count(errors, "error") + ", which bindery validate lists");
  }
  if (report->counts.unproven > 0) {
    report->not_known.push_back(
        "whether a service gave the access that looks like just-in-time access: of " +
        Count(report->counts.unproven, "grant") + " only the form was compared");
  }
  return report;
}

}  // namespace bindery::app
