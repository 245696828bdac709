#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "core/clock.h"
#include "core/json.h"
#include "emulator/seed.h"
#include "emulator/versioned.h"

namespace bindery::emulator {

/// Datadog's datasets. A deleted one stays as an entry {"deleted": true}, else the next start would
/// seed it again. Not thread-safe.
class Datasets {
 public:
  void Put(const Entry& entry, MonoTime now);
  void Clear();
  [[nodiscard]] bool Holds(const std::string& id) const;
  /// Those that are not deleted, as a seed has them.
  [[nodiscard]] std::vector<Entry> Living() const;
  /// A list, each as in an answer: {"type", "id", "attributes"}.
  [[nodiscard]] const Json& Now() const { return list_.Now(); }
  [[nodiscard]] const Json& At(MonoTime time) const { return list_.At(time); }

 private:
  std::vector<Entry> entries_;
  Versioned<Json> list_{Json::array(), MonoTime::min()};
};

/// What the service says against a write.
struct DatasetRefusal {
  int status = 400;
  std::string text;
};

/// The value of the entry that a request to create or update a dataset asks for, or what is against
/// the request alone.
[[nodiscard]] tl::expected<Json, DatasetRefusal> ReadDataset(const Json& document);

/// What is against a dataset of that id and value beside the `present` ones: another one has its
/// name, or one of its filters for the same product.
[[nodiscard]] std::optional<DatasetRefusal> RefuseDataset(const Json& present,
                                                          const std::string& id, const Json& value);

/// As it is in an answer.
[[nodiscard]] Json DatasetData(const std::string& id, const Json& value);

}  // namespace bindery::emulator
