#include "app/replicas/forwarded_calls.h"

#include <array>
#include <string_view>
#include <utility>

#include "core/base/json_text.h"

namespace bindery {
namespace {

using Names = std::vector<std::string>;

Names NamesOf(const Json& call) { return call.at("names").get<Names>(); }

struct KnownCall {
  std::string_view name;
  void (*make)(const Json& call, const std::string& actor, Control& control,
               const Control::Reply& reply);
};

constexpr std::array kKnownCalls = {
    KnownCall{"reconcile",
              [](const Json& call, const std::string& actor, Control& control,
                 const Control::Reply& reply) { control.Reconcile(NamesOf(call), actor, reply); }},
    KnownCall{
        "waive-settling",
        [](const Json& call, const std::string& actor, Control& control,
           const Control::Reply& reply) { control.WaiveSettling(NamesOf(call), actor, reply); }},
    KnownCall{"suspend",
              [](const Json& call, const std::string& actor, Control& control,
                 const Control::Reply& reply) {
                control.Suspend(NamesOf(call), call.at("suspend").get<bool>(), actor, reply);
              }},
    KnownCall{"forget",
              [](const Json& call, const std::string& actor, Control& control,
                 const Control::Reply& reply) { control.Forget(NamesOf(call), actor, reply); }},
    KnownCall{"approve",
              [](const Json& call, const std::string& actor, Control& control,
                 const Control::Reply& reply) {
                control.Approve(call.at("digest").get<std::string>(), actor, reply);
              }},
    KnownCall{"deny",
              [](const Json& call, const std::string& actor, Control& control,
                 const Control::Reply& reply) {
                control.Deny(call.at("digest").get<std::string>(), actor, reply);
              }},
    KnownCall{"rollback",
              [](const Json& call, const std::string& actor, Control& control,
                 const Control::Reply& reply) {
                control.Rollback(call.at("name").get<std::string>(),
                                 call.at("revision").get<std::int64_t>(), actor, reply);
              }},
    KnownCall{"plan",
              [](const Json& call, const std::string& /*actor*/, Control& control,
                 const Control::Reply& reply) {
                const bool local = call.at("local").get<bool>();
                control.Plan(NamesOf(call), local ? PlanAsker::kLocal : PlanAsker::kNetwork, reply);
              }},
    KnownCall{"plan-directory",
              [](const Json& call, const std::string& /*actor*/, Control& control,
                 const Control::Reply& reply) {
                auto upload = ReadPlanUpload(call.at("upload").get_ref<const std::string&>());
                if (!upload) return reply(Fail(upload.error()));
                const bool local = call.at("local").get<bool>();
                control.PlanDirectory(std::move(*upload),
                                      local ? PlanAsker::kLocal : PlanAsker::kNetwork, reply);
              }},
};

}  // namespace

ForwardedCall ForwardedCall::Reconcile(const Names& names) {
  return ForwardedCall({{"call", "reconcile"}, {"names", names}});
}

ForwardedCall ForwardedCall::WaiveSettling(const Names& names) {
  return ForwardedCall({{"call", "waive-settling"}, {"names", names}});
}

ForwardedCall ForwardedCall::Suspend(const Names& names, bool suspend) {
  return ForwardedCall({{"call", "suspend"}, {"names", names}, {"suspend", suspend}});
}

ForwardedCall ForwardedCall::Forget(const Names& names) {
  return ForwardedCall({{"call", "forget"}, {"names", names}});
}

ForwardedCall ForwardedCall::Approve(const std::string& digest) {
  return ForwardedCall({{"call", "approve"}, {"digest", digest}});
}

ForwardedCall ForwardedCall::Deny(const std::string& digest) {
  return ForwardedCall({{"call", "deny"}, {"digest", digest}});
}

ForwardedCall ForwardedCall::Rollback(const std::string& name, std::int64_t revision) {
  return ForwardedCall({{"call", "rollback"}, {"name", name}, {"revision", revision}});
}

ForwardedCall ForwardedCall::Plan(const Names& names, PlanAsker asker) {
  return ForwardedCall({{"call", "plan"}, {"names", names}, {"local", asker == PlanAsker::kLocal}});
}

ForwardedCall ForwardedCall::PlanDirectory(const PlanUpload& upload, PlanAsker asker) {
  return ForwardedCall({{"call", "plan-directory"},
                        {"upload", TextOf(upload)},
                        {"local", asker == PlanAsker::kLocal}});
}

void CarryOut(const std::string& text, const std::string& actor, Control& control,
              const Control::Reply& reply) {
  const auto call = ParseJson(text);
  const std::string name = call ? StringMember(*call, "call") : "";
  for (const KnownCall& known : kKnownCalls) {
    if (known.name != name) continue;
    try {
      return known.make(*call, actor, control, reply);
    } catch (const Json::exception& fault) {
      return reply(Fail(Code::kInvalidArgument,
                        std::string("the other replica asked wrongly: ") + fault.what()));
    }
  }
  reply(Fail(Code::kUnimplemented,
             "the replica at work does not know what was asked (" + name + "): upgrade it"));
}

std::string TextOfAnswer(const Expected<Json>& answer) {
  if (answer) return Json{{"answer", *answer}}.dump();
  const Error& error = answer.error();
  Json fields{{"code", std::string(ToString(error.code))},
              {"message", error.message},
              {"status", error.http_status}};
  if (error.retry_after) fields["retryAfterMs"] = error.retry_after->count();
  return CompactJson(Json{{"error", std::move(fields)}});
}

Expected<Json> AnswerOfText(const std::string& text) {
  const auto parsed = ParseJson(text, 128);
  if (!parsed) return Fail(parsed.error().Wrap("the answer of the replica at work"));
  if (const Json* answer = FindMember(*parsed, "answer")) return *answer;
  const Json* fields = FindMember(*parsed, "error");
  if (fields == nullptr) return Fail(Code::kInternal, "the replica at work answered nothing");
  Error error{CodeFromString(StringMember(*fields, "code")).value_or(Code::kInternal),
              StringMember(*fields, "message")};
  const Json* status = FindMember(*fields, "status");
  if (status != nullptr && status->is_number_integer()) error.http_status = status->get<int>();
  const Json* wait = FindMember(*fields, "retryAfterMs");
  if (wait != nullptr && wait->is_number_integer()) {
    error.retry_after = std::chrono::milliseconds(wait->get<std::int64_t>());
  }
  return Fail(std::move(error));
}

}  // namespace bindery
