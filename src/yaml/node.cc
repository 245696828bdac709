#include "yaml/node.h"

#include "yaml/scalar.h"

namespace bindery::yaml {

std::string_view ToString(NodeKind kind) {
  switch (kind) {
    case NodeKind::kNull:
      return "null";
    case NodeKind::kBool:
      return "boolean";
    case NodeKind::kInteger:
      return "integer";
    case NodeKind::kFloat:
      return "number";
    case NodeKind::kString:
      return "string";
    case NodeKind::kList:
      return "list";
    case NodeKind::kMap:
      return "map";
  }
  return "value";
}

const Node* Node::Find(std::string_view key) const {
  for (const Entry& entry : fields) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Json ToJson(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return Json(nullptr);
    case NodeKind::kBool:
      return Json(node.AsBool());
    case NodeKind::kInteger:
    case NodeKind::kFloat:
      return GetNumber(node.kind, node.text).value_or(Json(node.text));
    case NodeKind::kString:
      return Json(node.text);
    case NodeKind::kList: {
      Json list = Json::array();
      for (const Node& item : node.items) list.push_back(ToJson(item));
      return list;
    }
    case NodeKind::kMap: {
      Json map = Json::object();
      // Not by operator[]: the ordered map of nlohmann searches linearly, and the keys are
      // distinct.
      auto& members = map.get_ref<Json::object_t&>();
      members.reserve(node.fields.size());
      for (const Node::Entry& entry : node.fields) {
        members.Container::emplace_back(entry.key, ToJson(entry.value));
      }
      return map;
    }
  }
  return Json(nullptr);
}

}  // namespace bindery::yaml
