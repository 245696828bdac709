#pragma once

#include <string>
#include <string_view>

namespace bindery::google::conditions {

/// Whether conditions can ask for the value of resource.service.
[[nodiscard]] bool IsKnownService(std::string_view service);

/// The service that conditions name for the host of a full resource name; the host itself but for
/// some services.
[[nodiscard]] std::string GetServiceOfHost(const std::string& host);

/// Whether conditions can ask for the value of resource.type; also true of every type of a service
/// whose types are not listed here.
[[nodiscard]] bool IsKnownResourceType(std::string_view type);

/// The nearest known one as ", did you mean "x"?", or nothing.
[[nodiscard]] std::string NearestService(const std::string& service);
[[nodiscard]] std::string NearestResourceType(const std::string& type);

}  // namespace bindery::google::conditions
