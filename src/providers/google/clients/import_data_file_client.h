#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::google {

/// Import data files of Google's Migration Center: GET /v1/{name}. They are only looked up.
class ImportDataFileClient {
 public:
  /// How the file of the full name is read:
  /// "projects/P/locations/L/importJobs/J/importDataFiles/F". kInvalidArgument for any other.
  [[nodiscard]] static Expected<cloud::PolicyCall> BuildGet(const std::string& base_url,
                                                            const std::string& name,
                                                            std::chrono::milliseconds timeout);

  /// The document in the body of a good answer to `read`, unchanged: its upload URL
  /// and the URL's headers are secrets. Pure. kInternal for members of a wrong
  /// type.
  [[nodiscard]] static Expected<Json> ParseResponse(const cloud::PolicyCall& read,
                                                    const std::string& body);
};

}  // namespace bindery::google
