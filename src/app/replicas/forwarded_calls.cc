#include "app/replicas/forwarded_calls.h"

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/json_text.h"

namespace bindery::app {
namespace {

using Names = std::vector<std::string>;

Names ListNames(const Json& call) { return call.at("names").get<Names>(); }

/// The fields of a command. Throws Json::exception if a field is missing or of another type:
/// without its names a command might be one for everything.
template <typename Command>
Command CollectFields(const Json& call) {
  Command command;
  std::apply([&](const auto&... field) { (call.at(field.name).get_to(command.*field.value), ...); },
             report::kFields<Command>);
  return command;
}

/// The command with the name; nothing if there is none.
template <typename... Commands>
std::optional<server::OperatorCommand> BuildCommand(
    const std::string& name, const Json& call,
    std::type_identity<std::variant<Commands...>> /*all*/) {
  std::optional<server::OperatorCommand> found;
  const auto look = [&]<typename Command>(std::type_identity<Command> /*one*/) {
    if (name == Command::kCall) found = CollectFields<Command>(call);
  };
  (look(std::type_identity<Commands>()), ...);
  return found;
}

/// A call that is no command.
struct KnownCall {
  std::string_view name;
  void (*make)(const Json& call, server::Control& control, const server::Control::Reply& reply);
};

constexpr std::array kKnownCalls = {
    KnownCall{"plan",
              [](const Json& call, server::Control& control, const server::Control::Reply& reply) {
                const bool local = call.at("local").get<bool>();
                control.Plan(ListNames(call),
                             local ? server::PlanAsker::kLocal : server::PlanAsker::kNetwork,
                             /*lines=*/nullptr, reply);
              }},
    KnownCall{"plan-directory",
              [](const Json& call, server::Control& control, const server::Control::Reply& reply) {
                auto upload =
                    server::ReadPlanUpload(call.at("upload").get_ref<const std::string&>());
                if (!upload) return reply(Fail(upload.error()));
                const bool local = call.at("local").get<bool>();
                control.PlanDirectory(
                    std::move(*upload),
                    local ? server::PlanAsker::kLocal : server::PlanAsker::kNetwork, reply);
              }},
};

}  // namespace

ForwardedCall::ForwardedCall(const server::OperatorCommand& command)
    : ForwardedCall(std::visit(
          []<typename Command>(const Command& wanted) {
            Json call{{"call", Command::kCall}};
            call.update(report::ToJson(wanted));
            return call;
          },
          command)) {}

ForwardedCall ForwardedCall::Plan(const Names& names, server::PlanAsker asker) {
  return ForwardedCall(
      {{"call", "plan"}, {"names", names}, {"local", asker == server::PlanAsker::kLocal}});
}

ForwardedCall ForwardedCall::PlanDirectory(const server::PlanUpload& upload,
                                           server::PlanAsker asker) {
  return ForwardedCall({{"call", "plan-directory"},
                        {"upload", server::GetText(upload)},
                        {"local", asker == server::PlanAsker::kLocal}});
}

void CarryOut(const std::string& text, const std::string& actor, server::Control& control,
              const server::Control::Reply& reply) {
  const auto call = ParseJson(text);
  const std::string name = call ? StringMember(*call, "call") : "";
  try {
    if (auto command =
            call ? BuildCommand(name, *call, std::type_identity<server::OperatorCommand>())
                 : std::nullopt) {
      return control.Execute(*std::move(command), actor, reply);
    }
    for (const KnownCall& known : kKnownCalls) {
      if (known.name == name) return known.make(*call, control, reply);
    }
  } catch (const Json::exception& fault) {
    return reply(Fail(Code::kInvalidArgument,
                      std::string("the other replica asked wrongly: ") + fault.what()));
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

}  // namespace bindery::app
