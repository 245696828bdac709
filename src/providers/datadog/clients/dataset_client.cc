#include "providers/datadog/clients/dataset_client.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cloud/http_errors.h"
#include "core/base/json_text.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/clients/api_call.h"

namespace bindery::datadog {
namespace {

constexpr const char* kDatasetService = "dataset";
constexpr const char* kDatasetPath = "/api/v2/datasets";
constexpr const char* kDatasetRemoval = "delete";
constexpr const char* kDatasetList = "list";

const Json& DatasetMember(const Json& value, std::string_view name) {
  static const Json kAbsent;
  const Json* member = FindMember(value, name);
  return member == nullptr ? kAbsent : *member;
}

std::string DatasetId(const Json& document) {
  return StringMember(DatasetMember(document, "data"), "id");
}

/// An id comes from the service, but it becomes a part of a path: dots would name something else.
Expected<std::string> DatasetUrl(const std::string& base_url, const std::string& id) {
  if (!id.empty() && id != "." && id != "..") {
    return base_url + kDatasetPath + "/" + cloud::EncodeSegment(id);
  }
  return Fail(Code::kInvalidArgument, manifests::Quote(id) + " is not the id of a dataset");
}

bool AreTexts(const Json& list) {
  return list.is_array() &&
         std::ranges::all_of(list, [](const Json& item) { return item.is_string(); });
}

/// The error of a dataset's shape; empty when nothing is.
std::string DatasetFault(const Json& data) {
  const Json& attributes = DatasetMember(data, "attributes");
  if (!AreTexts(DatasetMember(attributes, "principals"))) {
    return "a dataset with principals that are not a list of strings";
  }
  const Json& filters = DatasetMember(attributes, "product_filters");
  if (!filters.is_array()) return "a dataset without a list product_filters";
  for (const Json& entry : filters) {
    const std::string product = StringMember(entry, "product");
    if (product.empty() || manifests::HasBlank(product))
      return "a dataset with filters of no product";
    if (!AreTexts(DatasetMember(entry, "filters"))) {
      return "a dataset with filters that are not a list of strings";
    }
  }
  return "";
}

bool IsNamedDataset(const Json& data) {
  return StringMember(data, "type") == kDatasetService && !StringMember(data, "id").empty() &&
         !StringMember(DatasetMember(data, "attributes"), "name").empty();
}

std::string NameOfDataset(const Json& data) {
  return StringMember(DatasetMember(data, "attributes"), "name");
}

Expected<Json> DatasetInList(const cloud::PolicyCall& call, const Json& answer) {
  const Json& list = DatasetMember(answer, "data");
  if (!list.is_array()) {
    return Fail(cloud::ShapeError(call.request, "something that is no list of datasets"));
  }
  std::vector<const Json*> matches;
  for (const Json& data : list) {
    if (!IsNamedDataset(data)) {
      return Fail(cloud::ShapeError(
          call.request, "a list with something that is not a dataset with id and name"));
    }
    if (NameOfDataset(data) == call.expected_id) matches.push_back(&data);
  }
  if (matches.empty()) return DatasetClient::NoDataset(call.expected_id);
  if (matches.size() == 1) return Json{{"data", *matches.front()}};
  std::string ids;
  for (const Json* data : matches) ids += (ids.empty() ? "" : ", ") + StringMember(*data, "id");
  return Fail(Code::kFailedPrecondition,
              "there are " + std::to_string(matches.size()) + " datasets named " +
                  manifests::Quote(call.expected_id) + ": " + ids +
                  "; rename or delete all but one of them, then it is managed");
}

}  // namespace

Json DatasetClient::NoDataset(const std::string& name) {
  return {
      {"data",
       {{"type", kDatasetService},
        {"attributes",
         {{"name", name}, {"principals", Json::array()}, {"product_filters", Json::array()}}}}}};
}

Expected<cloud::PolicyCall> DatasetClient::Listing(const std::string& base_url,
                                                   const std::string& name,
                                                   std::chrono::milliseconds timeout) {
  if (name.empty()) return Fail(Code::kInvalidArgument, "a dataset has a name");
  return DatadogCall(DatadogRequest("GET", base_url + kDatasetPath, kDatasetList), kDatasetService,
                     timeout, name);
}

Expected<cloud::PolicyCall> DatasetClient::Storing(const std::string& base_url,
                                                   const Json& document,
                                                   std::chrono::milliseconds timeout) {
  const std::string id = DatasetId(document);
  const Json& attributes = DatasetMember(DatasetMember(document, "data"), "attributes");
  const std::string name = StringMember(attributes, "name");
  const Json body = {{"data",
                      {{"type", kDatasetService},
                       {"attributes",
                        {{"name", name},
                         {"principals", DatasetMember(attributes, "principals")},
                         {"product_filters", DatasetMember(attributes, "product_filters")}}}}}};
  cloud::HttpRequest request;
  if (id.empty()) {
    request = DatadogRequest("POST", base_url + kDatasetPath, "create", body);
  } else {
    const Expected<std::string> url = DatasetUrl(base_url, id);
    if (!url) return Fail(url.error());
    request = DatadogRequest("PUT", *url, "update", body);
  }
  return DatadogCall(std::move(request), kDatasetService, timeout, name);
}

Expected<cloud::PolicyCall> DatasetClient::Removing(const std::string& base_url,
                                                    const Json& document,
                                                    std::chrono::milliseconds timeout) {
  const Expected<std::string> url = DatasetUrl(base_url, DatasetId(document));
  if (!url) return Fail(url.error());
  const std::string name = NameOfDataset(DatasetMember(document, "data"));
  cloud::PolicyCall call =
      DatadogCall(DatadogRequest("DELETE", *url, kDatasetRemoval), kDatasetService, timeout, name);
  call.body_when_absent = CompactJson(NoDataset(name));
  return call;
}

Expected<Json> DatasetClient::ParseResponse(const cloud::PolicyCall& call,
                                            const std::string& body) {
  // The service answers 204 without a body; an absent dataset has a document that says so.
  if (call.request.operation == kDatasetRemoval) return NoDataset(call.expected_id);
  auto answer = cloud::ParseObject(call.request, body);
  if (!answer) return answer;
  Expected<Json> document = call.request.operation == kDatasetList
                                ? DatasetInList(call, *answer)
                                : Expected<Json>(std::move(*answer));
  if (!document) return document;
  const Json& data = DatasetMember(*document, "data");
  std::string fault = DatasetFault(data);
  if (fault.empty() && call.request.operation != kDatasetList) {
    if (!IsNamedDataset(data)) {
      fault = "something that is not a dataset with id and name";
    } else if (NameOfDataset(data) != call.expected_id) {
      fault = "the dataset " + manifests::Quote(NameOfDataset(data));
    }
  }
  if (!fault.empty()) return Fail(cloud::ShapeError(call.request, fault));
  return document;
}

}  // namespace bindery::datadog
