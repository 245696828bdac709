#include "manifests/schema/given_values.h"

#include <string>

namespace bindery::manifests {

Json GivenValues(const Json& inputs, Json outputs) {
  const std::string id = StringMember(outputs, "id");
  const std::string role = StringMember(inputs, "role");
  if (!id.empty() && !role.empty()) outputs["id"] = id + " " + role;
  for (const auto& input : inputs.items()) {
    if (FindMember(outputs, input.key()) == nullptr) outputs[input.key()] = input.value();
  }
  return outputs;
}

}  // namespace bindery::manifests
