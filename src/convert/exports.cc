// Exports of other tools: whole values, no expressions.

#include "convert/exports.h"

#include <algorithm>
#include <utility>

#include "convert/exported_spec.h"
#include "convert/nodes.h"
#include "core/text/left_aside.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

namespace {

constexpr std::string_view kWhole = "the whole resource: ";

/// Hides the parts that the marks name; whether there was one.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
bool Hide(const Node& marks, Node& value) {
  if (marks.kind == NodeKind::kBool) {
    if (!marks.AsBool()) return false;
    value = TextNode(std::string(1, kUnknownPart), value.at);
    return true;
  }
  bool hidden = false;
  for (std::size_t i = 0; i < std::min(marks.items.size(), value.items.size()); ++i) {
    hidden = Hide(marks.items[i], value.items[i]) || hidden;
  }
  for (const Node::Entry& mark : marks.fields) {
    Node* part = FindIn(value, mark.key);
    if (part != nullptr) hidden = Hide(mark.value, *part) || hidden;
  }
  return hidden;
}

/// Whether the name of the resource lacks the project. The default project of the configuration
/// would then complete the name, and may be a different project.
bool LacksProject(const Counterpart& of, const Node& spec) {
  constexpr std::string_view kProjects = "projects/";
  if (of.type == nullptr || !of.type->name.starts_with(std::string(kProjects) + "{project}/")) {
    return false;
  }
  const std::string name = TextUnder(spec, "name");
  return !name.empty() && name.find(kProjects) == std::string::npos;
}

}  // namespace

Exports::Exports(Conversion& conversion, const manifests::KindSchemas& table,
                 const ForeignFacts& facts)
    : Translator(conversion, table), facts_(facts), types_(kinds()) {}

tl::expected<manifests::Template, manifests::TextFault> Exports::Parse(
    std::string_view text) const {
  return manifests::Template{{std::string(text), std::nullopt, 0}};
}

tl::expected<Meaning, std::string> Exports::Find(const manifests::FieldPath& /*path*/) const {
  return tl::unexpected(std::string("exports hold no references"));
}

Counterpart Exports::OfTerraform(const std::string& type) const { return types_.Find(type, false); }

bool Exports::GrantsAccess(const std::string& type) const {
  return facts_.grants_access && facts_.grants_access(type);
}

bool Exports::MayGrantAccess(const std::string& type) const {
  return type.empty() || OfTerraform(type).kind != nullptr || GrantsAccess(type) ||
         (facts_.granting_field && !facts_.granting_field(type).empty());
}

bool Exports::IsOnRequest(const manifests::KindSchema& kind, const Node& values) const {
  const Node* condition = MapUnder(values, "condition");
  return condition != nullptr && facts_.is_on_request &&
         facts_.is_on_request(kind, TextUnder(*condition, "title"),
                              TextUnder(*condition, "expression"));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
Exports::Lasting Exports::EraseUnlasting(const manifests::KindSchema& kind,
                                         const manifests::FieldList& fields, Node& values) const {
  Lasting lasting;
  if (IsOnRequest(kind, values)) return {0, 1, false};
  const auto is_deleted = [&](const Node& value) {
    return value.kind == NodeKind::kString && facts_.is_deleted &&
           facts_.is_deleted(kind, value.text);
  };
  for (Node::Entry& entry : values.fields) {
    const manifests::Field* field = FieldCalled(fields, entry.key);
    if (field == nullptr) continue;
    std::vector<Node>& items = entry.value.items;
    const std::size_t before = items.size();
    lasting.deleted += std::erase_if(items, is_deleted);
    std::erase_if(items, [&](Node& item) {
      const Lasting part = EraseUnlasting(kind, field->fields, item);
      lasting.deleted += part.deleted;
      lasting.on_request += part.on_request;
      return !part.complete;
    });
    const bool emptied = before > 0 && items.empty();
    const bool alone = is_deleted(entry.value);
    if (alone) ++lasting.deleted;
    if (emptied && !field->required && field->item_type == manifests::FieldType::kString) {
      entry.value = Node{};
    } else if (alone || emptied) {
      lasting.complete = false;
    }
  }
  std::erase_if(values.fields,
                [](const Node::Entry& entry) { return entry.value.kind == NodeKind::kNull; });
  return lasting;
}

void Exports::NoteUnlasting(const ExportedResource& resource, const Lasting& lasting) {
  if (lasting.deleted > 0) {
    Note(resource.at, resource.address, DeletedLeftAside(lasting.deleted));
  }
  if (lasting.on_request > 0) {
    Note(resource.at, resource.address,
         OnRequestLeftAside(lasting.on_request, "binding", "of access on request"));
  }
}

void Exports::TakeOther(const ExportedResource& resource) {
  const std::string_view field = FindGrantingField(facts_, resource.type, resource.values);
  std::string why = resource.fault.empty() ? types_.WhyNot(resource.type, false) : resource.fault;
  if (resource.type.empty()) {
    why = "it has no \"type\"";
  } else if (!field.empty()) {
    why = ExplainGrantingField(field);
  } else if (!GrantsAccess(resource.type)) {
    return PassOver("resource that grants no access", "resources that grant no access");
  }
  LeaveOut(resource.at, resource.address, std::string(kWhole) + why);
}

void Exports::Take(ExportedResource resource) {
  if (resource.of.kind == nullptr) return TakeOther(resource);
  tl::expected<Node, std::string> spec =
      resource.fault.empty() ? SpecOfValues(resource.of, resource.values)
                             : tl::expected<Node, std::string>(tl::unexpected(resource.fault));
  if (spec && LacksProject(resource.of, *spec)) {
    Put(resource.values, "project", TextNode(std::string(1, kUnknownPart), resource.at));
    spec = tl::unexpected(std::string("nothing here names its project"));
  }
  if (!spec) {
    LeaveOut(resource.at, resource.address, std::string(kWhole) + spec.error());
    return Hold(
        {resource.address, resource.at, resource.of.kind, KnownSpec(resource.of, resource.values)});
  }
  const Lasting lasting = EraseUnlasting(*resource.of.kind, resource.of.kind->inputs, *spec);
  if (!lasting.complete) {
    return PassOver("resource that names only deleted principals and access on request",
                    "resources that name only deleted principals and access on request");
  }
  NoteUnlasting(resource, lasting);
  Draft draft;
  draft.name = NewName(resource.name, resource.at, resource.address);
  draft.origin = resource.address;
  draft.kind = resource.of.kind;
  AddDraft(std::move(draft), std::move(*spec), std::move(resource.options), resource.at,
           std::move(resource.labels));
}

void Exports::TellPassedOver(Position at) {
  for (const auto& [texts, count] : passed_) {
    const std::string what = count == 1 ? texts.first + " is" : texts.second + " are";
    Note(at, "", std::to_string(count) + " " + what + " passed over");
  }
}

bool Exports::ReportUnknown(const Node& map, std::string_view known, const std::string& path) {
  const auto keys = manifests::Split(known, ' ');
  bool found = false;
  for (const Node::Entry& entry : map.fields) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    found = true;
    const std::vector<std::string> words(keys.begin(), keys.end());
    LeaveOut(entry.key_at, manifests::JoinPath(path, entry.key),
             "it is not known what this holds" + manifests::DidYouMean(entry.key, words));
  }
  return found;
}

namespace {

/// The service gives the entry to each resource. Fields without a value are in states.
bool IsGivenToEach(const ForeignFacts& facts, const Node& entry) {
  if (!facts.is_given_to_each) return false;
  std::vector<std::string> texts;
  for (const Node::Entry& field : entry.fields) {
    if (!field.value.items.empty() || !field.value.fields.empty()) return false;
    if (field.value.kind == NodeKind::kString && !field.value.text.empty()) {
      texts.push_back(field.value.text);
    }
  }
  std::ranges::sort(texts);
  return facts.is_given_to_each(texts);
}

}  // namespace

std::string_view FindGrantingField(const ForeignFacts& facts, const std::string& type,
                                   const Node& values) {
  const std::string_view field =
      facts.granting_field ? facts.granting_field(type) : std::string_view();
  if (field.empty()) return field;
  const Node* value = values.Find(field);
  const Node* dynamic = MapUnder(values, "dynamic");
  if (dynamic != nullptr && dynamic->Find(field) != nullptr) return field;
  if (value == nullptr) return {};
  const auto is_other = [&facts](const Node& entry) { return !IsGivenToEach(facts, entry); };
  const bool is_scalar = value->kind != NodeKind::kNull && value->kind != NodeKind::kList &&
                         value->kind != NodeKind::kMap;
  const bool grants =
      std::ranges::any_of(value->items, is_other) || !value->fields.empty() || is_scalar;
  return grants ? field : std::string_view();
}

std::string ExplainGrantingField(std::string_view field) {
  return "its " + manifests::Quote(field) + " grants access, which no kind of bindery declares";
}

std::string TextUnder(const Node& map, std::string_view key) {
  const Node* value = map.Find(key);
  const bool scalar =
      value != nullptr && (value->kind == NodeKind::kString || value->kind == NodeKind::kInteger);
  return scalar ? value->text : std::string();
}

const Node* MapUnder(const Node& map, std::string_view key) {
  const Node* value = map.Find(key);
  return value != nullptr && value->kind == NodeKind::kMap ? value : nullptr;
}

const Node* ListUnder(const Node& map, std::string_view key) {
  const Node* value = map.Find(key);
  return value != nullptr && value->kind == NodeKind::kList ? value : nullptr;
}

bool HideMarked(const Node& marks, const manifests::KindSchema& kind,
                const manifests::TerraformType* type, Node& values) {
  if (marks.kind == NodeKind::kBool && marks.AsBool()) {
    values = MapNode(values.at);
    return true;
  }
  bool used = false;
  for (const Node::Entry& mark : marks.fields) {
    Node* value = FindIn(values, mark.key);
    if (value == nullptr || !Hide(mark.value, *value)) continue;
    // The service makes these, and no manifest has them.
    const bool made = mark.key == "id" || mark.key == "etag" ||
                      (FieldCalled(kind.outputs, mark.key) != nullptr &&
                       FieldCalled(kind.inputs, mark.key) == nullptr);
    used = used || !made ||
           (type != nullptr && std::ranges::find(type->ids, mark.key) != type->ids.end());
  }
  return used;
}

}  // namespace bindery::convert
