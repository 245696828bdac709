#include <functional>
#include <string>
#include <utility>

#include "server/inventory_port.h"
#include "server/requests/actor.h"
#include "server/requests/authority.h"
#include "server/requests/change_request.h"
#include "server/requests/cross_site.h"
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

Change NamedChange(NoNames no_names,
                   std::function<void(std::vector<std::string>, std::string, Control::Reply)> ask) {
  return [no_names, ask = std::move(ask)](const std::string& body, std::string actor,
                                          Control::Reply reply) -> Expected<void> {
    auto names = ReadNames(body, no_names);
    if (!names) return Fail(names.error());
    ask(std::move(*names), std::move(actor), std::move(reply));
    return {};
  };
}

Change SuspendChange(Control& control, bool suspend) {
  return NamedChange(
      NoNames::kRefused,
      [&control, suspend](std::vector<std::string> names, std::string actor, Control::Reply reply) {
        control.Suspend(std::move(names), suspend, std::move(actor), std::move(reply));
      });
}

Change ReconcileChange(Control& control) {
  return NamedChange(NoNames::kMeansAll, [&control](std::vector<std::string> names,
                                                    std::string actor, Control::Reply reply) {
    control.Reconcile(std::move(names), std::move(actor), std::move(reply));
  });
}

Change WaiveSettlingChange(Control& control) {
  return NamedChange(NoNames::kRefused, [&control](std::vector<std::string> names,
                                                   std::string actor, Control::Reply reply) {
    control.WaiveSettling(std::move(names), std::move(actor), std::move(reply));
  });
}

Change ForgetChange(Control& control) {
  return NamedChange(NoNames::kRefused, [&control](std::vector<std::string> names,
                                                   std::string actor, Control::Reply reply) {
    control.Forget(std::move(names), std::move(actor), std::move(reply));
  });
}

Change ApproveChange(Control& control) {
  return [&control](const std::string& body, std::string actor,
                    Control::Reply reply) -> Expected<void> {
    auto digest = ReadDigest(body);
    if (!digest) return Fail(digest.error());
    control.Approve(std::move(*digest), std::move(actor), std::move(reply));
    return {};
  };
}

Change DenyChange(Control& control) {
  return [&control](const std::string& body, std::string actor,
                    Control::Reply reply) -> Expected<void> {
    auto digest = ReadDigest(body);
    if (!digest) return Fail(digest.error());
    control.Deny(std::move(*digest), std::move(actor), std::move(reply));
    return {};
  };
}

Change RollbackChange(Control& control) {
  return [&control](const std::string& body, std::string actor,
                    Control::Reply reply) -> Expected<void> {
    auto wanted = ReadRollback(body);
    if (!wanted) return Fail(wanted.error());
    control.Rollback(std::move(wanted->name), wanted->revision, std::move(actor), std::move(reply));
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
    reply(begun ? Expected<Json>(ToJson(*begun)) : Fail(begun.error()));
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
                    {{"actor", ActorOf(request.peer)}, {"files", upload->files.size()}});
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
  const auto caller = ParseTraceparent(request.headers.Get("traceparent"));
  const TraceScope scope(caller.value_or(TraceContext()));
  const std::string actor = ActorOf(request.peer);
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
  post("/api/v1/reconcile", Role::kOperator, ReconcileChange(parts.control));
  post("/api/v1/suspend", Role::kOperator, SuspendChange(parts.control, true));
  post("/api/v1/resume", Role::kOperator, SuspendChange(parts.control, false));
  // These let removals through, or take protection away.
  post("/api/v1/waive-settling", Role::kApprover, WaiveSettlingChange(parts.control));
  post("/api/v1/forget", Role::kApprover, ForgetChange(parts.control));
  post("/api/v1/guard/approve", Role::kApprover, ApproveChange(parts.control));
  post("/api/v1/guard/deny", Role::kApprover, DenyChange(parts.control));
  post("/api/v1/rollback", Role::kApprover, RollbackChange(parts.control));
  post("/api/v1/scans", Role::kOperator, ScanChange(parts.inventory));
  router.Add(
      "POST", "/api/v1/plan",
      [&parts, &socket](const Request& request, const PathParams&, const Responder& responder) {
        PostPlan(parts, socket, request, responder);
      });
}

}  // namespace bindery::server
