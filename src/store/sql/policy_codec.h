#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery::store {

/// Compresses a policy, as the difference from `base` if any. The same base is needed to read the
/// policy back.
[[nodiscard]] std::string PackPolicy(std::string_view body, std::string_view base);

/// Nothing when `packed` is damaged or was packed against another base.
[[nodiscard]] std::optional<std::string> UnpackPolicy(std::string_view packed,
                                                      std::string_view base);

}  // namespace bindery::store
