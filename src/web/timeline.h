#pragma once

#include <string>
#include <vector>

#include "report/values/revision_values.h"
#include "web/html.h"
#include "web/page.h"

namespace bindery::web {

/// Each revision of a target's policy as a step: what came and went, by whom, and when. Leads to
/// the preview of writing it back, as a revision of the resource; empty: no link.
[[nodiscard]] Html Timeline(const PageContext& context, const std::string& resource,
                            const std::vector<report::RevisionLine>& revisions);

}  // namespace bindery::web
