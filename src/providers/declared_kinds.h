#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/settings/setting_key.h"

namespace bindery::providers {

/// A file's description of a kind that the program does not know. A provider derives its own type.
struct KindRow {
  KindRow() = default;
  virtual ~KindRow() = default;
  KindRow(const KindRow&) = default;
  KindRow& operator=(const KindRow&) = default;
};
using KindRows = std::vector<std::shared_ptr<const KindRow>>;

/// The error of a row, or of one of its keys ("names").
struct KindRowFault {
  std::size_t row = 0;
  std::string key;  ///< Empty: the row as a whole.
  std::string message;
};

/// Kinds that users declare in files (`kinds` in the configuration). Stateless but for Install().
class DeclaredKinds {
 public:
  DeclaredKinds() = default;
  virtual ~DeclaredKinds() = default;
  DeclaredKinds(const DeclaredKinds&) = delete;
  DeclaredKinds& operator=(const DeclaredKinds&) = delete;

  /// A row with the defaults, which the keys fill.
  [[nodiscard]] virtual std::shared_ptr<KindRow> MakeRow() const = 0;
  /// The keys of a row in a file; their slots are those of a row of MakeRow().
  [[nodiscard]] virtual std::span<const Key<KindRow>> Keys() const = 0;
  /// Checks rows together, as two must not claim one name. Pure.
  [[nodiscard]] virtual std::vector<KindRowFault> Check(const KindRows& rows) const = 0;
  /// Adds the rows to the kinds of the program. Requires: Check() finds no fault. The first call
  /// decides for the life of the process, as kinds live that long; false: other rows are in force.
  /// To be called before other threads begin.
  [[nodiscard]] virtual bool Install(const KindRows& rows) const = 0;
};

}  // namespace bindery::providers
