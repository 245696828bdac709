#pragma once

#include "httpd/message.h"
#include "httpd/server.h"
#include "server/requests/list_reply.h"

namespace bindery::server {

/// Whether an answer may go out compressed. Pages may not: a page shows words of the request beside
/// what is on record, and the length of the compressed page would tell of both.
enum class Coding { kAsAsked, kNone };

/// Sends an answer. A long body is held compressed, and counted in the budget until the reader has
/// taken the bytes; 503 where the body does not fit. The memory that the making needed is given
/// back to the system. Not for streams. Threads: any but the controller's, because it compresses.
void Deliver(const ListBudget& budget, const httpd::Request& request,
             const httpd::Responder& responder, httpd::Response response, Coding coding);

}  // namespace bindery::server
