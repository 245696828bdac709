#include "manifests/schema/validate.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "manifests/schema/check_text.h"
#include "manifests/schema/hints.h"
#include "manifests/schema/schemas.h"
#include "yaml/text.h"

namespace bindery::manifests {
namespace {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

std::string Found(NodeKind kind) {
  if (kind == NodeKind::kNull) return "nothing";
  const std::string name(ToString(kind));
  return (kind == NodeKind::kInteger ? "an " : "a ") + name;
}

/// The position of a byte of a text, if that is known: not in a block, nor behind an escape.
Position PositionWithin(const Node& node, std::size_t offset) {
  constexpr std::string_view kWrittenOtherwise = "\\\"'\n\r\t";
  const bool exact =
      node.at.line > 0 &&
      (!node.quoted || node.text.find_first_of(kWrittenOtherwise) == std::string::npos);
  if (!exact) return node.at;
  const auto characters =
      static_cast<int>(yaml::CountCharacters(std::string_view(node.text).substr(0, offset)));
  return {node.at.line, node.at.column + (node.quoted ? 1 : 0) + characters};
}

/// A field of every manifest, but outside of its spec.
std::string ParentHint(std::string_view name) {
  if (OptionFields().Find(name) != nullptr) return ": it belongs under \"options\"";
  if (MetadataFields().Find(name) != nullptr) return ": it belongs under \"metadata\"";
  return "";
}

std::vector<std::string> ListNames(const FieldList& fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  return names;
}

}  // namespace

std::string JoinPath(const std::string& path, const std::string& name) {
  // Keys are free texts; a path stays on one line.
  if (name.empty() || HasBlank(name)) return path + "[" + Quote(name) + "]";
  return path.empty() ? name : path + "." + name;
}

Position FindPosition(const Node& root, const std::string& path) {
  const Node* node = &root;
  Position at = root.at;
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find_first_of(".[", start + 1), path.size());
    std::string_view step = std::string_view(path).substr(start, end - start);
    start = end;
    const Node* next = nullptr;
    if (step.front() == '[') {
      std::size_t index = 0;
      std::from_chars(step.data() + 1, step.data() + step.size(), index);
      if (index < node->items.size()) next = &node->items[index];
    } else {
      if (step.front() == '.') step.remove_prefix(1);
      next = node->Find(step);
    }
    if (next == nullptr) break;
    node = next;
    at = node->at;
  }
  return at;
}

Json Validator::Map(const Node& node, const FieldList& fields, const std::string& path) {
  Json value = Json::object();
  // An ordered map that grows copies its whole content.
  value.get_ref<Json::object_t&>().reserve(node.fields.size());
  std::set<std::string> meant;
  for (const Node::Entry& entry : node.fields) {
    const Field* field = fields.Find(entry.key);
    if (field == nullptr) {
      meant.insert(ReportUnknown(entry, fields, path));
      continue;
    }
    Json member = Value(entry.value, *field, JoinPath(path, entry.key));
    if (!member.is_discarded()) value[entry.key] = std::move(member);
  }
  for (const Field& field : fields) {
    // A misspelled field is not missing as well.
    if (!field.required || node.Find(field.name) != nullptr || meant.count(field.name) > 0)
      continue;
    findings_.Error(node.at, JoinPath(path, field.name), "MissingField",
                    "required field is missing");
  }
  return value;
}

Json Validator::Top(const Node* node, const FieldList& fields, const std::string& key) {
  if (node == nullptr) return Json::object();
  if (node->kind == NodeKind::kMap) return Map(*node, fields, key);
  const bool empty = node->kind == NodeKind::kNull;
  findings_.Error(node->at, key, "WrongType",
                  "expected a map, found " +
                      (empty ? std::string("nothing") : "a " + std::string(ToString(node->kind))) +
                      HintForMap(*node));
  return Json::object();
}

std::string Validator::ReportUnknown(const Node::Entry& entry, const FieldList& fields,
                                     const std::string& path) {
  const std::vector<std::string> names = ListNames(fields);
  std::string hint = DidYouMean(entry.key, names);
  if (hint.empty() && path == "spec") hint = ParentHint(entry.key);
  const std::string known =
      names.empty() ? "; there are no fields here" : "; known are " + QuotedList(names, "and");
  findings_.Error(entry.key_at, JoinPath(path, entry.key), "UnknownField",
                  "unknown field " + Quote(entry.key) + (hint.empty() ? known : hint));
  for (const std::string& name : names) {
    if (!hint.empty() && hint == DidYouMean(entry.key, {name})) return name;
  }
  return {};
}

void Validator::WrongType(const Node& node, FieldType wanted, const std::string& path) {
  std::string message = "expected " + std::string(GetName(wanted)) + ", found " + Found(node.kind);
  const bool scalar = node.kind == NodeKind::kBool || node.kind == NodeKind::kInteger ||
                      node.kind == NodeKind::kFloat;
  if (wanted == FieldType::kString && scalar && texts_ != Texts::kResolved)
    message += "; put " + Quote(node.text) + " in quotes";
  if (wanted == FieldType::kBoolean && node.kind == NodeKind::kString) {
    message += " " + Quote(node.text) + "; write true or false";
  }
  if (texts_ != Texts::kResolved) {
    if (wanted == FieldType::kString) message += HintForText(node);
    if (wanted == FieldType::kList) message += HintForList(node);
    if (wanted == FieldType::kObject || wanted == FieldType::kStringMap)
      message += HintForMap(node);
  }
  findings_.Error(node.at, path, "WrongType", std::move(message));
}

Json Validator::Value(const Node& node, const Field& field, const std::string& path) {
  if (field.type != FieldType::kString && field.type != FieldType::kDuration) {
    if (std::optional<Json> reference = StandIn(node, {field}, path)) return *reference;
  }
  switch (field.type) {
    case FieldType::kString:
    case FieldType::kDuration:
      return Text(node, field, path);
    case FieldType::kBoolean:
    case FieldType::kInteger:
      return Number(node, field, path);
    case FieldType::kList:
      return List(node, field, path);
    case FieldType::kStringMap:
      return StringMap(node, field, path);
    case FieldType::kObject:
      if (node.kind == NodeKind::kMap) return Map(node, field.fields, path);
      WrongType(node, field.type, path);
      break;
  }
  return Json(Json::value_t::discarded);
}

Json Validator::Number(const Node& node, const Field& field, const std::string& path) {
  const NodeKind wanted = field.type == FieldType::kBoolean ? NodeKind::kBool : NodeKind::kInteger;
  if (node.kind == wanted) return yaml::ToJson(node);
  WrongType(node, field.type, path);
  return Json(Json::value_t::discarded);
}

Validator::Read Validator::ReadText(const Node& node, const Owner& owner, const std::string& path) {
  using What = Read::What;
  if (texts_ == Texts::kResolved || node.text.find("${") == std::string::npos) {
    return {What::kText, node.text};
  }
  const tl::expected<Template, TextFault> pieces = ParseTemplate(node.text);
  const bool literal = pieces && !HasExpression(*pieces);
  if (literal) {
    escaped_ = true;
    return {What::kText, LiteralText(*pieces)};
  }
  if (texts_ == Texts::kLiteral) {
    findings_.Error(node.at, path, "ReferenceNotAllowed",
                    "a reference has no meaning here: only \"spec\" can hold one; a literal \"${\" "
                    "is written \"$${\"");
    return {What::kBad};
  }
  if (!pieces) {
    const TextFault& fault = pieces.error();
    findings_.Error(PositionWithin(node, fault.offset), path, "BadReference", fault.message);
    return {What::kBad};
  }
  NoteReferences(node, *pieces, owner, path);
  return {What::kReference, "", IsLoneExpression(*pieces)};
}

void Validator::NoteReferences(const Node& node, const Template& pieces, const Owner& owner,
                               const std::string& path) {
  const bool lone = IsLoneExpression(pieces);
  // A text in a place for other types is reported anyway.
  const bool fits = lone || owner.type() == FieldType::kString;
  const auto part = owner.inner ? Reference::Part::kItem : Reference::Part::kWhole;
  std::set<std::string_view> seen;
  for (const TemplatePiece& piece : pieces) {
    if (!piece.path || !seen.insert(piece.text).second) continue;
    const Position at = PositionWithin(node, piece.offset);
    references_.push_back({piece.text, path, at.line, at.column, fits ? &owner.field : nullptr,
                           lone ? part : Reference::Part::kWithin});
  }
}

std::optional<Json> Validator::StandIn(const Node& node, const Owner& owner,
                                       const std::string& path) {
  if (node.kind != NodeKind::kString || texts_ == Texts::kResolved) return std::nullopt;
  const Read read = ReadText(node, owner, path);
  if (read.what == Read::What::kText) return std::nullopt;
  if (read.what == Read::What::kReference && read.lone) return Json(node.text);
  if (read.what == Read::What::kReference) {
    findings_.Error(node.at, path, "WrongType",
                    "expected " + std::string(GetName(owner.type())) +
                        ": a reference with text around it gives a string");
  }
  return Json(Json::value_t::discarded);
}

Json Validator::Text(const Node& node, const Field& field, const std::string& path) {
  Json nothing(Json::value_t::discarded);
  if (node.kind != NodeKind::kString) {
    WrongType(node, field.type == FieldType::kList ? FieldType::kString : field.type, path);
    return nothing;
  }
  const Read read = ReadText(node, {field, field.type == FieldType::kList}, path);
  if (read.what == Read::What::kBad) return nothing;
  if (read.what == Read::What::kReference) return Json(node.text);
  if (!Accepts(node, field, path, read.text)) return nothing;
  return Json(texts_ == Texts::kTemplate ? node.text : read.text);
}

bool Validator::Accepts(const Node& node, const Field& field, const std::string& path,
                        const std::string& text) {
  const std::vector<std::string>& choices = field.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    findings_.Error(
        node.at, path, "BadValue",
        Quote(text) + " is not one of " + QuotedList(choices, "and") + DidYouMean(text, choices));
    return false;
  }
  if (!field.check) return true;
  std::optional<CheckFailure> failure = field.check(text);
  // Braces are good characters of an address, and of a name that nobody filled in.
  if (!failure && IsTemplateText(text)) failure = CheckFailure{"BadValue", Quote(text)};
  if (!failure) return true;
  const bool warning = failure->warning;
  failure->message += HintForRefused(node);
  findings_.Add(node.at, path, std::move(*failure));
  return warning;
}

Json Validator::List(const Node& node, const Field& field, const std::string& path) {
  if (node.kind != NodeKind::kList) {
    WrongType(node, field.type, path);
    return Json(Json::value_t::discarded);
  }
  if (node.items.size() < field.min_items) {
    findings_.Error(node.at, path, "TooFewItems",
                    "needs at least " + std::to_string(field.min_items) +
                        (field.min_items == 1 ? " item" : " items"));
  }
  if (field.max_items > 0 && node.items.size() > field.max_items) {
    findings_.Error(node.at, path, "TooManyItems",
                    std::to_string(node.items.size()) + " items are more than " +
                        std::to_string(field.max_items));
  }
  Json list = Json::array();
  list.get_ref<Json::array_t&>().reserve(node.items.size());
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    const std::string at = path + "[" + std::to_string(i) + "]";
    if (field.item_type != FieldType::kObject) {
      Json value = Text(item, field, at);
      list.push_back(value.is_discarded() ? Json() : std::move(value));
    } else if (item.kind == NodeKind::kMap) {
      list.push_back(Map(item, field.fields, at));
    } else if (std::optional<Json> reference = StandIn(item, {field, /*inner=*/true}, at)) {
      list.push_back(reference->is_discarded() ? Json() : std::move(*reference));
    } else {
      WrongType(item, FieldType::kObject, at);
      list.push_back(Json());
    }
  }
  return list;
}

Json Validator::StringMap(const Node& node, const Field& field, const std::string& path) {
  if (node.kind != NodeKind::kMap) {
    WrongType(node, field.type, path);
    return Json(Json::value_t::discarded);
  }
  Json map = Json::object();
  for (const Node::Entry& entry : node.fields) {
    const std::string at = JoinPath(path, entry.key);
    if (field.check) {
      if (std::optional<CheckFailure> failure = field.check(entry.key)) {
        findings_.Add(entry.key_at, path, std::move(*failure));
        continue;
      }
    }
    if (entry.value.kind != NodeKind::kString) {
      WrongType(entry.value, FieldType::kString, at);
      continue;
    }
    const Read read = ReadText(entry.value, {field, /*inner=*/true}, at);
    if (read.what == Read::What::kBad) continue;
    map[entry.key] = texts_ == Texts::kTemplate ? entry.value.text : read.text;
  }
  return map;
}

}  // namespace bindery::manifests
