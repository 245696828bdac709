#include "manifests/schema.h"

namespace bindery {

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

}  // namespace bindery
