#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "httpd/url.h"
#include "report/values/change_values.h"
#include "server/delivery.h"
#include "server/kept_answers.h"
#include "server/queries.h"
#include "server/requests/actor.h"
#include "server/requests/authority.h"
#include "server/requests/cross_site.h"
#include "server/requests/html_reply.h"
#include "server/requests/large_answers.h"
#include "server/requests/operator_command.h"
#include "server/requests/replies.h"
#include "server/routes.h"
#include "web/assets.h"
#include "web/pages/pages.h"

namespace bindery::server {
namespace {

using httpd::PathParams;
using httpd::Request;
using httpd::Responder;
using httpd::Response;
template <typename Report>
using Ask = Expected<Report> (*)(const QueryContext&);
template <typename Report>
using Page = std::string (*)(const web::PageContext&, const Report&);
/// The question of KeptAnswers about the report of a page.
using Question = Expected<std::string> (*)(const QueryContext&);

/// The shared state of the handlers.
struct Pages {
  const ApiParts& parts;
  const std::string& socket;
  const std::shared_ptr<KeptAnswers> answers;

  [[nodiscard]] web::PageContext MakeContext(const Request& request) const {
    web::PageContext context = MakePageContext(request, parts.clock.Wall(), socket);
    context.repository_url = parts.control.ReportSettings().repository_url;
    return context;
  }
};

Response ErrorPage(const web::PageContext& context, const Error& error, const std::string& back) {
  const int status = ToHttpStatus(error.code);
  const web::Message message{status == 404 ? "Not found" : "That did not work", error.message, back,
                             back == "/" ? "To the overview" : "Back"};
  return HtmlReply(status, web::MessagePage(context, message));
}

Response ErrorPage(const Pages& pages, const Request& request, const Error& error,
                   const std::string& back) {
  return ErrorPage(pages.MakeContext(request), error, back);
}

Request WithLimit(const Request& request) {
  Request limited = request;
  if (limited.FindQuery("limit") == nullptr) limited.query.emplace_back("limit", web::kPageLength);
  return limited;
}

/// Of the longest page: it needs twelve times the memory of the same list in JSON.
constexpr std::int64_t kMostRows = 1'000;

/// The request, for no more rows than a page has. A limit that is no number is left to the query.
Request WithFewRows(Request request) {
  for (auto& [name, value] : request.query) {
    const long long rows = name == "limit" ? std::atoll(value.c_str()) : 0;
    if (rows > kMostRows && rows <= kMostItems) {
      value = std::to_string(kMostRows);
    }
  }
  return request;
}

Response BusyPage(const Pages& pages, const Request& request) {
  return ErrorPage(pages, request, OthersWait(), "/");
}

/// Delivers the page, or a page that says that there is no room for it.
void DeliverPage(const Pages& pages, const Request& request, const Responder& responder,
                 Response page) {
  const ListBudget& budget = pages.parts.large->budget();
  if (Deliver(budget, request, responder, std::move(page), AnswerKind::kPage)) return;
  responder.Send(BusyPage(pages, request));
}

bool IsLargePage(const Request& request, GoesThrough goes_through) {
  if (goes_through != nullptr && goes_through(request)) return true;
  // Several such pages at a time would need as much as the longest list.
  constexpr std::int64_t kFewRows = 250;
  return LargeAnswers::IsLarge(request, std::atoll(web::kPageLength), kFewRows);
}

template <typename Report>
Response PageReply(const Pages& pages, const QueryContext& asked, Ask<Report> ask,
                   Page<Report> page) {
  const Request limited = WithLimit(asked.request);
  const auto report = ask({asked.parts, limited, asked.params});
  if (!report) return ErrorPage(pages, asked.request, report.error(), "/");
  return HtmlReply(200, page(pages.MakeContext(asked.request), *report));
}

Expected<std::string> MakeReportQuestion(const QueryContext& asked) {
  return MakeQuestion(asked.parts, asked.request);
}

/// Everything the page of a report depends on besides the store and the time.
std::string MakePageQuestion(const web::PageContext& reader, const std::string& report) {
  std::string question = "page for " + reader.role;
  if (reader.may_operate) question += ", operates";
  if (reader.may_approve) question += ", approves";
  if (reader.may_sign_out) question += ", signs out";
  return question + ": " + report + '\n' + reader.repository_url + '\n' + reader.user;
}

/// The same as PageReply(), kept as the answers of the API are.
template <typename Report>
Response KeptPageReply(const Pages& pages, const QueryContext& asked, Question question,
                       Ask<Report> ask, Page<Report> page) {
  const auto make = [&] { return PageReply(pages, asked, ask, page); };
  const auto report = question(asked);
  if (!report) return make();
  return pages.answers->Get(MakePageQuestion(pages.MakeContext(asked.request), *report), make);
}

/// The form alone until something is asked; the error of the question stands below it.
Response AccessReply(const Pages& pages, const QueryContext& asked) {
  std::optional<Expected<report::AccessListing>> report;
  for (const char* field : {"principal", "role", "permission", "target", "at", "set"}) {
    if (GetText(asked.request, field).empty()) continue;
    const Request limited = WithLimit(asked.request);
    report = GetAccess({asked.parts, limited, asked.params});
    break;
  }
  return HtmlReply(200, web::AccessPage(pages.MakeContext(asked.request), report));
}

Response AssetReply(const std::string& name) {
  const web::Asset* asset = web::FindAsset(name);
  if (asset == nullptr) return TextReply(404, "404 Not Found\n");
  Response response;
  response.headers = {{"Content-Type", std::string(asset->type)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      // A different content has a different path.
                      {"Cache-Control", "public, max-age=31536000, immutable"}};
  response.body = asset->content;
  return response;
}

// Requests of buttons --------------------------------------------------------------------------

/// A submitted form.
class Form {
 public:
  explicit Form(const Request& request)
      : fields_(httpd::ParseQuery(request.body).value_or(web::Query())) {}

  [[nodiscard]] std::string Get(std::string_view name) const {
    for (const auto& [key, value] : fields_) {
      if (key == name) return value;
    }
    return {};
  }

 private:
  web::Query fields_;
};

/// The result of a button: an error, or words that say why it is not done, or nothing.
struct Result {
  bool held = false;
  std::string failure;
};

Result OfChange(const report::ChangeResult& change) {
  if (!change.held.empty()) return {true, ""};
  if (change.done) return {};
  return {false, change.message.empty() ? "it is not done, and nothing says why" : change.message};
}

Result OfReconcile(const Json& answer) {
  const auto read = report::FromJson<report::ReconcileAnswer>(answer);
  if (!read) return {false, read.error().message};
  return read->results.empty() ? Result() : OfChange(read->results.front());
}

Result OfRollback(const Json& answer) {
  const auto read = report::FromJson<report::RollbackAnswer>(answer);
  return read ? OfChange(*read) : Result{false, read.error().message};
}

Result OfSuspend(const Json& answer) {
  const auto read = report::FromJson<report::SuspendAnswer>(answer);
  if (!read) return {false, read.error().message};
  if (!read->still_suspended || read->still_suspended->empty()) return {};
  return {false, "its manifest still suspends it (options.suspend)"};
}

Result OfDecision(const Json& /*answer*/) { return {}; }

/// The action of a button: the command, the page to show afterwards, and the result.
struct Action {
  std::string name;
  Role needed;  ///< Of who presses the button.
  OperatorCommand (*command)(const Form&);
  std::string (*back)(const Form&);
  Result (*result)(const Json& answer);
};

std::string ToResource(const Form& form) {
  return form.Get("name").empty() ? "/resources" : web::PathTo({"resources", form.Get("name")});
}
std::string ToGuard(const Form& /*form*/) { return "/guard"; }

std::array<Action, 6> AllActions() {
  return {
      {{"reconcile", command::Reconcile::kNeeded,
        [](const Form& form) -> OperatorCommand { return command::Reconcile{{form.Get("name")}}; },
        ToResource, OfReconcile},
       {"suspend", command::Suspend::kNeeded,
        [](const Form& form) -> OperatorCommand {
          return command::Suspend{{form.Get("name")}, true};
        },
        ToResource, OfSuspend},
       {"resume", command::Suspend::kNeeded,
        [](const Form& form) -> OperatorCommand {
          return command::Suspend{{form.Get("name")}, false};
        },
        ToResource, OfSuspend},
       {"rollback", command::Rollback::kNeeded,
        [](const Form& form) -> OperatorCommand {
          return command::Rollback{form.Get("name"), std::atoll(form.Get("revision").c_str())};
        },
        ToResource, OfRollback},
       {"approve", command::Approve::kNeeded,
        [](const Form& form) -> OperatorCommand { return command::Approve{form.Get("digest")}; },
        ToGuard, OfDecision},
       {"deny", command::Deny::kNeeded,
        [](const Form& form) -> OperatorCommand { return command::Deny{form.Get("digest")}; },
        ToGuard, OfDecision}}};
}

Response Redirect(const std::string& path, const std::string& done) {
  Response response;
  response.status = 303;
  response.headers = {{"Location", web::WithQuery(path, {{"done", done}})},
                      {"Cache-Control", "no-store"}};
  return response;
}

/// Before the first scan the page says how to make one, where the API answers NOT_FOUND.
Expected<report::Coverage> CoverageIfScanned(const QueryContext& asked) {
  Expected<report::Coverage> coverage = GetCoverage(asked);
  const bool none = !coverage && coverage.error().code == Code::kNotFound;
  return none && GetText(asked.request, "scope").empty() ? report::Coverage{} : coverage;
}

void ServeAction(const Pages& pages, const Action& action, const Request& request,
                 const Responder& responder) {
  const bool foreign = IsCrossSite(request) || request.headers.Find("Origin") == nullptr;
  if (foreign || !Has(request, action.needed)) {
    pages.parts.logger.Warn(
        "change refused",
        {{"path", request.path}, {"peer", request.peer.address}, {"user", request.peer.user}});
    const Error refusal{Code::kPermissionDenied,
                        foreign ? "the page of another site asked for it"
                                : ChangeRefusal(request, action.needed, pages.socket)};
    return responder.Send(ErrorPage(pages, request, refusal, "/"));
  }
  const Form form(request);
  const std::string actor = NameActor(request.peer);
  const std::string back = action.back(form);
  pages.parts.logger.Info("change requested", {{"path", request.path}, {"actor", actor}});
  // The answer may come after the end of the server.
  pages.parts.control.Execute(
      action.command(form), actor,
      [context = pages.MakeContext(request), responder, back, result_of = action.result,
       name = action.name](const Expected<Json>& answer) {
        if (!answer) return responder.Send(ErrorPage(context, answer.error(), back));
        const Result result = result_of(*answer);
        if (result.failure.empty()) {
          return responder.Send(Redirect(back, result.held ? "held" : name));
        }
        const Error failure{Code::kAborted, result.failure};
        responder.Send(ErrorPage(context, failure, back));
      });
}

/// A browser gets a page, a program a line.
void ServeNothing(const Pages& pages, const Request& request, const Responder& responder) {
  const std::string message = "there is nothing at " + request.path;
  if (IsApiPath(request.path)) return responder.Send(ErrorReply(404, "NOT_FOUND", message));
  if (request.headers.Get("Accept").find("text/html") == std::string::npos) {
    return responder.Send(TextReply(404, "404 Not Found\n"));
  }
  responder.Send(ErrorPage(pages, request, Error{Code::kNotFound, message}, "/"));
}

void AddActions(httpd::Router& router, const std::shared_ptr<const Pages>& pages) {
  for (const Action& action : AllActions()) {
    router.Add(
        "POST", "/actions/" + action.name,
        [pages, action](const Request& request, const PathParams&, const Responder& responder) {
          ServeAction(*pages, action, request, responder);
        });
  }
}

}  // namespace

void AddPageRoutes(httpd::Router& router, const ApiParts& parts, const std::string& socket,
                   const std::shared_ptr<KeptAnswers>& answers) {
  // Of all the handlers.
  const auto pages = std::make_shared<const Pages>(Pages{parts, socket, answers});
  /// A page, made in turn where it is large or goes through everything.
  const auto add = [&](const char* path, GoesThrough goes_through, auto reply) {
    router.Add("GET", path,
               [pages, reply, goes_through](const Request& whole, const PathParams& params,
                                            const Responder& responder) {
                 const Request request = WithFewRows(whole);
                 auto answer = [=] {
                   DeliverPage(*pages, request, responder,
                               reply(*pages, QueryContext{pages->parts, request, params}));
                 };
                 if (!IsLargePage(request, goes_through)) return answer();
                 if (pages->parts.large->Run(std::move(answer))) return;
                 responder.Send(BusyPage(*pages, request));
               });
  };
  const auto get = [&]<typename Report>(const char* path, Ask<Report> ask, Page<Report> page) {
    add(path, nullptr, [ask, page](const Pages& of, const QueryContext& asked) {
      return PageReply(of, asked, ask, page);
    });
  };
  const auto get_kept = [&]<typename Report>(const char* path, Ask<Report> ask, Page<Report> page) {
    add(path, nullptr, [ask, page](const Pages& of, const QueryContext& asked) {
      return KeptPageReply(of, asked, MakeReportQuestion, ask, page);
    });
  };
  get("/", GetOverview, web::OverviewPage);
  get_kept("/resources", GetResources, web::ResourcesPage);
  get_kept("/resources/{name}", GetResource, web::ResourcePage);
  get("/resources/{name}/revisions/{revision}", GetRevision, web::RevisionPage);
  add("/targets", GoesThroughAlways, [](const Pages& of, const QueryContext& asked) {
    return PageReply(of, asked, GetTargets, web::TargetsPage);
  });
  get_kept("/targets/{kind}/{name...}", GetTarget, web::TargetPage);
  add("/drift", GoesThroughDrift, [](const Pages& of, const QueryContext& asked) {
    return KeptPageReply(of, asked, MakeDriftQuestion, GetDrift, web::DriftPage);
  });
  get("/guard", GetGuard, web::GuardPage);
  get("/problems", GetProblems, web::ProblemsPage);
  get("/replicas", GetReplicas, web::ReplicasPage);
  get("/coverage", CoverageIfScanned, web::CoveragePage);
  get("/history", GetWorkHistory, web::HistoryPage);
  add("/events", GoesThroughEvents, [](const Pages& of, const QueryContext& asked) {
    return PageReply(of, asked, GetEvents, web::EventsPage);
  });
  add("/access", GoesThroughAlways, AccessReply);
  router.Add("GET", "/assets/{file}",
             [](const Request&, const PathParams& params, const Responder& responder) {
               responder.Send(AssetReply(params.at("file")));
             });
  router.SetNotFound([pages](const Request& request, const Responder& responder) {
    ServeNothing(*pages, request, responder);
  });
  AddActions(router, pages);
}

}  // namespace bindery::server
