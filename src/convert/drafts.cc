// Drafts as texts, and the handling of invalid drafts.

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "convert/convert.h"
#include "convert/nodes.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {
namespace {

using yaml::Node;

constexpr std::string_view kOptions = "options.";

/// An option, or one of its items.
struct OptionPlace {
  std::string name;
  std::optional<std::size_t> item;
  auto operator<=>(const OptionPlace&) const = default;
};

OptionPlace FindPlace(std::string_view path) {
  path.remove_prefix(kOptions.size());
  OptionPlace place = {std::string(path.substr(0, path.find_first_of(".["))), std::nullopt};
  path.remove_prefix(place.name.size());
  std::size_t index = 0;
  if (path.size() > 1 && path.front() == '[' &&
      std::from_chars(path.data() + 1, path.data() + path.size(), index).ec == std::errc()) {
    place.item = index;
  }
  return place;
}

void Erase(const OptionPlace& place, Node& document) {
  Node* options = FindIn(document, "options");
  Node* option = options == nullptr ? nullptr : FindIn(*options, place.name);
  if (option == nullptr) return;
  if (place.item && *place.item < option->items.size()) {
    option->items.erase(option->items.begin() + static_cast<std::ptrdiff_t>(*place.item));
  }
  if (!place.item || option->items.empty()) EraseFrom(*options, place.name);
  if (options->fields.empty()) EraseFrom(document, "options");
}

/// The parts to remove, found problem by problem.
class Removal {
 public:
  explicit Removal(Conversion& conversion) : conversion_(conversion) {
    for (Draft& draft : conversion.drafts) by_name_.emplace(draft.name, &draft);
  }

  void Add(const manifests::Problem& problem) {
    const auto found = by_name_.find(problem.resource);
    if (found == by_name_.end()) return;
    Draft& draft = *found->second;
    const bool error = problem.severity == manifests::ProblemSeverity::kError;
    // Checks across manifests have the option in their message alone.
    const bool told = problem.path.empty() && problem.message.starts_with(kOptions);
    const std::string path =
        told ? problem.message.substr(0, problem.message.find_first_of(": ")) : problem.path;
    const bool option = path.starts_with(kOptions);
    const std::string field = problem.path.empty() ? "" : problem.path + ": ";
    const std::string what = error && !option ? "the whole resource: " : "";
    conversion_.remarks.push_back({error, manifests::FindPosition(draft.document, path),
                                   draft.origin, what + field + problem.message});
    if (!error) return;
    if (option) {
      options_[&draft].insert(FindPlace(path));
    } else if (gone_.insert(draft.name).second) {
      open_.push_back(&draft);
    }
  }

  /// True when something went.
  bool Run() {
    // The last part goes first: earlier places stay valid.
    for (auto& [draft, places] : options_) {
      for (auto place = places.rbegin(); place != places.rend(); ++place) {
        Erase(*place, draft->document);
      }
    }
    FollowReferences();
    for (const Draft& draft : conversion_.drafts) {
      if (gone_.count(draft.name) > 0 && !draft.kind->read_only) Hold(draft);
    }
    std::erase_if(conversion_.drafts,
                  [this](const Draft& draft) { return gone_.count(draft.name) > 0; });
    for (Draft& draft : conversion_.drafts) ForgetDependencies(draft);
    return !options_.empty() || !gone_.empty();
  }

 private:
  void Hold(const Draft& draft) {
    const Node* spec = draft.document.Find("spec");
    HeldClaim claim = {draft.origin, draft.document.at, draft.kind, {}};
    if (spec != nullptr) claim.spec = KnownPart(*spec);
    conversion_.held.push_back(std::move(claim));
  }

  void FollowReferences() {
    std::multimap<std::string, const Draft*> users;
    for (const Draft& draft : conversion_.drafts) {
      for (const std::string& name : draft.refers_to) users.emplace(name, &draft);
    }
    while (!open_.empty()) {
      const Draft& gone = *open_.back();
      open_.pop_back();
      const auto [first, last] = users.equal_range(gone.name);
      for (auto user = first; user != last; ++user) {
        if (!gone_.insert(user->second->name).second) continue;
        conversion_.remarks.push_back(
            {true, user->second->document.at, user->second->origin,
             "the whole resource: it refers to " + gone.origin + ", which is left out"});
        open_.push_back(user->second);
      }
    }
  }

  void ForgetDependencies(Draft& draft) {
    Node* options = FindIn(draft.document, "options");
    Node* names = options == nullptr ? nullptr : FindIn(*options, "dependsOn");
    if (names == nullptr) return;
    for (std::size_t i = names->items.size(); i-- > 0;) {
      const Node& name = names->items[i];
      if (gone_.count(name.text) == 0) continue;
      conversion_.remarks.push_back({true, name.at, draft.origin,
                                     "the dependency on " + manifests::Quote(name.text) +
                                         " is left out, as that is left out"});
      Erase({"dependsOn", i}, draft.document);
      if (FindIn(draft.document, "options") == nullptr) return;
    }
  }

  Conversion& conversion_;
  std::map<std::string, Draft*> by_name_;
  std::map<Draft*, std::set<OptionPlace>> options_;
  std::set<std::string> gone_;
  std::vector<const Draft*> open_;  ///< Gone, but who refers to them is not looked for yet.
};

std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): as deep as a manifest
Node KnownPart(const Node& value) {
  Node known = value;
  if (value.kind == yaml::NodeKind::kString) {
    const auto pieces = manifests::ParseTemplate(value.text);
    known.text.clear();
    if (!pieces) known.text = kUnknownPart;
    for (const manifests::TemplatePiece& piece : pieces ? *pieces : manifests::Template()) {
      known.text += piece.path ? std::string(1, kUnknownPart) : piece.text;
    }
  }
  for (Node& item : known.items) item = KnownPart(item);
  for (Node::Entry& entry : known.fields) entry.value = KnownPart(entry.value);
  return known;
}

bool TakeOut(const std::vector<manifests::Problem>& problems, Conversion& conversion) {
  Removal removal(conversion);
  for (const manifests::Problem& problem : problems) removal.Add(problem);
  return removal.Run();
}

std::string ManifestText(const Draft& draft) {
  return "# Converted: " + OneLine(draft.origin) + "\n" +
         yaml::ToYaml(yaml::ToJson(draft.document));
}

}  // namespace bindery::convert
