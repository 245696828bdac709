#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bindery {

/// The sentence about deleted principals that no manifest can declare: "2 deleted principals
/// (deleted:…) are left aside: they hold nothing".
[[nodiscard]] std::string DeletedLeftAside(std::size_t count);

/// The sentence about access on request: "1 grant with the mark of PAM is left aside: it ends by
/// itself". `noun`: "grant"; `what`: "with the mark of PAM".
[[nodiscard]] std::string OnRequestLeftAside(std::size_t count, std::string_view noun,
                                             std::string_view what);

}  // namespace bindery
