// The lookup of the user whose credentials the provider uses.

#include <string>
#include <utility>

#include "manifests/schema/check_text.h"
#include "providers/datadog/clients/current_user_client.h"
#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "reconcilers/lookup.h"

namespace bindery::datadog {
namespace {

/// One target for each provider.
constexpr const char* kTarget = "current_user";

class GetCurrentUser final : public reconcilers::Lookup {
 public:
  using reconcilers::Lookup::Lookup;

  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& /*spec*/, const std::string& /*default_project*/) const override {
    reconcilers::Declaration declared;
    declared.target = kTarget;
    return declared;
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& /*target*/,
      std::chrono::milliseconds timeout) const override {
    return CurrentUserReading(connection.BaseUrl(traits().service), timeout);
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& /*default_project*/) const override {
    if (id.empty() || id == "me" || id == kTarget) return reconcilers::ResourceId{kTarget, ""};
    return Fail(Code::kInvalidArgument,
                manifests::Quote(id) +
                    " is not the current user: write \"me\"; other users are not looked up");
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& /*target*/, const std::string& /*role*/,
                                      const reconcilers::Observation& now) const override {
    if (!now.exists) return Fail(Code::kNotFound, "there is no current user");
    return Json::object();
  }

 protected:
  [[nodiscard]] Expected<Result> MakeResult(const cloud::PolicyCall& read,
                                            const std::string& body) const override {
    const Expected<CurrentUser> user = UnderstandCurrentUser(read, body);
    if (!user) return Fail(user.error());
    Result result;
    result.outputs = {{"id", user->id},
                      {"orgId", user->org_id},
                      {"orgPublicId", user->org_public_id},
                      {"handle", user->handle}};
    if (user->org_id.empty()) result.note = "the answer names no organization";
    return result;
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeGetCurrentUser() {
  reconcilers::KindTraits traits = DatadogTraits();
  return std::make_unique<GetCurrentUser>(GetCurrentUserSchema(), std::move(traits));
}

}  // namespace bindery::datadog
