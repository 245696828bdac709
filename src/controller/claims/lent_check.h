#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "cloud/connection.h"
#include "core/access/target_key.h"
#include "core/text/digest.h"
#include "reconcilers/kind.h"

namespace bindery::controller {

/// A check for a standby: whether the answer of the target still has the
/// digest.
struct LentCheck {
  std::uint64_t loan = 0;  ///< Names it; none is given twice.
  TargetKey key;
  const reconcilers::Kind* kind = nullptr;              ///< Never null.
  std::shared_ptr<const cloud::Connection> connection;  ///< Never null.
  Sha256Digest known_body;
};

enum class LentAnswer {
  kSame,    ///< It was read after it was asked for, and the answer has that digest.
  kOther,   ///< The answer has another one.
  kFailed,  ///< It could not be read.
  kLate,    ///< It was not read, as there was too much to do.
};

[[nodiscard]] constexpr std::string_view ToString(LentAnswer answer) {
  switch (answer) {
    case LentAnswer::kSame:
      return "same";
    case LentAnswer::kOther:
      return "other";
    case LentAnswer::kLate:
      return "late";
    case LentAnswer::kFailed:
      break;
  }
  return "failed";
}

/// The result of a lent check.
struct LentResult {
  std::uint64_t loan = 0;
  TargetKey key;
  LentAnswer answer = LentAnswer::kFailed;
};

}  // namespace bindery::controller
