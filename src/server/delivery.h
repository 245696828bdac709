#pragma once

#include "httpd/message.h"
#include "httpd/server.h"
#include "server/requests/list_reply.h"

namespace bindery::server {

enum class AnswerKind {
  kReport,  ///< Goes out compressed where the reader asks for that.
  /// Never goes out compressed: a page shows words of the request beside what is on record, and the
  /// length of the compressed page would tell of both.
  kPage,
  kMetrics,  ///< As a report; the memory stays, because the next scrape needs it again.
};

/// Sends an answer; false, with nothing sent, where the budget has no room for the body. A long
/// body is held compressed, and counted in the budget until the reader has taken the bytes. The
/// memory that a long text needed is given back to the system. Not for streams. Threads: any but
/// the controller's, because it compresses.
[[nodiscard]] bool Deliver(const ListBudget& budget, const httpd::Request& request,
                           const httpd::Responder& responder, httpd::Response response,
                           AnswerKind kind);

}  // namespace bindery::server
