#include "telemetry/metrics.h"

namespace bindery::telemetry {
namespace {

constexpr const char* Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

Metrics::Metrics(const MetricsOptions& options) : registry_(options.kinds) {
  build_info.Set(1, {options.version, options.commit, Compiler()});
}

std::string Metrics::Render() {
  const MutexLock lock(render_mutex_);
  process_.Refresh();
  return registry_.Text();
}

}  // namespace bindery::telemetry
