#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "core/base/json.h"
#include "core/settings/role.h"
#include "report/codec/json_codec.h"

namespace bindery::server {

// What operators ask of the daemon. A command is one value from the command line, the API or a
// button of the dashboard, over the relay of a standby, to the controller (Control::Execute). The
// type of a command says:
// - the fields, with the names of their JSON (report::kFields),
// - kCall, the name in a request to another replica,
// - kPath, where the API takes the command,
// - kNeeded, the role of the users who may ask.
namespace command {

using Names = std::vector<std::string>;

/// Checks the targets of the resources now (all when `names` is empty). Answers when they are done:
/// {"results": [{"name", "done", "held", "message"}]}. kNotFound for an unknown name.
struct Reconcile {
  static constexpr std::string_view kCall = "reconcile";
  static constexpr const char* kPath = "/api/v1/reconcile";
  static constexpr Role kNeeded = Role::kOperator;
  Names names;
};

/// Removals of the resources do not wait any more for the manifests directory to settle, which is
/// read again: {"names": […]}. kNotFound for an unknown name.
struct WaiveSettling {
  static constexpr std::string_view kCall = "waive-settling";
  static constexpr const char* kPath = "/api/v1/waive-settling";
  static constexpr Role kNeeded = Role::kApprover;
  Names names;
};

/// {"names": […], "suspended": bool}
struct Suspend {
  static constexpr std::string_view kCall = "suspend";
  static constexpr const char* kPath = "/api/v1/suspend";
  static constexpr const char* kResumePath = "/api/v1/resume";
  static constexpr Role kNeeded = Role::kOperator;
  Names names;
  bool suspend = true;  ///< False: the resources are resumed.
};

/// Lets go of resources whose manifests are gone, without touching a cloud: {"names": […]}.
/// kFailedPrecondition while a manifest is there.
struct Forget {
  static constexpr std::string_view kCall = "forget";
  static constexpr const char* kPath = "/api/v1/forget";
  static constexpr Role kNeeded = Role::kApprover;
  Names names;
};

/// {"digest", "targets": n, "removals": n}
struct Approve {
  static constexpr std::string_view kCall = "approve";
  static constexpr const char* kPath = "/api/v1/guard/approve";
  static constexpr Role kNeeded = Role::kApprover;
  std::string digest;
};

/// The same: waiting removals stay undone.
struct Deny {
  static constexpr std::string_view kCall = "deny";
  static constexpr const char* kPath = "/api/v1/guard/deny";
  static constexpr Role kNeeded = Role::kApprover;
  std::string digest;
};

/// {"name", "revision", "done", "held", "message", "suspended": […]}, where the last lists the
/// suspended resources.
struct Rollback {
  static constexpr std::string_view kCall = "rollback";
  static constexpr const char* kPath = "/api/v1/rollback";
  static constexpr Role kNeeded = Role::kApprover;
  std::string name;
  std::int64_t revision = 0;
};

}  // namespace command

/// All of them. A new command is a member here: what does not handle the command does not compile.
using OperatorCommand =
    std::variant<command::Reconcile, command::WaiveSettling, command::Suspend, command::Forget,
                 command::Approve, command::Deny, command::Rollback>;

}  // namespace bindery::server

namespace bindery::report {

template <>
inline constexpr auto kFields<server::command::Reconcile> =
    std::tuple{Field{"names", &server::command::Reconcile::names}};
template <>
inline constexpr auto kFields<server::command::WaiveSettling> =
    std::tuple{Field{"names", &server::command::WaiveSettling::names}};
template <>
inline constexpr auto kFields<server::command::Suspend> =
    std::tuple{Field{"names", &server::command::Suspend::names},
               Field{"suspend", &server::command::Suspend::suspend}};
template <>
inline constexpr auto kFields<server::command::Forget> =
    std::tuple{Field{"names", &server::command::Forget::names}};
template <>
inline constexpr auto kFields<server::command::Approve> =
    std::tuple{Field{"digest", &server::command::Approve::digest}};
template <>
inline constexpr auto kFields<server::command::Deny> =
    std::tuple{Field{"digest", &server::command::Deny::digest}};
template <>
inline constexpr auto kFields<server::command::Rollback> =
    std::tuple{Field{"name", &server::command::Rollback::name},
               Field{"revision", &server::command::Rollback::revision}};

}  // namespace bindery::report

namespace bindery::server {

/// The body with which a command goes to its path of the API.
template <typename Command>
[[nodiscard]] Json MakeBody(const Command& wanted) {
  Json body = report::ToJson(wanted);
  // The path says which one.
  if constexpr (std::same_as<Command, command::Suspend>) body.erase("suspend");
  return body;
}

}  // namespace bindery::server
