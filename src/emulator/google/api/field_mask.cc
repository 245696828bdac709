#include "emulator/google/api/field_mask.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "emulator/google/proto_reader.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kDeepest = 32;

/// fields = path { "," path };  path = name { "/" name } [ "(" fields ")" ]
class MaskParser {
 public:
  explicit MaskParser(std::string_view text) : text_(text) {}

  /// Nothing for a text of a different form.
  std::optional<FieldMask> Parse() {
    FieldMask root;
    if (!Fields(root, 0) || at_ != text_.size()) return std::nullopt;
    return root;
  }

 private:
  bool Take(char c) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool Fields(FieldMask& parent, std::size_t depth) {  // NOLINT(misc-no-recursion): bounded
    if (depth > kDeepest) return false;
    do {
      if (!Path(parent, depth)) return false;
    } while (Take(','));
    return true;
  }

  bool Path(FieldMask& parent, std::size_t depth) {  // NOLINT(misc-no-recursion): bounded
    FieldMask* place = &parent;
    do {
      SkipBlanks();
      const std::size_t end = std::min(text_.find_first_of(",/() ", at_), text_.size());
      if (end == at_) return false;
      place = &Child(*place, std::string(text_.substr(at_, end - at_)));
      at_ = end;
      if (++depth > kDeepest) return false;
    } while (Take('/'));
    if (Take('(') && (!Fields(*place, depth) || !Take(')'))) return false;
    SkipBlanks();
    return true;
  }

  static FieldMask& Child(FieldMask& parent, std::string name) {
    const auto found = std::find_if(parent.fields.begin(), parent.fields.end(),
                                    [&](const FieldMask& one) { return one.name == name; });
    if (found != parent.fields.end()) return *found;
    return parent.fields.emplace_back(FieldMask{std::move(name), {}});
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Takes the names of the message; returns the path of an unknown name.
std::optional<std::string> Match(  // NOLINT(misc-no-recursion): as deep as the mask
    FieldMask& mask, const Shape& shape, const std::string& path) {
  for (FieldMask& field : mask.fields) {
    const std::string here = path.empty() ? field.name : path + "." + field.name;
    const auto known =
        std::find_if(shape.fields.begin(), shape.fields.end(), [&](const Shape& one) {
          return one.name == field.name || ProtoName(one.name) == field.name;
        });
    if (field.name == "*") {
      if (!field.fields.empty()) return here;
    } else if (known != shape.fields.end()) {
      field.name = std::string(known->name);
      if (auto unknown = Match(field, *known, here)) return unknown;
    } else if (!shape.map) {
      return here;
    }
  }
  return std::nullopt;
}

GoogleError InvalidFields(const std::string& path, const std::string& description) {
  GoogleError error = BadRequest({{path, description}});
  error.message = "Request contains an invalid argument.";
  return error;
}

}  // namespace

GoogleResult<FieldMask> ReadFieldMask(std::string_view text, const Shape& shape) {
  if (text.empty()) return FieldMask();
  auto mask = MaskParser(text).Parse();
  if (!mask) {
    return tl::unexpected(InvalidFields("fields",
                                        "Error expanding 'fields' parameter. Invalid field "
                                        "selection '" +
                                            std::string(text) + "'."));
  }
  if (const auto unknown = Match(*mask, shape, "")) {
    return tl::unexpected(InvalidFields(*unknown,
                                        "Error expanding 'fields' parameter. Cannot find matching "
                                        "fields for path '" +
                                            *unknown + "'."));
  }
  return *std::move(mask);
}

Json Select(const Json& message, const FieldMask& mask) {  // NOLINT(misc-no-recursion): as deep
  if (mask.fields.empty()) return message;
  if (message.is_array()) {
    Json list = Json::array();
    for (const Json& item : message) list.push_back(Select(item, mask));
    return list;
  }
  if (!message.is_object()) return message;
  const auto find = [&mask](std::string_view name) {
    return std::find_if(mask.fields.begin(), mask.fields.end(),
                        [&](const FieldMask& one) { return one.name == name; });
  };
  if (find("*") != mask.fields.end()) return message;
  Json selected = Json::object();
  for (const auto& [name, value] : message.items()) {
    if (const auto field = find(name); field != mask.fields.end()) {
      selected[name] = Select(value, *field);
    }
  }
  return selected;
}

}  // namespace bindery::emulator
