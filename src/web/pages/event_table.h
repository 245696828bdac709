#pragma once

#include <vector>

#include "report/values/event_values.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

/// Events in the order given.
[[nodiscard]] Html EventTable(const PageContext& context,
                              const std::vector<report::EventLine>& events,
                              std::string_view caption);

}  // namespace bindery::web
