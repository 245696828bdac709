#include "controller/catalog/resource_not_found.h"

#include <vector>

#include "core/text/nearest.h"

namespace bindery::controller {

Error ResourceNotFound(const Catalog& catalog, const std::string& name) {
  // Sorted: the first of equally near names is chosen.
  std::vector<std::string> names;
  for (const auto& [known, entry] : catalog.claims().resources()) names.push_back(known);
  Error error;
  error.code = Code::kNotFound;
  error.message = "no resource \"" + name + "\"";
  if (const auto nearest = NearestSpelling(name, names)) {
    error.message += "; did you mean \"" + *nearest + "\"?";
  }
  return error;
}

}  // namespace bindery::controller
