#include <concepts>
#include <functional>
#include <string>
#include <utility>

#include "server/inventory_port.h"
#include "server/requests/actor.h"
#include "server/requests/authority.h"
#include "server/requests/change_request.h"
#include "server/requests/cross_site.h"
#include "server/requests/operator_command.h"
#include "server/requests/replies.h"
#include "server/routes.h"
#include "telemetry/trace.h"

namespace bindery::server {
namespace {

using httpd::PathParams;
using httpd::Request;
using httpd::Responder;

/// Calls the controller; an error is an error of the request itself, without a call.
using Change =
    std::function<Expected<void>(const std::string& body, std::string actor, Control::Reply reply)>;

/// Fills in the fields of the body.
template <typename Command>
Expected<OperatorCommand> ReadCommand(const std::string& body, Command wanted) {
  if constexpr (requires { wanted.digest; }) {
    auto digest = ReadDigest(body);
    if (!digest) return Fail(digest.error());
    wanted.digest = std::move(*digest);
  } else if constexpr (requires { wanted.names; }) {
    constexpr bool kMayMeanAll = std::same_as<Command, command::Reconcile>;
    auto names = ReadNames(body, kMayMeanAll ? NoNames::kMeansAll : NoNames::kRefused);
    if (!names) return Fail(names.error());
    wanted.names = std::move(*names);
  } else {
    auto read = ReadRollback(body);
    if (!read) return Fail(read.error());
    wanted = std::move(*read);
  }
  return OperatorCommand(std::move(wanted));
}

template <typename Command>
Change ChangeBy(Control& control, const Command& like) {
  return [&control, like](const std::string& body, std::string actor,
                          Control::Reply reply) -> Expected<void> {
    Expected<OperatorCommand> wanted = ReadCommand(body, like);
    if (!wanted) return Fail(wanted.error());
    control.Execute(std::move(*wanted), std::move(actor), std::move(reply));
    return {};
  };
}

/// The answer tells that the scan began: how far it is, GET of the same path says.
Change ScanChange(InventoryPort* inventory) {
  return [inventory](const std::string& body, const std::string& actor,
                     const Control::Reply& reply) -> Expected<void> {
    const auto wanted = ReadScanRequest(body);
    if (!wanted) return Fail(wanted.error());
    if (inventory == nullptr) {
      return Fail(Code::kUnavailable, "this daemon makes no scans: ask the one that is at work");
    }
    const auto begun = inventory->Begin(wanted->scope, wanted->provider, actor);
    reply(begun ? Expected<Json>(report::ToJson(*begun)) : Fail(begun.error()));
    return {};
  };
}

/// Answers who may not ask for it; true when it did.
bool Refuse(const ApiParts& parts, const std::string& socket, Role needed, const Request& request,
            const Responder& responder) {
  const bool may = Has(request, needed);
  if (may && !IsCrossSite(request)) return false;
  const std::string why =
      may ? "the page of another site asked for it" : ChangeRefusal(request, needed, socket);
  parts.logger.Warn("change refused", {{"path", request.path},
                                       {"peer", request.peer.address},
                                       {"user", request.peer.user},
                                       {"reason", why}});
  responder.Send(ErrorReply(403, "PERMISSION_DENIED", why));
  return true;
}

/// A plan changes nothing, and yet is for authorised users only: manifests may name any target, so
/// the answer tells everything that the daemon may read.
void PostPlan(const ApiParts& parts, const std::string& socket, const Request& request,
              const Responder& responder) {
  if (Refuse(parts, socket, Role::kOperator, request, responder)) return;
  Expected<PlanUpload> upload = ReadPlanUpload(request.body);
  if (!upload) return responder.Send(ErrorReply(upload.error()));
  parts.logger.Info("plan of an uploaded directory requested",
                    {{"actor", NameActor(request.peer)}, {"files", upload->files.size()}});
  const PlanAsker asker = request.peer.is_unix ? PlanAsker::kLocal : PlanAsker::kNetwork;
  parts.control.PlanDirectory(
      std::move(*upload), asker, [&parts, responder](const Expected<Json>& plan) {
        const bool refused = !plan && plan.error().code == Code::kResourceExhausted;
        if (refused && parts.refused) parts.refused("plan");
        responder.Send(ReportReply(plan));
      });
}

/// A change that a user with the role may ask for.
struct Offer {
  Role needed;
  Change change;
};

void Serve(const ApiParts& parts, const std::string& socket, const Offer& offer,
           const Request& request, const Responder& responder) {
  if (Refuse(parts, socket, offer.needed, request, responder)) return;
  // The request may be part of a trace: the work that it causes is then as well.
  const auto caller = telemetry::ParseTraceparent(request.headers.Get("traceparent"));
  const telemetry::TraceScope scope(caller.value_or(telemetry::TraceContext()));
  const std::string actor = NameActor(request.peer);
  parts.logger.Info("change requested", {{"path", request.path}, {"actor", actor}});
  const auto asked = offer.change(request.body, actor, [responder](const Expected<Json>& result) {
    responder.Send(ReportReply(result));
  });
  if (!asked) responder.Send(ErrorReply(asked.error()));
}

}  // namespace

void AddChangeRoutes(httpd::Router& router, const ApiParts& parts, const std::string& socket) {
  const auto post = [&](const char* pattern, Role needed, Change change) {
    router.Add("POST", pattern,
               [&parts, &socket, offer = Offer{needed, std::move(change)}](
                   const Request& request, const PathParams&, const Responder& responder) {
                 Serve(parts, socket, offer, request, responder);
               });
  };
  // `like`: a command whose fields the body fills in.
  const auto take = [&]<typename Command>(const char* path, const Command& like) {
    post(path, Command::kNeeded, ChangeBy(parts.control, like));
  };
  take(command::Reconcile::kPath, command::Reconcile());
  take(command::Suspend::kPath, command::Suspend());
  take(command::Suspend::kResumePath, command::Suspend{{}, false});
  // These let removals through, or take protection away.
  take(command::WaiveSettling::kPath, command::WaiveSettling());
  take(command::Forget::kPath, command::Forget());
  take(command::Approve::kPath, command::Approve());
  take(command::Deny::kPath, command::Deny());
  take(command::Rollback::kPath, command::Rollback());
  post("/api/v1/scans", Role::kOperator, ScanChange(parts.inventory));
  router.Add(
      "POST", "/api/v1/plan",
      [&parts, &socket](const Request& request, const PathParams&, const Responder& responder) {
        PostPlan(parts, socket, request, responder);
      });
}

}  // namespace bindery::server
