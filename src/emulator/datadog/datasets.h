#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "core/base/json.h"

namespace bindery::emulator {

/// The service's refusal of a write.
struct DatasetRefusal {
  int status = 400;
  std::string text;
};

/// The value of the entry that a request to create or update a dataset asks for, or what is against
/// the request alone.
[[nodiscard]] tl::expected<Json, DatasetRefusal> ReadDataset(const Json& document);

/// The refusal of a dataset of the id and value beside the `present` datasets: a second dataset has
/// its name, or one of its filters for the same product.
[[nodiscard]] std::optional<DatasetRefusal> RefuseDataset(const Json& present,
                                                          const std::string& id, const Json& value);

/// In the form of an answer.
[[nodiscard]] Json DatasetData(const std::string& id, const Json& value);

}  // namespace bindery::emulator
