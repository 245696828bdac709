#include "manifests/schema/schema.h"

#include <algorithm>

namespace bindery::manifests {

FieldList::FieldList(std::initializer_list<Field> fields) {
  fields_.reserve(fields.size());
  for (const Field& field : fields) Add(field);
}

void FieldList::Add(Field field) {
  fields_.push_back(std::make_shared<const Field>(std::move(field)));
}

void FieldList::Add(const FieldList& fields) {
  fields_.insert(fields_.end(), fields.fields_.begin(), fields.fields_.end());
}

const Field* FieldList::Find(std::string_view name) const {
  const auto found = std::find_if(begin(), end(), [&](const Field& f) { return f.name == name; });
  return found == end() ? nullptr : &*found;
}

}  // namespace bindery::manifests
