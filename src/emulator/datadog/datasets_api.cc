#include "emulator/datadog/datasets_api.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/datadog/api.h"
#include "emulator/datadog/datasets.h"
#include "emulator/datadog/listed_entries.h"

namespace bindery::emulator {
namespace {

httpd::Response NoSuchDataset(const std::string& id) {
  return DatadogError(404, "Not found: no dataset has the id \"" + id + "\"");
}

httpd::Response StoreDataset(Cloud& cloud, const Call& call, const httpd::Request& request) {
  const auto document = ParseJson(request.body);
  if (!document) return DatadogError(400, "Invalid request: the body is not valid JSON");
  const auto value = ReadDataset(*document);
  if (!value) return DatadogError(value.error().status, value.error().text);
  const auto principals = value->at("principals").get<std::vector<std::string>>();
  const auto unknown =
      cloud.WithPrincipals([&](const auto& known) { return known.Refuse(principals); });
  if (unknown) return DatadogError(400, *unknown);
  const bool create = call.verb == Call::Verb::kPost;
  const std::string id =
      create ? cloud.NewListedId(section::kDatasets, StringMember(*value, "name")) : call.target;
  std::optional<DatasetRefusal> refusal;
  const auto stored =
      cloud.WriteListed(section::kDatasets, id, [&](const Json& list, const Json* present) {
        if (!create && present == nullptr) {
          refusal = DatasetRefusal{404, "Not found: no dataset has the id \"" + id + "\""};
        } else {
          refusal = RefuseDataset(list, id, *value);
        }
        return refusal ? std::nullopt : std::optional<Json>(*value);
      });
  if (!stored) return DatadogError(500, stored.error().message);
  if (refusal) return DatadogError(refusal->status, refusal->text);
  return DatadogAnswer(200, Json{{"data", *stored}});
}

httpd::Response DeleteDataset(Cloud& cloud, const Call& call) {
  bool found = false;
  const auto stored = cloud.WriteListed(
      section::kDatasets, call.target, [&](const Json& /*list*/, const Json* present) {
        found = present != nullptr;
        return found ? std::optional<Json>(Json{{"deleted", true}}) : std::nullopt;
      });
  if (!stored) return DatadogError(500, stored.error().message);
  return found ? DatadogAnswer(204, Json()) : NoSuchDataset(call.target);
}

}  // namespace

httpd::Response ServeDatasets(Cloud& cloud, const Call& call, const httpd::Request& request,
                              Staleness staleness) {
  if (call.verb == Call::Verb::kPost || call.verb == Call::Verb::kPut) {
    return StoreDataset(cloud, call, request);
  }
  if (call.verb == Call::Verb::kDelete) return DeleteDataset(cloud, call);
  const Json list = cloud.ReadListed(section::kDatasets, staleness);
  if (call.verb == Call::Verb::kList) return DatadogAnswer(200, Json{{"data", list}});
  const Json* data = FindListed(list, call.target);
  return data == nullptr ? NoSuchDataset(call.target) : DatadogAnswer(200, Json{{"data", *data}});
}

}  // namespace bindery::emulator
