// Differences that may stay, as a manifest: an entry of drift.accept in a separate file.

#include <string>
#include <utility>

#include "core/text/time_text.h"
#include "manifests/schema/check_text.h"
#include "providers/bindery/accepted_drift_schema.h"
#include "providers/bindery/own_kinds.h"
#include "reconcilers/lookup.h"

namespace bindery::providers {
namespace {

constexpr const char* kAcceptedDriftTarget = "accepted drift";

/// Nothing is to be read anywhere: what it says is in force as soon as the manifest is.
class AcceptedDrift final : public reconcilers::Lookup {
 public:
  using reconcilers::Lookup::Lookup;

  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& /*spec*/, const std::string& /*default_project*/) const override {
    reconcilers::Declaration declared;
    declared.target = kAcceptedDriftTarget;
    return declared;
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& /*connection*/, const std::string& /*target*/,
      std::chrono::milliseconds timeout) const override {
    cloud::PolicyCall call;
    call.request.timeout = timeout;
    call.request.service = kOwnProvider;
    call.request.operation = "get";
    return call;
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& /*default_project*/) const override {
    return Fail(Code::kInvalidArgument,
                manifests::Quote(id) +
                    " cannot be imported: accepted drift exists nowhere but in manifests "
                    "and in drift.accept of the configuration");
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& /*target*/, const std::string& /*role*/,
                                      const reconcilers::Observation& /*now*/) const override {
    return Fail(Code::kNotFound, "accepted drift exists nowhere but in manifests");
  }

 protected:
  [[nodiscard]] Expected<Result> MakeResult(const cloud::PolicyCall& /*read*/,
                                            const std::string& /*body*/) const override {
    return Result{Json::object(), ""};
  }
};

}  // namespace

const Target& AcceptedDriftTarget() {
  static const Target kTarget = {AcceptedDriftSchema().token.kind, kOwnProvider,
                                 kAcceptedDriftTarget};
  return kTarget;
}

std::optional<AcceptedDriftRule> AcceptedDriftRuleIn(const Json& spec) {
  AcceptedDriftRule rule;
  if (const Json* match = FindMember(spec, "match")) {
    rule.target = StringMember(*match, "target");
    rule.role = StringMember(*match, "role");
    rule.member = StringMember(*match, "member");
    const std::string drift_class = StringMember(*match, "class");
    if (!drift_class.empty()) {
      rule.drift_class = DriftClassFromString(drift_class);
      // Never of another class because this version does not know the class.
      if (ToString(*rule.drift_class) != drift_class) return std::nullopt;
    }
    if (const Json* condition = FindMember(*match, "condition")) {
      rule.condition.title = StringMember(*condition, "title");
      rule.condition.expression = StringMember(*condition, "expression");
      const std::string within = StringMember(*condition, "endsWithin");
      const auto duration = ParseDuration(within);
      // Never of any end because the time cannot be read.
      if (!within.empty() && (!duration || duration->count() == 0)) return std::nullopt;
      if (!within.empty()) rule.condition.ends_within = *duration;
    }
  }
  rule.acceptance.reason = StringMember(spec, "reason");
  rule.acceptance.owner = StringMember(spec, "owner");
  if (const std::string until = StringMember(spec, "until"); !until.empty()) {
    const auto time = ParseDayOrTime(until);
    // Never without an end because the end cannot be read.
    if (!time) return std::nullopt;
    rule.acceptance.until = *time;
  }
  if (!Restricts(rule)) return std::nullopt;
  return rule;
}

std::vector<std::unique_ptr<reconcilers::Kind>> MakeOwnKinds() {
  reconcilers::KindTraits traits;
  traits.service = kOwnProvider;
  traits.provider_type = kOwnProvider;
  traits.names_are_global = false;
  traits.keeps_access = true;
  std::vector<std::unique_ptr<reconcilers::Kind>> kinds;
  kinds.push_back(std::make_unique<AcceptedDrift>(AcceptedDriftSchema(), std::move(traits)));
  return kinds;
}

}  // namespace bindery::providers
