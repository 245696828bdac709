#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Refuses parameters outside of the common parameters and the method's `own`.
[[nodiscard]] std::optional<GoogleError> CheckQuery(const httpd::Request& request,
                                                    const std::vector<std::string_view>& own);

}  // namespace bindery::emulator
