// The lookups of roles, teams and users by the names that people use.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/clients/principal_client.h"
#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "reconcilers/lookup.h"

namespace bindery::datadog {
namespace {

using Listed = std::vector<ListedPrincipal>;

bool HasTrue(const Json& attributes, std::string_view name) {
  const Json* value = FindMember(attributes, name);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

/// "a, b"
std::string ListIds(const Listed& principals) {
  std::string ids;
  for (const ListedPrincipal& principal : principals) {
    ids += (ids.empty() ? "" : ", ") + principal.id;
  }
  return ids;
}

/// Looks up one principal by its whole key. A part of the key is never enough: the result gets
/// access.
class PrincipalLookup : public reconcilers::Lookup {
 public:
  PrincipalLookup(const manifests::KindSchema& schema, const PrincipalList& list)
      : reconcilers::Lookup(schema, DatadogTraits()), list_(list) {}

  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& spec, const std::string& /*default_project*/) const override {
    reconcilers::Declaration declared;
    declared.target = Normal(StringMember(spec, list_.key));
    return declared;
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const override {
    return BuildListCall(list_, connection.BaseUrl(traits().service), target, timeout);
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& /*default_project*/) const override {
    if (auto bad = schema().inputs.front().check(id)) {
      return Fail(Code::kInvalidArgument, std::move(bad->message));
    }
    return reconcilers::ResourceId{Normal(id), ""};
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& /*role*/,
                                      const reconcilers::Observation& now) const override {
    if (!now.exists) return Fail(Code::kNotFound, "there is no " + Phrase("", target));
    return Json{{list_.key, target}};
  }

 protected:
  /// The form for comparing keys.
  [[nodiscard]] virtual std::string Normal(const std::string& key) const { return key; }
  /// The intended principals among several with the key, as far as known.
  [[nodiscard]] virtual Expected<Listed> Narrow(Listed matches, const std::string& /*key*/) const {
    return matches;
  }
  [[nodiscard]] virtual Result Describe(const ListedPrincipal& principal) const = 0;

  [[nodiscard]] Expected<Result> MakeResult(const cloud::PolicyCall& read,
                                            const std::string& body) const override {
    const std::string& key = read.expected_id;
    const Expected<Listed> listed = ParseListAnswer(list_, read, body);
    if (!listed) return Fail(listed.error());
    Listed matches;
    std::vector<std::string> others;
    for (const ListedPrincipal& principal : *listed) {
      std::string name = StringMember(principal.attributes, list_.key);
      if (Normal(name) == key) {
        matches.push_back(principal);
      } else {
        others.push_back(std::move(name));
      }
    }
    if (matches.empty()) {
      return Fail(Code::kNotFound,
                  "there is no " + Phrase("", key) + manifests::DidYouMean(key, others));
    }
    const Expected<Listed> meant = Narrow(std::move(matches), key);
    if (!meant) return Fail(meant.error());
    if (meant->size() == 1) return Describe(meant->front());
    return Fail(Code::kFailedPrecondition, "there are " + std::to_string(meant->size()) + " " +
                                               Phrase("s", key) + ": " + ListIds(*meant) +
                                               "; write " +
                                               manifests::Quote(std::string(list_.noun) + ":ID") +
                                               " with the id of one of them instead");
  }

  /// `role named "a"`
  [[nodiscard]] std::string Phrase(const char* plural, const std::string& key) const {
    return std::string(list_.noun) + plural + " " + std::string(list_.named) + " " +
           manifests::Quote(key);
  }

 private:
  const PrincipalList& list_;
};

class GetRole final : public PrincipalLookup {
 public:
  GetRole() : PrincipalLookup(GetRoleSchema(), RoleList()) {}

 protected:
  [[nodiscard]] Result Describe(const ListedPrincipal& role) const override {
    return {Json{{"id", role.id}}, ""};
  }
};

class GetTeam final : public PrincipalLookup {
 public:
  GetTeam() : PrincipalLookup(GetTeamSchema(), TeamList()) {}

 protected:
  [[nodiscard]] Result Describe(const ListedPrincipal& team) const override {
    return {Json{{"id", team.id}, {"name", StringMember(team.attributes, "name")}}, ""};
  }
};

class GetUser final : public PrincipalLookup {
 public:
  GetUser() : PrincipalLookup(GetUserSchema(), UserList()) {}

 protected:
  [[nodiscard]] std::string Normal(const std::string& key) const override {
    return AsciiLower(key);
  }

  /// A service account has the address of its contact person, and a person who comes back may have
  /// a second account.
  [[nodiscard]] Expected<Listed> Narrow(Listed matches, const std::string& key) const override {
    const auto is_service = [](const ListedPrincipal& user) {
      return HasTrue(user.attributes, "service_account");
    };
    const auto is_disabled = [](const ListedPrincipal& user) {
      return HasTrue(user.attributes, "disabled");
    };
    if (std::ranges::all_of(matches, is_service)) {
      return Fail(Code::kNotFound, "there is no " + Phrase("", key) +
                                       "; service accounts are not looked up by address: write "
                                       "\"user:ID\" with the id of one of those with this "
                                       "address: " +
                                       ListIds(matches));
    }
    std::erase_if(matches, is_service);
    if (!std::ranges::all_of(matches, is_disabled)) std::erase_if(matches, is_disabled);
    return matches;
  }

  [[nodiscard]] Result Describe(const ListedPrincipal& user) const override {
    const bool disabled = HasTrue(user.attributes, "disabled");
    Result result;
    result.outputs = {
        {"id", user.id}, {"name", StringMember(user.attributes, "name")}, {"disabled", disabled}};
    if (disabled) result.note = "the user is disabled: no access takes effect until it is enabled";
    return result;
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeGetRole() { return std::make_unique<GetRole>(); }
std::unique_ptr<reconcilers::Kind> MakeGetTeam() { return std::make_unique<GetTeam>(); }
std::unique_ptr<reconcilers::Kind> MakeGetUser() { return std::make_unique<GetUser>(); }

}  // namespace bindery::datadog
