#pragma once

#include <cstdint>

namespace bindery::controller {

/// The age of the evidence about a manifest. Kept with the resource.
struct ClaimAge {
  /// The look with the first change of the declaration, or with its first absence, since the claim
  /// settled; 0: undeclared grants may go without a wait.
  std::int32_t look = 0;
  bool fresh = false;   ///< Nothing was known of it before: it may be the half of something.
  bool absent = false;  ///< The last look did not find it.
  bool urgent = false;  ///< An operator waives the settling (`bindery reconcile --now`).
  /// The look at which it changed last, or was seen to be gone and not only unreadable; 0: as
  /// `look`. Not kept in the store.
  std::int32_t last = 0;
  /// The question that an operator answered for the claim by an approval; 0: none. Not kept in the
  /// store.
  std::int32_t answered = 0;

  /// For the store; what is urgent is not kept.
  [[nodiscard]] std::int64_t Packed() const {
    return std::int64_t{look} * 4 + (absent ? 2 : 0) + (fresh ? 1 : 0);
  }
  [[nodiscard]] static ClaimAge Unpacked(std::int64_t packed) {
    return {
        static_cast<std::int32_t>(packed / 4), packed % 2 != 0, (packed / 2) % 2 != 0, false, 0, 0};
  }
  bool operator==(const ClaimAge&) const = default;
};

}  // namespace bindery::controller
