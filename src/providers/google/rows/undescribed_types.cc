#include "providers/undescribed_types.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::providers {
namespace {

struct UndescribedType {
  std::string_view id;    ///< "networkservices/v1:Mesh", as IamRow::id.
  std::string_view name;  ///< Its form of names.
};

constexpr UndescribedType kUndescribedTypes[] = {
#include "providers/google/rows/undescribed_types.inc"
};

/// "projects/{}/topics/{}": a form of names without the names of its variables.
std::string ShapeOfName(std::string_view form) {
  std::string shape;
  bool within = false;
  for (const char c : form) {
    if (c == '}') within = false;
    if (!within) shape += c;
    if (c == '{') within = true;
  }
  return shape;
}

/// A row of the service has names of the form: one of the user's.
bool IsDeclared(std::string_view service, std::string_view form) {
  const std::string shape = ShapeOfName(form);
  const auto has_form = [&](const google::IamRow& row) {
    const auto forms = manifests::Split(row.names, ' ');
    return row.service == service && std::ranges::any_of(forms, [&](std::string_view other) {
             return ShapeOfName(other) == shape;
           });
  };
  return std::ranges::any_of(google::IamRows(), has_form);
}

}  // namespace

std::vector<manifests::KindSchema> UndescribedTypes() {
  std::vector<manifests::KindSchema> types;
  for (const auto& [id, name] : kUndescribedTypes) {
    if (IsDeclared(id.substr(0, id.find('/')), name)) continue;
    const std::size_t colon = id.find(':');
    manifests::KindSchema type;
    type.token = {"cloudnative:" + std::string(id.substr(0, colon)),
                  std::string(id.substr(colon + 1)) + "IamBinding"};
    type.name_forms = {std::string(name)};
    types.push_back(std::move(type));
  }
  return types;
}

}  // namespace bindery::providers
