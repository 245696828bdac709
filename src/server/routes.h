#pragma once

#include "httpd/router.h"
#include "server/api_server.h"

namespace bindery::server {

/// Everything that only looks: metrics, health, the page, GET /api/v1/…. `parts` outlives the
/// router.
void AddReadRoutes(httpd::Router& router, const ApiParts& parts);

/// GET /api/v1/access…: who has access. `parts` outlives the router.
void AddAccessRoutes(httpd::Router& router, const ApiParts& parts);

/// POST /api/v1/…: over the UNIX socket only; over TCP 403. `socket` is its path, for the message;
/// empty when there is none. Both outlive the router.
void AddChangeRoutes(httpd::Router& router, const ApiParts& parts, const std::string& socket);

}  // namespace bindery::server
