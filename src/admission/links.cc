#include "admission/links.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "admission/cycles.h"
#include "admission/declared_value.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/field_path.h"
#include "manifests/schema/value_type.h"

namespace bindery::admission {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
/// Names that are compared in search of the nearest spelling, over all faults: each takes about a
/// microsecond, and the scan waits.
constexpr std::size_t kMostComparisons = 200'000;
/// How much of a cycle is told.
constexpr std::size_t kLongestCycleTold = 10;

/// The place where a manifest names a second manifest.
struct Place {
  std::string path;
  int line = 0;
  int column = 0;
};

/// An edge from a manifest to a second manifest.
struct Edge {
  std::size_t to = 0;
  Place place;
};

Place FindPlace(const manifests::Reference& reference) {
  return {reference.path, reference.line, reference.column};
}

/// Of the i-th of a list among the options.
Place PlaceIn(const std::vector<manifests::ExtraOptions::Place>& places, const char* option,
              std::size_t i) {
  Place place{std::string("options.") + option + "[" + std::to_string(i) + "]"};
  if (i < places.size()) {
    place.line = places[i].line;
    place.column = places[i].column;
  }
  return place;
}

std::vector<std::string> FieldNames(const manifests::KindSchema& kind) {
  std::vector<std::string> names;
  for (const auto* fields : {&kind.inputs, &kind.outputs}) {
    for (const manifests::Field& field : *fields) names.push_back(field.name);
  }
  return names;
}

class LinkCheck {
 public:
  explicit LinkCheck(const AdmissionInput& input) : input_(input) {}

  std::vector<LinkFault> Run() {
    CollectNames();
    for (const auto* manifests : {&input_.manifests, &input_.invalid}) {
      for (const auto& manifest : *manifests) {
        if (manifest->linked()) CheckOne(*manifest);
      }
    }
    RefuseSharedAliases();
    RefuseCycles();
    return std::move(faults_);
  }

 private:
  void CollectNames() {
    for (std::size_t i = 0; i < input_.manifests.size(); ++i) {
      const auto [at, first] = nodes_.try_emplace(input_.manifests[i]->name, i);
      if (!first) at->second = kNone;  // Which of them is meant cannot be told.
    }
    std::set<std::string> unclear = input_.broken_files;
    for (const manifests::Problem& problem : input_.problems) {
      if (!problem.is_error()) continue;
      if (problem.resource.empty()) {
        unclear.insert(problem.file);
      } else {
        nodes_.try_emplace(problem.resource, kNone);
      }
    }
    if (!unclear.empty()) CollectUnclear(unclear);
    for (const InForce& resource : input_.in_force) {
      if (!resource.gone && input_.blank_files.contains(resource.source.file)) {
        nodes_.try_emplace(resource.name, kNone);
      }
    }
  }

  /// For an unreadable file, the last known manifests count as present. A file that never held a
  /// manifest may hold any name.
  void CollectUnclear(const std::set<std::string>& unclear) {
    std::set<std::string> known;
    for (const InForce& resource : input_.in_force) {
      if (resource.gone) continue;
      // An unreadable folder is unclear with everything in it.
      for (std::string path = resource.source.file; !path.empty();) {
        if (unclear.contains(path)) {
          nodes_.try_emplace(resource.name, kNone);
          known.insert(path);
          break;
        }
        const auto slash = path.rfind('/');
        path.resize(slash == std::string::npos ? 0 : slash);
      }
    }
    const auto never_read =
        std::find_if(unclear.begin(), unclear.end(),
                     [&](const std::string& file) { return !known.contains(file); });
    if (never_read != unclear.end()) never_read_ = *never_read;
  }

  void CheckOne(const manifests::Manifest& manifest) {
    const manifests::KnownName known = [this](const std::string& name) {
      return nodes_.contains(name);
    };
    if (manifest.references != nullptr) {
      for (const manifests::Reference& reference : *manifest.references) {
        CheckReference(manifest, reference, known);
      }
    }
    const manifests::ExtraOptions& rare = manifest.options.extra_options();
    for (std::size_t i = 0; i < rare.depends_on.size(); ++i) {
      Place place = PlaceIn(rare.depends_on_at, "dependsOn", i);
      if (nodes_.contains(rare.depends_on[i])) {
        Follow(manifest, rare.depends_on[i], std::move(place));
      } else {
        RefuseUnknown(manifest, {rare.depends_on[i]}, place, "");
      }
    }
    for (std::size_t i = 0; i < rare.aliases.size(); ++i) {
      const std::string& alias = rare.aliases[i];
      Place place = PlaceIn(rare.aliases_at, "aliases", i);
      if (nodes_.contains(alias)) {
        Add(manifest, place, "AliasInUse",
            manifests::Quote(alias) +
                " is a manifest of this directory: an alias is a former name");
      }
      aliases_[alias].emplace_back(&manifest, std::move(place));
    }
  }

  /// Adds the edge from a manifest to the named manifest. Requires: a manifest of the name exists.
  void Follow(const manifests::Manifest& manifest, const std::string& name, Place place) {
    const std::size_t target = nodes_.at(name);
    const auto self = nodes_.find(manifest.name);
    if (target == kNone || self == nodes_.end() || self->second == kNone) return;
    edges_[self->second].push_back({target, std::move(place)});
  }

  /// `names`: possible meanings, the likeliest first. `otherwise`: a further possible error.
  void RefuseUnknown(const manifests::Manifest& manifest, const std::vector<std::string>& names,
                     const Place& place, const std::string& otherwise) {
    for (const std::string& name : names) {
      const std::string hint = Hint(name, manifest.name);
      if (hint.empty()) continue;
      Add(manifest, place, "UnknownReference",
          "there is no manifest " + manifests::Quote(name) + hint);
      return;
    }
    std::string message = "there is no manifest " + manifests::QuotedList(names, "or");
    if (!never_read_.empty()) {
      message += ", unless in " + manifests::Quote(never_read_) + ", which cannot be read in full";
    } else {
      message += otherwise;
    }
    Add(manifest, place, "UnknownReference", std::move(message));
  }

  void CheckReference(const manifests::Manifest& manifest, const manifests::Reference& reference,
                      const manifests::KnownName& known) {
    const Place place = FindPlace(reference);
    const manifests::FieldPath path = manifests::MakePath(reference);
    const manifests::NamedPath named = manifests::SplitName(path, known);
    const auto found = nodes_.find(named.name);
    if (found == nodes_.end()) {
      // "${PROJECT}" is the form of other tools.
      const bool variable = reference.text.find_first_not_of(
                                "${}ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == std::string::npos;
      RefuseUnknown(
          manifest, manifests::PossibleNames(path), place,
          std::string(variable ? "; variables of the environment are not filled in" : "") +
              "; a literal \"${\" is written \"$${\"");
      return;
    }
    Follow(manifest, named.name, place);
    const manifests::Manifest* target =
        found->second == kNone ? nullptr : input_.manifests[found->second].get();
    const manifests::KindSchema* kind =
        target == nullptr || !input_.schema_of ? nullptr : input_.schema_of(*target->token);
    if (named.below.empty()) {
      std::string message = reference.text + " names a manifest: a field of it is needed";
      if (kind != nullptr)
        message += "; known are " + manifests::QuotedList(FieldNames(*kind), "and");
      Add(manifest, place, "MissingField", std::move(message));
    } else if (kind != nullptr) {
      CheckField(manifest, reference, named.below, {*target, *kind});
    }
  }

  /// The target of a reference.
  struct Named {
    const manifests::Manifest& manifest;
    const manifests::KindSchema& kind;
  };

  void CheckField(const manifests::Manifest& manifest, const manifests::Reference& reference,
                  const manifests::FieldPath& path, const Named& named) {
    const Place place = FindPlace(reference);
    const manifests::FieldList* const fields[] = {&named.kind.inputs, &named.kind.outputs};
    const tl::expected<manifests::FoundField, std::string> found =
        manifests::FindFieldAt(fields, path);
    if (!found) {
      Add(manifest, place, "UnknownField", reference.text + ": " + found.error());
    } else if (found->secret) {
      Add(manifest, place, "SecretReference",
          reference.text + " is a secret: it cannot be used in a manifest");
    } else if (const std::string fault = manifests::TypeFault(reference, *found); !fault.empty()) {
      Add(manifest, place, "WrongType", reference.text + " " + fault);
    } else if (const std::string none = declared_.FindFault(named.manifest, named.kind, path);
               !none.empty()) {
      Add(manifest, place, "MissingValue", reference.text + ": " + none);
    }
  }

  void RefuseSharedAliases() {
    for (const auto& [alias, users] : aliases_) {
      if (users.size() < 2) continue;
      for (const auto& [manifest, place] : users) {
        const auto other =
            std::find_if(users.begin(), users.end(),
                         [one = manifest](const auto& user) { return user.first != one; });
        if (other == users.end()) continue;  // Twice in one list.
        Add(*manifest, place, "AliasInUse",
            manifests::Quote(alias) + " is also an alias of " +
                manifests::Quote(other->first->name) + " (" + other->first->source.Text() +
                "): one resource has one former owner; leave it in one of them");
      }
    }
  }

  void RefuseCycles() {
    if (edges_.empty()) return;
    Graph graph(input_.manifests.size());
    for (const auto& [node, edges] : edges_) {
      for (const Edge& edge : edges) graph[node].push_back(edge.to);
    }
    const Cycles found = FindCycles(graph);
    for (std::size_t node = 0; node < found.of_node.size(); ++node) {
      if (!found.of_node[node]) continue;
      const CyclePlace& at = *found.of_node[node];
      const std::vector<std::size_t>& cycle = found.cycles[at.cycle];
      const std::size_t next = cycle[(at.place + 1) % cycle.size()];
      const std::vector<Edge>& edges = edges_.at(node);
      auto edge = std::find_if(edges.begin(), edges.end(),
                               [next](const Edge& one) { return one.to == next; });
      if (edge == edges.end()) edge = edges.begin();
      Add(*input_.manifests[node], edge->place, "DependencyCycle",
          "these manifests wait for each other: " + CycleText(cycle, at.place) +
              "; take one of these references or dependencies out");
    }
  }

  /// "a -> b -> a", beginning at a place of the cycle.
  [[nodiscard]] std::string CycleText(const std::vector<std::size_t>& cycle,
                                      std::size_t begin) const {
    const auto name = [&](std::size_t i) -> const std::string& {
      return input_.manifests[cycle[(begin + i) % cycle.size()]]->name;
    };
    std::string text;
    for (std::size_t i = 0; i < std::min(cycle.size(), kLongestCycleTold); ++i) {
      text += name(i) + " -> ";
    }
    if (cycle.size() > kLongestCycleTold) {
      text += "(" + std::to_string(cycle.size() - kLongestCycleTold) + " more) -> ";
    }
    return text + name(0);
  }

  /// ", did you mean …?" if the name of a manifest is near.
  std::string Hint(const std::string& name, const std::string& own) {
    constexpr std::size_t kFurthest = 2;
    std::vector<std::string> candidates;
    if (compared_ < kMostComparisons) {
      for (const auto& [known, node] : nodes_) {
        const std::size_t longer = std::max(known.size(), name.size());
        const bool near = longer - std::min(known.size(), name.size()) <= kFurthest;
        if (near && known != own) candidates.push_back(known);
      }
      compared_ += nodes_.size();
    }
    // The choice between two equally near names must not depend on the order in memory.
    std::sort(candidates.begin(), candidates.end());
    return manifests::DidYouMean(name, candidates);
  }

  void Add(const manifests::Manifest& manifest, const Place& place, std::string code,
           std::string message) {
    manifests::Problem problem;
    problem.file = manifest.source.file;
    problem.line = place.line > 0 ? place.line : manifest.source.line;
    problem.column = place.line > 0 ? place.column : 1;
    problem.path = place.path;
    problem.code = std::move(code);
    problem.message = std::move(message);
    problem.resource = manifest.name;
    faults_.push_back({&manifest, std::move(problem)});
  }

  const AdmissionInput& input_;
  /// For each name the manifest; kNone if the manifest cannot be read or the name is not unique.
  std::unordered_map<std::string, std::size_t> nodes_;
  std::unordered_map<std::size_t, std::vector<Edge>> edges_;
  std::map<std::string, std::vector<std::pair<const manifests::Manifest*, Place>>> aliases_;
  DeclaredValues declared_;
  std::string never_read_;  ///< A file that may hold any name; empty: there is none.
  std::size_t compared_ = 0;
  std::vector<LinkFault> faults_;
};

}  // namespace

bool HasLinks(const AdmissionInput& input) {
  // Only referenced invalid documents are kept.
  return !input.invalid.empty() ||
         std::any_of(input.manifests.begin(), input.manifests.end(),
                     [](const auto& manifest) { return manifest->linked(); });
}

std::vector<LinkFault> CheckLinks(const AdmissionInput& input) {
  if (!HasLinks(input)) return {};
  return LinkCheck(input).Run();
}

}  // namespace bindery::admission
