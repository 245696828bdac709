#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "core/json.h"

namespace bindery::emulator {

/// What the service says against a write.
struct DatasetRefusal {
  int status = 400;
  std::string text;
};

/// The value of the entry that a request to create or update a dataset asks for, or what is against
/// the request alone.
[[nodiscard]] tl::expected<Json, DatasetRefusal> ReadDataset(const Json& document);

/// What is against a dataset of the id and value beside the `present` ones: a different one has its
/// name, or one of its filters for the same product.
[[nodiscard]] std::optional<DatasetRefusal> RefuseDataset(const Json& present,
                                                          const std::string& id, const Json& value);

/// As it is in an answer.
[[nodiscard]] Json DatasetData(const std::string& id, const Json& value);

}  // namespace bindery::emulator
