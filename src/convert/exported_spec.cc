#include "convert/exported_spec.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "convert/convert.h"
#include "convert/expressions.h"
#include "convert/names.h"
#include "convert/nodes.h"
#include "convert/target_name.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"
#include "yaml/reader.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

using MadeNode = tl::expected<Node, std::string>;

bool IsBlocks(const manifests::Field& field) {
  return field.type == manifests::FieldType::kObject ||
         (field.type == manifests::FieldType::kList &&
          field.item_type == manifests::FieldType::kObject);
}

bool IsEmpty(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return true;
    case NodeKind::kList:
      return node.items.empty();
    case NodeKind::kMap:
      return node.fields.empty();
    case NodeKind::kString:
      return node.text.empty();
    default:
      return false;
  }
}

/// What the tool or the service adds to a resource, and what concerns the requests alone.
bool IsBookkeeping(const manifests::KindSchema& kind, const std::string& key) {
  constexpr std::string_view kKeys[] = {"id", "etag", "timeouts", "__defaults", "__meta"};
  const auto& extras = kind.elsewhere.pulumi_extras;
  const auto is_key = [&key](const std::string& extra) {
    return extra == key || SnakeCase(extra) == key;
  };
  return std::ranges::find(kKeys, key) != std::end(kKeys) || std::ranges::any_of(extras, is_key) ||
         FieldCalled(kind.outputs, key) != nullptr;
}

Node Scalar(const Node& value) {
  Node made = value;
  if (made.kind == NodeKind::kString) made.text = EscapedText(made.text);
  return made;
}

MadeNode CollectFields(const Node& values, const manifests::FieldList& fields,
                       const std::string& path);

MadeNode MakeScalars(const Node& value, const manifests::Field& field, const std::string& path) {
  const bool list = field.type == manifests::FieldType::kList;
  if (list != (value.kind == NodeKind::kList) || value.kind == NodeKind::kMap) {
    return tl::unexpected(manifests::Quote(path) + " is " + WhatIs(value));
  }
  Node made = Scalar(value);
  for (Node& item : made.items) {
    if (item.kind == NodeKind::kList || item.kind == NodeKind::kMap) {
      return tl::unexpected(manifests::Quote(path) + " holds " + WhatIs(item));
    }
    item = Scalar(item);
  }
  return made;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
MadeNode GetValue(const Node& value, const manifests::Field& field, const std::string& path) {
  if (!IsBlocks(field)) return MakeScalars(value, field, path);
  const std::vector<Node> given = value.kind == NodeKind::kList ? value.items : std::vector{value};
  const bool single = field.type == manifests::FieldType::kObject;
  if (single && given.size() > 1)
    return tl::unexpected(manifests::Quote(path) + " is given several times");
  Node list = ListNode({}, value.at);
  for (const Node& block : given) {
    if (block.kind != NodeKind::kMap)
      return tl::unexpected(manifests::Quote(path) + " is " + WhatIs(block));
    MadeNode item = CollectFields(block, field.fields, path + ".");
    if (!item || single) return item;
    list.items.push_back(std::move(*item));
  }
  return list;
}

/// A key with a value and without a field; empty: no such key.
std::string UnknownKeyIn(const Node& values, const manifests::FieldList& fields) {
  for (const Node::Entry& entry : values.fields) {
    const bool known = FieldCalled(fields, entry.key) != nullptr || IsEmpty(entry.value) ||
                       entry.key.starts_with("__");
    if (!known) return entry.key;
  }
  return "";
}

/// Whether the value means the same as its absence. An empty list of blocks may mean: nobody.
bool SaysNothing(const Node& value, const manifests::Field& field) {
  const bool blocks =
      field.type == manifests::FieldType::kList && field.item_type == manifests::FieldType::kObject;
  if (value.kind == NodeKind::kNull) return true;
  // An empty text in place of a condition must not widen the grant.
  const bool wrong =
      value.kind == NodeKind::kString &&
      (field.type == manifests::FieldType::kList || field.type == manifests::FieldType::kObject);
  return !field.required && IsEmpty(value) && !blocks && !wrong;
}

/// The values by the fields' names and in their order.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
MadeNode CollectFields(const Node& values, const manifests::FieldList& fields,
                       const std::string& path) {
  if (const std::string unknown = UnknownKeyIn(values, fields); !unknown.empty()) {
    return tl::unexpected("the kind has no field for " + manifests::Quote(path + unknown));
  }
  Node made = MapNode(values.at);
  for (const manifests::Field& field : fields) {
    for (const Node::Entry& entry : values.fields) {
      if (FieldCalled(fields, entry.key) != &field || SaysNothing(entry.value, field)) continue;
      if (FindIn(made, field.name) != nullptr) {
        return tl::unexpected(manifests::Quote(path + entry.key) + " is given twice");
      }
      MadeNode value = GetValue(entry.value, field, path + entry.key);
      if (!value) return value;
      made.fields.push_back({field.name, entry.key_at, std::move(*value)});
    }
  }
  return made;
}

bool IsPolicyData(const std::string& key) { return key == "policy_data" || key == "policyData"; }

/// The values with the parts of the policy in place of its text.
MadeNode WithPolicy(const Node& values, const manifests::KindSchema& kind) {
  Node made = values;
  const auto data = std::ranges::find_if(
      made.fields, [](const Node::Entry& entry) { return IsPolicyData(entry.key); });
  if (data == made.fields.end() || kind.inputs.Find("bindings") == nullptr) return made;
  const Node text = std::exchange(data->value, Node{});
  std::erase_if(made.fields, [](const Node::Entry& entry) { return IsPolicyData(entry.key); });
  const yaml::ReadResult read = yaml::ReadJson(text.text);
  const bool policy = text.kind == NodeKind::kString && read.faults.empty() &&
                      read.documents.size() == 1 &&
                      read.documents.front().root.kind == NodeKind::kMap;
  if (!policy) return tl::unexpected(std::string("\"policy_data\" is no policy as JSON"));
  for (const Node::Entry& entry : read.documents.front().root.fields) {
    if (entry.value.kind == NodeKind::kNull) {
      return tl::unexpected("\"policy_data." + entry.key + "\" is nothing");
    }
    // The service makes these fields.
    if (entry.key != "etag" && entry.key != "version") made.fields.push_back(entry);
  }
  return made;
}

/// Terraform writes nothing for an empty list of blocks.
void AddEmptyBlocks(const Counterpart& of, Node& spec) {
  if (of.type == nullptr || !of.type->policy_source.empty()) return;
  for (const manifests::Field& field : of.kind->inputs) {
    const bool blocks = field.type == manifests::FieldType::kList &&
                        field.item_type == manifests::FieldType::kObject;
    if (blocks && !field.required && field.name == "bindings" && !spec.Find(field.name)) {
      spec.fields.push_back({field.name, spec.at, ListNode({}, spec.at)});
    }
  }
}

/// The one field of the entries that names principals; null: no such field, or more than one.
const manifests::Field* WhoIn(const manifests::FieldList& fields) {
  const manifests::Field* who = nullptr;
  for (const manifests::Field& field : fields) {
    if (field.type != manifests::FieldType::kList ||
        field.item_type != manifests::FieldType::kString)
      continue;
    if (who != nullptr || !field.required) return nullptr;
    who = &field;
  }
  return who;
}

Node MergedEntries(const Node& list, const manifests::Field& who) {
  Node merged = ListNode({}, list.at);
  std::vector<std::string> rests;
  for (const Node& entry : list.items) {
    Node rest = entry;
    EraseFrom(rest, who.name);
    const std::string text = CanonicalJson(yaml::ToJson(rest));
    const auto same = std::ranges::find(rests, text);
    const Node* names = entry.Find(who.name);
    Node* first =
        same == rests.end()
            ? nullptr
            : FindIn(merged.items[static_cast<std::size_t>(same - rests.begin())], who.name);
    if (first == nullptr || names == nullptr || names->kind != NodeKind::kList ||
        first->kind != NodeKind::kList) {
      merged.items.push_back(entry);
      rests.push_back(text);
      continue;
    }
    for (const Node& name : names->items) {
      const bool there =
          std::ranges::find(first->items, name.text, &Node::text) != first->items.end();
      if (!there) first->items.push_back(name);
    }
  }
  return merged;
}

}  // namespace

Node WithSnakeKeys(Node values) {
  for (Node::Entry& entry : values.fields) {
    const char first = entry.key.empty() ? '_' : entry.key.front();
    // No tool writes "Members".
    if (first >= 'a' && first <= 'z') entry.key = SnakeCase(entry.key);
  }
  return values;
}

const manifests::Field* FieldCalled(const manifests::FieldList& fields, const std::string& key) {
  for (const manifests::Field& field : fields) {
    const std::string name = SnakeCase(field.name);
    const bool blocks = field.type == manifests::FieldType::kList &&
                        field.item_type == manifests::FieldType::kObject;
    if (field.name == key || name == key || (blocks && name == key + "s")) return &field;
  }
  return nullptr;
}

Node WithMergedEntries(const Counterpart& of, const Node& spec) {
  Node made = spec;
  AddEmptyBlocks(of, made);
  for (Node::Entry& entry : made.fields) {
    const manifests::Field* field = of.kind->inputs.Find(entry.key);
    const bool blocks = field != nullptr && field->type == manifests::FieldType::kList &&
                        field->item_type == manifests::FieldType::kObject;
    const manifests::Field* who = blocks ? WhoIn(field->fields) : nullptr;
    if (who != nullptr) entry.value = MergedEntries(entry.value, *who);
  }
  return made;
}

MadeNode SpecOfValues(const Counterpart& of, const Node& values) {
  MadeNode given = WithPolicy(values, *of.kind);
  if (!given) return given;
  const bool named = of.type != nullptr && !of.type->name.empty();
  if (named) {
    Node snake = WithSnakeKeys(std::move(*given));
    std::string wrong = FindWrongPart(*of.type, snake);
    if (!wrong.empty()) return tl::unexpected(std::move(wrong));
    given = WithFullName(*of.type, snake);
  }
  if (!given) return given;
  std::erase_if(given->fields, [&](const Node::Entry& entry) {
    return FieldCalled(of.kind->inputs, entry.key) == nullptr && IsBookkeeping(*of.kind, entry.key);
  });
  MadeNode spec = CollectFields(*given, of.kind->inputs, "");
  if (!spec) return spec;
  return WithMergedEntries(of, *spec);
}

Node KnownSpec(const Counterpart& of, const Node& values) {
  const bool named = of.type != nullptr && !of.type->name.empty();
  Node snake = named ? WithSnakeKeys(values) : values;
  Node made = MapNode(values.at);
  if (named) {
    const std::string unknown(1, kUnknownPart);
    const bool whole = std::ranges::any_of(of.type->ids, [&](const std::string& id) {
      const Node* value = snake.Find(id);
      return value != nullptr && value->text == unknown;
    });
    MadeNode full = WithFullName(*of.type, snake);
    if (whole || !full) {
      EraseFrom(snake, "name");
    } else {
      snake = std::move(*full);
    }
  }
  for (const Node::Entry& entry : snake.fields) {
    const manifests::Field* field = FieldCalled(of.kind->inputs, entry.key);
    if (field == nullptr || entry.value.kind == NodeKind::kNull) continue;
    Node value = entry.value;
    if (field->type == manifests::FieldType::kObject && value.kind == NodeKind::kList) {
      if (value.items.empty()) continue;
      value = Node(value.items.front());
    }
    Put(made, field->name, std::move(value));
  }
  return made;
}

}  // namespace bindery::convert
