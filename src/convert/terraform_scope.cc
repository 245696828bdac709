#include "convert/terraform_scope.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "convert/convert.h"
#include "convert/expressions.h"
#include "convert/names.h"
#include "convert/nodes.h"
#include "convert/shapes/keys.h"
#include "convert/shapes/terraform_shapes.h"
#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"
#include "yaml/reader.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

/// No name of a resource is longer.
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kMostRepetitions = 10'000;
/// A resource with a reference to a second resource with a reference to a third …
constexpr int kLongestChain = 8;

bool IsDigits(std::string_view text) { return manifests::IsDecimal(text) && text.size() < 10; }

bool IsText(const Node& node) {
  return node.kind == NodeKind::kString || node.kind == NodeKind::kInteger;
}

/// The content of "${…}"; nothing: the text is something else, or more.
std::optional<std::string> Inside(const Node& node) {
  const std::string& text = node.text;
  const bool one = node.kind == NodeKind::kString && text.starts_with("${") &&
                   text.ends_with('}') && text.find("${", 2) == std::string::npos;
  return one ? std::optional(text.substr(2, text.size() - 3)) : std::nullopt;
}

/// The argument of a function, if the text is the function's call.
std::optional<std::string> GetArgument(std::string_view function, const std::string& text) {
  const bool call = text.starts_with(function) && text.size() > function.size() + 1 &&
                    text[function.size()] == '(' && text.ends_with(')');
  if (!call) return std::nullopt;
  return text.substr(function.size() + 1, text.size() - function.size() - 2);
}

/// The path in a text that names a resource, with or without "${…}" around; empty: no path.
manifests::FieldPath AddressPath(const Node* node) {
  if (node == nullptr || node->kind != NodeKind::kString) return {};
  std::string_view text = node->text;
  if (text.starts_with("${") && text.ends_with('}')) text = text.substr(2, text.size() - 3);
  auto path = manifests::ParseFieldPath(text);
  return path ? std::move(*path) : manifests::FieldPath();
}

/// Of "TYPE.NAME" and "data.TYPE.NAME"; 1 without a path.
std::size_t CountAddressSteps(const manifests::FieldPath& path) {
  if (path.empty()) return 1;
  return path.front().name == "data" ? 3 : 2;
}

const manifests::Field* FindSnakeCase(const manifests::FieldList& fields, const std::string& name) {
  const auto found = std::find_if(
      fields.begin(), fields.end(),
      [&name](const manifests::Field& field) { return SnakeCase(field.name) == name; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

TerraformScope::TerraformScope(Conversion& conversion, const manifests::KindSchemas& table,
                               const ConvertWish& wish)
    : Translator(conversion, table), wish_(wish), types_(kinds()) {}

std::string JoinedSteps(const manifests::FieldPath& path, std::size_t steps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(steps, path.size()); ++i) {
    text += (i == 0 ? "" : ".") + path[i].name;
  }
  return text;
}

manifests::FieldPath CanonicalPath(const manifests::KindSchema& kind,
                                   const manifests::FieldPath& path) {
  manifests::FieldPath made;
  const manifests::FieldList* fields = &kind.inputs;
  const manifests::Field* last = nullptr;
  for (const manifests::PathStep& step : path) {
    const bool number = step.index || IsDigits(step.name);
    // A single block is a list of one block.
    if (number && last != nullptr && last->type == manifests::FieldType::kObject) continue;
    if (number) {
      made.push_back({"", step.index ? *step.index : std::stoul(step.name)});
      continue;
    }
    last = FindSnakeCase(*fields, step.name);
    if (last == nullptr && made.empty()) last = FindSnakeCase(kind.outputs, step.name);
    made.push_back({last == nullptr ? step.name : last->name});
    if (last != nullptr) fields = &last->fields;
  }
  return made;
}

tl::expected<manifests::Template, manifests::TextFault> TerraformScope::Parse(
    std::string_view text) const {
  return ParseTerraformText(text);
}

tl::expected<Meaning, std::string> TerraformScope::FindRepeated(
    const manifests::FieldPath& path) const {
  const std::string name = JoinedSteps(path, 2);
  if (repetition_ != nullptr && (name == "each.key" || name == "count.index")) {
    return Meaning{{}, {}, &repetition_->key};
  }
  if (repetition_ == nullptr || name != "each.value") {
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) +
                          " has no counterpart in a manifest");
  }
  const Node* value = &repetition_->value;
  for (std::size_t i = 2; i < path.size() && value != nullptr; ++i)
    value = value->Find(path[i].name);
  if (value == nullptr)
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) + " leads nowhere");
  return Meaning{{}, {}, value};
}

tl::expected<Meaning, std::string> TerraformScope::Find(const manifests::FieldPath& path) const {
  const std::string& root = path.front().name;
  if (root == "each" || root == "count") return FindRepeated(path);
  if (root == "path" || root == "terraform" || root == "module" || root == "self") {
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) +
                          " has no counterpart in a manifest");
  }
  const std::size_t steps = root == "data" ? 3 : 2;
  const auto found = symbols_.find(JoinedSteps(path, steps));
  if (found == symbols_.end() && root == "var") {
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) + " is an input variable");
  }
  if (found == symbols_.end()) {
    return tl::unexpected("the file has no " + manifests::Quote(JoinedSteps(path, steps)));
  }
  const Symbol& symbol = found->second;
  const bool other = others_.count(found->first) > 0;
  if (other && (path.size() <= steps || symbol.literal->Find(path[steps].name) == nullptr)) {
    return tl::unexpected("the file does not tell what " +
                          manifests::Quote(manifests::PathText(path)) + " is");
  }
  tl::expected<Meaning, std::string> meaning = Follow(symbol, path, std::min(steps, path.size()));
  if (!meaning || symbol.kind == nullptr) return meaning;
  meaning->below = CanonicalPath(*symbol.kind, meaning->below);
  const bool name = !meaning->below.empty() && meaning->below.front().name == "name";
  if (name && symbol.short_name) {
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) +
                          " is a short name there, and the full resource name in the manifest");
  }
  return meaning;
}

void TerraformScope::ReportSections(const Node& root) {
  static const std::vector<std::string> kSections = {
      "//",     "resource", "data",    "provider",  "terraform", "locals", "variable", "output",
      "module", "check",    "removed", "ephemeral", "import",    "moved",  "action"};
  for (const Node::Entry& entry : root.fields) {
    if (std::ranges::find(kSections, entry.key) != kSections.end()) continue;
    LeaveOut(entry.key_at, entry.key,
             "Terraform has no such section" + manifests::DidYouMean(entry.key, kSections));
  }
}

void TerraformScope::ReportKeys(const TerraformBlock& block, std::vector<std::string> known) {
  known.emplace_back("//");
  for (const Node::Entry& entry : block.body->fields) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    LeaveOut(entry.key_at, manifests::JoinPath(block.path, entry.key),
             "it is not known what this holds" + manifests::DidYouMean(entry.key, known));
  }
}

void TerraformScope::NameLocals(const TerraformBlock& block) {
  for (const Node::Entry& entry : block.body->fields) {
    if (entry.key == "//") continue;
    const Node known = Known(entry.value);
    Symbol symbol;
    if (HasUnknown(known)) {
      symbol.reason = "that local value is left out";
      LeaveOutHarmless(entry.key_at, manifests::JoinPath(block.path, entry.key),
                       "only plain values can be carried over");
    } else {
      symbol.literal = known;
    }
    symbols_.emplace("local." + entry.key, std::move(symbol));
  }
}

void TerraformScope::NameVariable(const TerraformBlock& block) {
  ReportKeys(block, {"type", "default", "description", "sensitive", "nullable", "validation",
                     "ephemeral", "deprecated", "const"});
  const Node* given = block.body->Find("default");
  const Node* sensitive = block.body->Find("sensitive");
  const bool secret = sensitive != nullptr && sensitive->text != "false";
  Symbol symbol{.reason = secret ? "it is sensitive" : "it is an input variable without a default"};
  if (given != nullptr && given->kind != NodeKind::kNull && !secret) {
    symbol = Symbol{.literal = *given};
    Note(given->at, block.path, "an input variable: its default is written out where it is used");
  } else {
    LeaveOutHarmless(block.at, block.path,
                     "manifests have no input variables: write the values out");
  }
  symbols_.emplace("var." + block.labels[0], std::move(symbol));
}

void TerraformScope::NameProvider(const TerraformBlock& block) {
  Note(block.at, block.path, "providers belong into the configuration file: bindery.yaml");
  const std::string lower = AsciiLower(block.labels[0]);
  if (lower != block.labels[0]) {
    LeaveOut(block.at, block.path,
             "names of providers have no capitals, did you mean " + manifests::Quote(lower) + "?");
  }
  ReportWrong(FindOtherCase(*block.body, "project region zone alias", block.path), conversion());
  ReportWrong(FindWrongShapes(*block.body, kProviderBlockShapes, block.path), conversion());
  const Node* alias = block.body->Find("alias");
  const bool has_alias = alias != nullptr && alias->kind != NodeKind::kNull;
  providers_.emplace(block.labels[0] + (has_alias ? "." + alias->text : ""), block.body);
}

void TerraformScope::NameOther(const std::string& address, const TerraformBlock& block) {
  const bool repeated =
      block.body->Find("count") != nullptr || block.body->Find("for_each") != nullptr;
  if (repeated) {
    symbols_.emplace(address, Symbol{.reason = "it is left out"});
  } else if (symbols_.emplace(address, Symbol{.literal = MapNode(block.at)}).second) {
    others_.emplace(address, block);
  }
}

std::map<std::string, std::string> TerraformScope::SaidBy(const TerraformBlock& block) const {
  Node body = *block.body;
  for (const Node::Entry& entry : GetDefaults(block.labels[0], body).fields) {
    if (body.Find(entry.key) == nullptr) body.fields.push_back(entry);
  }
  std::map<std::string, std::string> said;
  for (const Node::Entry& entry : body.fields) {
    const Node known = Known(entry.value);
    if (IsText(known) && !HasUnknown(known)) said.emplace(entry.key, known.text);
  }
  if (wish_.facts.derived) said.merge(wish_.facts.derived(block.labels[0], said));
  return said;
}

void TerraformScope::KnowOthers() {
  bool more = true;
  for (int round = 0; more && round < kLongestChain; ++round) {
    more = false;
    for (const auto& [address, block] : others_) {
      const std::map<std::string, std::string> said = SaidBy(block);
      Node& known = *symbols_.at(address).literal;
      more = more || said.size() > known.fields.size();
      known = MapNode(block.at);
      for (const auto& [name, text] : said) Put(known, name, TextNode(text, block.at));
    }
  }
}

std::string TerraformScope::MakeAddress(const Node* node) {
  const auto path = AddressPath(node);
  const std::size_t steps = CountAddressSteps(path);
  return path.size() < steps ? std::string() : JoinedSteps(path, steps);
}

std::string TerraformScope::MakeInstanceAddress(const Node* node) {
  const auto path = AddressPath(node);
  const std::size_t steps = CountAddressSteps(path);
  if (path.size() <= steps) return MakeAddress(node);
  const manifests::PathStep& key = path[steps];
  return JoinedSteps(path, steps) +
         (key.index ? "[" + std::to_string(*key.index) + "]" : "[\"" + key.name + "\"]");
}

/// The list or map that `for_each` goes through.
std::optional<Node> TerraformScope::FindCollection(const Node& node) const {
  Node known = node;
  std::optional<std::string> text = Inside(node);
  if (text) {
    const auto set = GetArgument("toset", *text);
    const std::string inner = set.value_or(*text);
    const bool written = inner.starts_with('[') || inner.starts_with('{');
    const yaml::ReadResult read = written ? yaml::ReadJson(inner) : yaml::ReadResult();
    if (written && (!read.faults.empty() || read.documents.size() != 1)) return std::nullopt;
    known = written ? read.documents.front().root : Known(TextNode("${" + inner + "}", node.at));
    // Without toset() Terraform accepts no list.
    if (known.kind == NodeKind::kList && !set) return std::nullopt;
  } else {
    known = Known(node);
  }
  const bool collection = known.kind == NodeKind::kList || known.kind == NodeKind::kMap;
  if (!collection || HasUnknown(known)) return std::nullopt;
  return known;
}

tl::expected<std::vector<Repetition>, std::string> TerraformScope::ListRepetitions(
    const Node& body) const {
  std::vector<Repetition> made;
  if (const Node* given = body.Find("count")) {
    const Node count = Known(*given);
    std::size_t number = 0;
    const auto end =
        std::from_chars(count.text.data(), count.text.data() + count.text.size(), number);
    const bool whole = end.ec == std::errc() && end.ptr == count.text.data() + count.text.size();
    if (!whole || HasUnknown(count) || number > kMostRepetitions) {
      return tl::unexpected(
          std::string("\"count\" makes several of it, and the file does not tell how many"));
    }
    for (std::size_t i = 0; i < number; ++i) {
      Node index = TextNode(std::to_string(i), given->at);
      index.kind = NodeKind::kInteger;
      made.push_back({"[" + index.text + "]", index, index});
    }
    return made;
  }
  const std::optional<Node> all = FindCollection(*body.Find("for_each"));
  if (!all || all->items.size() + all->fields.size() > kMostRepetitions) {
    return tl::unexpected(
        std::string("\"for_each\" makes several of it, and the file does not tell which"));
  }
  for (const Node& item : all->items) {
    const bool again = std::ranges::any_of(
        made, [&item](const Repetition& one) { return one.key.text == item.text; });
    if (!again) made.push_back({"[\"" + item.text + "\"]", item, item});
  }
  for (const Node::Entry& entry : all->fields) {
    made.push_back({"[\"" + entry.key + "\"]", TextNode(entry.key, entry.key_at), entry.value});
  }
  return made;
}

Node TerraformScope::GetDefaults(const std::string& type, const Node& body) const {
  const Node* meta = body.Find("provider");
  const std::string implied = type.substr(0, type.find('_'));
  std::string name = implied;
  if (meta != nullptr && meta->kind != NodeKind::kNull) name = Inside(*meta).value_or(meta->text);
  Node defaults = MapNode(body.at);
  const auto found = providers_.find(name);
  // A module gets its aliases from the caller, and another provider without a block its project
  // from the environment: no other project may take the place.
  const bool foreign = found == providers_.end() && name != implied;
  for (const char* key : {"project", "region", "zone"}) {
    if (foreign) Put(defaults, key, TextNode(std::string(1, kUnknownPart), body.at));
    const Node* value = found == providers_.end() ? nullptr : found->second->Find(key);
    if (value != nullptr && value->kind != NodeKind::kNull) Put(defaults, key, Known(*value));
  }
  return defaults;
}

Node TerraformScope::Resolved(const Node& body) const {
  Node made = body;
  for (Node::Entry& entry : made.fields) {
    if (entry.value.kind != NodeKind::kString) continue;
    Node known = Known(entry.value);
    const bool plain = known.kind == NodeKind::kString && !HasUnknown(known) &&
                       known.text.size() <= kLongestName &&
                       known.text.find("${") == std::string::npos &&
                       known.text.find("%{") == std::string::npos;
    if (plain) entry.value = std::move(known);
  }
  return made;
}

}  // namespace bindery::convert
