#pragma once

#include "core/base/expected.h"
#include "httpd/message.h"
#include "server/queries.h"
#include "server/requests/list_reply.h"

namespace bindery::server {

// What GET requests for whole lists answer: the same JSON as of queries.h, without holding the
// list. Errors as there, and those of ListWriter::Reply().

[[nodiscard]] Expected<httpd::Response> WholeResources(const QueryContext& asked,
                                                       const ListBudget& budget);
[[nodiscard]] Expected<httpd::Response> WholeTargets(const QueryContext& asked,
                                                     const ListBudget& budget);
[[nodiscard]] Expected<httpd::Response> WholeDrift(const QueryContext& asked,
                                                   const ListBudget& budget);
[[nodiscard]] Expected<httpd::Response> WholeAccess(const QueryContext& asked,
                                                    const ListBudget& budget);

}  // namespace bindery::server
