#include "convert/translator.h"

#include <algorithm>
#include <utility>

#include "convert/expressions.h"
#include "convert/nodes.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

namespace {

/// A value that many names stand for is written out as often: no program may grow without limit.
constexpr std::size_t kMostInlined = 1U << 20U;

bool IsScalar(const Node& node) {
  return node.kind != NodeKind::kList && node.kind != NodeKind::kMap &&
         node.kind != NodeKind::kNull;
}

std::size_t MeasureBytes(
    const Node& node) {  // NOLINT(misc-no-recursion): as deep as the reader allows
  std::size_t size = node.text.size() + 1;
  for (const Node& item : node.items) size += MeasureBytes(item);
  for (const Node::Entry& entry : node.fields) size += entry.key.size() + MeasureBytes(entry.value);
  return size;
}

/// A value of the program, escaped to be literal.
Node Escaped(const Node& node) {  // NOLINT(misc-no-recursion): as deep as the reader allows
  Node escaped = node;
  if (node.kind == NodeKind::kString) escaped.text = EscapedText(node.text);
  for (Node& item : escaped.items) item = Escaped(item);
  for (Node::Entry& entry : escaped.fields) entry.value = Escaped(entry.value);
  return escaped;
}

/// The part of a value at the end of the steps, or why the steps lead nowhere.
tl::expected<const Node*, std::string> Below(const Node& value, const manifests::FieldPath& path,
                                             std::size_t steps) {
  const Node* node = &value;
  for (std::size_t i = steps; i < path.size(); ++i) {
    const manifests::PathStep& step = path[i];
    const Node* next = nullptr;
    if (!step.index) {
      next = node->Find(step.name);
    } else if (*step.index < node->items.size()) {
      next = &node->items[*step.index];
    }
    if (next == nullptr)
      return tl::unexpected(manifests::Quote(manifests::PathText(path)) + " leads nowhere");
    node = next;
  }
  return node;
}

}  // namespace

bool ReportWrong(std::vector<WrongShape> wrong, Conversion& conversion) {
  for (WrongShape& one : wrong) {
    conversion.remarks.push_back({true, one.at, std::move(one.path), std::move(one.reason)});
  }
  return !wrong.empty();
}

std::string ReferenceText(const std::string& manifest, const manifests::FieldPath& below) {
  manifests::FieldPath path = {{manifest}};
  path.insert(path.end(), below.begin(), below.end());
  return "${" + manifests::PathText(path) + "}";
}

bool HasUnknown(const Node& node) {  // NOLINT(misc-no-recursion): as deep as the reader allows
  return node.text.find(kUnknownPart) != std::string::npos ||
         std::ranges::any_of(node.items, HasUnknown) ||
         std::ranges::any_of(node.fields,
                             [](const Node::Entry& entry) { return HasUnknown(entry.value); });
}

void Translator::LeaveOut(Position at, std::string path, std::string reason) {
  conversion_.remarks.push_back({true, at, std::move(path), std::move(reason)});
}

void Translator::LeaveOutHarmless(Position at, std::string path, std::string reason) {
  conversion_.remarks.push_back({true, at, std::move(path), std::move(reason), true});
}

void Translator::Note(Position at, std::string path, std::string reason) {
  conversion_.remarks.push_back({false, at, std::move(path), std::move(reason)});
}

Translator::Translator(Conversion& conversion, const manifests::KindSchemas& table)
    : conversion_(conversion), table_(table) {
  for (const TypeToken& token : table.Tokens()) kinds_.push_back(table.FindSchema(token));
}

std::string Translator::NewName(const std::string& wish, Position at, const std::string& path) {
  std::string name = names_.Make(wish);
  if (name != GetManifestName(wish)) {
    Note(at, path,
         "the name " + manifests::Quote(GetManifestName(wish)) + " is taken: it is called " +
             manifests::Quote(name));
  }
  return name;
}

void Translator::AddDraft(Draft draft, Node spec, Node options, Position at, Node labels) {
  Node metadata = MapNode(at);
  Put(metadata, "name", TextNode(draft.name, at));
  if (!labels.fields.empty()) Put(metadata, "labels", std::move(labels));
  draft.document = MapNode(at);
  Put(draft.document, "apiVersion", TextNode(draft.kind->token.api_version, at));
  Put(draft.document, "kind", TextNode(draft.kind->token.kind, at));
  Put(draft.document, "metadata", std::move(metadata));
  if (!spec.fields.empty()) Put(draft.document, "spec", std::move(spec));
  if (!options.fields.empty()) Put(draft.document, "options", std::move(options));
  conversion_.drafts.push_back(std::move(draft));
}

tl::expected<Meaning, std::string> Translator::Follow(const Symbol& symbol,
                                                      const manifests::FieldPath& path,
                                                      std::size_t steps) const {
  if (!symbol.reason.empty()) {
    return tl::unexpected(manifests::Quote(manifests::PathText(path)) +
                          " cannot be carried over: " + symbol.reason);
  }
  if (symbol.literal) {
    const auto literal = Below(*symbol.literal, path, steps);
    if (!literal) return tl::unexpected(literal.error());
    return Meaning{{}, {}, *literal};
  }
  Meaning meaning = {symbol.manifest, symbol.below};
  meaning.below.insert(meaning.below.end(), path.begin() + static_cast<std::ptrdiff_t>(steps),
                       path.end());
  return meaning;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
std::optional<Node> Translator::Literal(const Node& node) const {
  Node literal = node;
  if (node.kind == NodeKind::kString) {
    const auto pieces = Parse(node.text);
    if (!pieces || manifests::HasExpression(*pieces)) return std::nullopt;
    literal.text = manifests::LiteralText(*pieces);
  }
  for (Node& item : literal.items) {
    std::optional<Node> value = Literal(item);
    if (!value) return std::nullopt;
    item = std::move(*value);
  }
  for (Node::Entry& entry : literal.fields) {
    std::optional<Node> value = Literal(entry.value);
    if (!value || entry.key.rfind("fn::", 0) == 0) return std::nullopt;
    entry.value = std::move(*value);
  }
  return literal;
}

Node Translator::KnownText(const Node& node) const {
  const std::string unknown(1, kUnknownPart);
  const auto pieces = Parse(node.text);
  if (!pieces) return TextNode(unknown, node.at);
  Node known = node;
  known.text.clear();
  for (const manifests::TemplatePiece& piece : *pieces) {
    if (!piece.path) {
      known.text += piece.text;
      continue;
    }
    const auto meaning = Find(*piece.path);
    const Node* literal = meaning ? meaning->literal : nullptr;
    if (literal != nullptr && manifests::IsLoneExpression(*pieces)) return *literal;
    known.text += literal != nullptr && IsScalar(*literal) ? literal->text : unknown;
  }
  return known;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
Node Translator::Known(const Node& node) const {
  if (node.kind == NodeKind::kString) return KnownText(node);
  Node known = node;
  for (Node& item : known.items) item = Known(item);
  for (Node::Entry& entry : known.fields) {
    const bool call = entry.key.starts_with("fn::");
    if (call) return TextNode(std::string(1, kUnknownPart), node.at);
    entry.value = Known(entry.value);
  }
  return known;
}

bool Translator::Spend(std::size_t bytes, const Node& node, const std::string& path) {
  inlined_ += bytes;
  if (inlined_ <= kMostInlined) return true;
  LeaveOut(node.at, path, "the values that take the place of names are more than 1 MiB together");
  return false;
}

std::optional<Node> Translator::Inlined(const Node& literal, const Node& node,
                                        const std::string& path) {
  if (!Spend(MeasureBytes(literal), node, path)) return std::nullopt;
  return Escaped(literal);
}

/// Whether the literal that the name stands for can be part of the text of the node.
bool Translator::FitsWithin(const Node& literal, const std::string& name, const Node& node,
                            const std::string& path) {
  if (IsScalar(literal)) return Spend(literal.text.size(), node, path);
  LeaveOut(node.at, path,
           manifests::Quote(name) + " is " + WhatIs(literal) + ", which cannot be part of a text");
  return false;
}

std::optional<Node> Translator::Text(const Node& node, const std::string& path,
                                     std::vector<std::string>& refers_to) {
  const auto pieces = Parse(node.text);
  if (!pieces) {
    LeaveOut(node.at, path, pieces.error().message);
    return std::nullopt;
  }
  std::string text;
  std::string literal;
  for (const manifests::TemplatePiece& piece : *pieces) {
    if (!piece.path) {
      literal += piece.text;
      continue;
    }
    const auto meaning = Find(*piece.path);
    if (!meaning) {
      LeaveOut(node.at, path, meaning.error());
      return std::nullopt;
    }
    if (meaning->literal != nullptr) {
      if (manifests::IsLoneExpression(*pieces)) return Inlined(*meaning->literal, node, path);
      if (!FitsWithin(*meaning->literal, piece.text, node, path)) return std::nullopt;
      literal += meaning->literal->text;
      continue;
    }
    const bool whole = meaning->below.empty();
    if (whole || literal.ends_with('$')) {
      LeaveOut(node.at, path,
               whole ? manifests::Quote(piece.text) +
                           " is a whole resource: only its fields can be referred to"
                     : "a \"$\" right before a reference cannot be written");
      return std::nullopt;
    }
    refers_to.push_back(meaning->manifest);
    text +=
        EscapedText(std::exchange(literal, {})) + ReferenceText(meaning->manifest, meaning->below);
  }
  Node made = node;
  made.text = text + EscapedText(literal);
  return made;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
std::optional<Node> Translator::Value(const Node& node, const std::string& path,
                                      std::vector<std::string>& refers_to) {
  if (node.kind == NodeKind::kString) return Text(node, path, refers_to);
  if (const auto call = Call(node, path)) {
    if (*call && !(*call)->below.empty()) {
      refers_to.push_back((*call)->manifest);
      return TextNode(ReferenceText((*call)->manifest, (*call)->below), node.at);
    }
    LeaveOut(node.at, path,
             *call ? "a lookup as a whole cannot be used here: say which field with \"return\""
                   : call->error());
    return std::nullopt;
  }
  Node made = node;
  bool complete = true;
  for (std::size_t i = 0; i < made.items.size(); ++i) {
    std::optional<Node> item = Value(node.items[i], ItemPath(path, i), refers_to);
    complete = complete && item.has_value();
    if (item) made.items[i] = std::move(*item);
  }
  for (std::size_t i = 0; i < made.fields.size(); ++i) {
    const Node::Entry& entry = node.fields[i];
    std::optional<Node> value = Value(entry.value, manifests::JoinPath(path, entry.key), refers_to);
    complete = complete && value.has_value();
    if (value) made.fields[i].value = std::move(*value);
  }
  return complete ? std::optional<Node>(std::move(made)) : std::nullopt;
}

}  // namespace bindery::convert
