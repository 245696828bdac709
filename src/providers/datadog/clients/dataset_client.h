#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::datadog {

/// Datadog's datasets of data access control: GET and POST on /api/v2/datasets, PUT and DELETE on
/// /api/v2/datasets/{dataset_id}. There is no etag; the last writer wins. The service gives out the
/// ids, so a dataset is found by its name in the list of all, which has no pages.
class DatasetClient {
 public:
  /// How all datasets are read, to find the one of the name. kInvalidArgument for an empty name.
  [[nodiscard]] static Expected<cloud::PolicyCall> Listing(const std::string& base_url,
                                                           const std::string& name,
                                                           std::chrono::milliseconds timeout);

  /// How `document` is stored: one with data.id replaces that dataset, one without is created.
  /// Only the name, the principals and the filters are sent. The answer is the dataset as
  /// stored.
  [[nodiscard]] static Expected<cloud::PolicyCall> Storing(const std::string& base_url,
                                                           const Json& document,
                                                           std::chrono::milliseconds timeout);

  /// How the dataset with data.id of `document` is taken away. What is missing is as good as
  /// gone.
  [[nodiscard]] static Expected<cloud::PolicyCall> Removing(const std::string& base_url,
                                                            const Json& document,
                                                            std::chrono::milliseconds timeout);

  /// The document that a good answer to `call` gives or leaves behind: {"data": {"type", "id",
  /// "attributes": {"name", "principals", "product_filters"}}}. Without "id" and with empty lists:
  /// there is no dataset of the name. kFailedPrecondition when several have it. Pure.
  [[nodiscard]] static Expected<Json> ParseResponse(const cloud::PolicyCall& call,
                                                    const std::string& body);

  /// The document for a missing dataset of the name.
  [[nodiscard]] static Json NoDataset(const std::string& name);
};

}  // namespace bindery::datadog
