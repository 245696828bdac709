#pragma once

#include <memory>

#include "httpd/router.h"
#include "server/api_server.h"
#include "server/event_streams.h"
#include "server/identities.h"
#include "server/kept_answers.h"
#include "server/requests/web_settings.h"

namespace bindery::server {

/// Everything that only looks: metrics, health, GET /api/v1/…. `parts` outlives the
/// router.
void AddReadRoutes(httpd::Router& router, const ApiParts& parts,
                   const std::shared_ptr<KeptAnswers>& answers);

/// The pages for browsers, their assets, and the changes by their buttons. `parts` and `socket`
/// outlive the router.
void AddPageRoutes(httpd::Router& router, const ApiParts& parts, const std::string& socket,
                   const std::shared_ptr<KeptAnswers>& answers);

/// The sign-in at an OpenID provider, the way out, and who has signed in. Everything outlives the
/// router.
void AddSignInRoutes(httpd::Router& router, const ApiParts& parts, WebSettings& web,
                     Identities& identities);

/// GET /api/v1/events/stream. `streams` outlives the router.
void AddStreamRoute(httpd::Router& router, EventStreams& streams);

/// POST /api/v1/…: over the UNIX socket only; over TCP 403. `socket` is its path, for the message;
/// empty if none exists. Both outlive the router.
void AddChangeRoutes(httpd::Router& router, const ApiParts& parts, const std::string& socket);

}  // namespace bindery::server
