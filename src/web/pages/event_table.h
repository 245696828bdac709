#pragma once

#include "core/json.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

/// Events in the order given.
[[nodiscard]] Html EventTable(const PageContext& context, const Json& events,
                              std::string_view caption);

}  // namespace bindery::web
