#include "telemetry/metric_labels.h"

#include <cctype>

namespace bindery::metrics_internal {

using prometheus::Labels;

std::string LowerCase(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

Labels Kind(std::string_view kind) { return {{"kind", std::string(kind)}}; }
Labels Controller(std::string_view kind) { return {{"controller", LowerCase(kind)}}; }

Labels Queue(std::string_view kind) {
  std::string name = LowerCase(kind);
  return {{"name", name}, {"controller", name}};
}

Labels State(std::string_view kind, ResourceState state) {
  return {{"kind", std::string(kind)}, {"state", LowerCase(ToString(state))}};
}

Labels Drift(std::string_view kind, DriftClass drift_class, Severity severity, DriftCause cause) {
  return {{"kind", std::string(kind)},
          {"class", std::string(ToString(drift_class))},
          {"severity", std::string(ToString(severity))},
          {"cause", std::string(ToString(cause))}};
}

Labels AcceptedDrift(std::string_view kind, DriftClass drift_class) {
  return {{"kind", std::string(kind)}, {"class", std::string(ToString(drift_class))}};
}

}  // namespace bindery::metrics_internal
