#include "reconcilers/secrets.h"

#include <algorithm>

namespace bindery::reconcilers {
namespace {

bool IsEmpty(const Json& value) {
  return value.is_null() || (value.is_structured() && value.empty()) ||
         (value.is_string() && value.get_ref<const std::string&>().empty());
}

std::string InWords(const Json* value) {
  if (value == nullptr || IsEmpty(*value)) return "empty";
  if (value->is_string()) return value->get<std::string>();
  return CanonicalJson(*value);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
void Compare(const Json& before, const Json& now, const manifests::FieldList& fields,
             const std::string& prefix, std::vector<OutputChange>& changes) {
  static const Json kNothing = Json::object();
  for (const manifests::Field& field : fields) {
    if (field.secret) continue;
    const std::string path = prefix + field.name;
    const Json* former = FindMember(before, field.name);
    const Json* found = FindMember(now, field.name);
    if (field.type == manifests::FieldType::kObject && !field.fields.empty()) {
      Compare(former == nullptr ? kNothing : *former, found == nullptr ? kNothing : *found,
              field.fields, path + ".", changes);
      continue;
    }
    OutputChange change{path, InWords(former), InWords(found)};
    if (change.before != change.now) changes.push_back(std::move(change));
  }
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
Json WithoutSecrets(Json outputs, const manifests::FieldList& fields) {
  if (!outputs.is_object()) return outputs;
  for (const manifests::Field& field : fields) {
    const auto value = outputs.find(field.name);
    if (value == outputs.end()) continue;
    if (field.secret) {
      if (!IsEmpty(*value)) *value = kHiddenSecret;
    } else if (!field.fields.empty()) {
      *value = WithoutSecrets(*value, field.fields);
    }
  }
  return outputs;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
bool HaveSecrets(const manifests::FieldList& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const manifests::Field& field) {
    return field.secret || HaveSecrets(field.fields);
  });
}

std::vector<OutputChange> ListChanges(const Json& before, const Json& now,
                                      const manifests::FieldList& fields) {
  std::vector<OutputChange> changes;
  Compare(before, now, fields, "", changes);
  return changes;
}

}  // namespace bindery::reconcilers
