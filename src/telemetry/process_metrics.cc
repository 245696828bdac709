#include "telemetry/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace bindery::telemetry {
namespace {

double CpuSeconds() {
  timespec time{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// When the machine started, in seconds since 1970.
std::optional<double> BootTime() {
  std::ifstream stat("/proc/stat");
  std::string line;
  while (std::getline(stat, line)) {
    std::istringstream words(line);
    std::string key;
    double value = 0;
    if (words >> key >> value && key == "btime") return value;
  }
  return std::nullopt;
}

/// When the process started, in seconds since 1970.
std::optional<double> StartTime() {
  std::ifstream stat("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(stat), std::istreambuf_iterator<char>()};
  // The program's name stands in parentheses and may hold blanks; field 22, the 20th behind it,
  // counts clock ticks since boot.
  const std::size_t name_end = text.rfind(')');
  const auto boot = BootTime();
  if (name_end == std::string::npos || !boot) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  constexpr int kStartTimeField = 20;
  std::string field;
  for (int i = 0; i < kStartTimeField; ++i) fields >> field;
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::istringstream number(field);
  double ticks = 0;
  if (!(number >> ticks)) return std::nullopt;
  return *boot + ticks / ticks_per_second;
}

std::optional<double> OpenFiles() {
  std::error_code failure;
  const std::filesystem::directory_iterator files("/proc/self/fd", failure);
  if (failure) return std::nullopt;
  // One descriptor is the directory under reading.
  return static_cast<double>(std::distance(begin(files), end(files))) - 1;
}

}  // namespace

ProcessMetrics::ProcessMetrics(MetricRegistry& registry) : registry_(registry) {
  if (const auto start = StartTime()) start_time_.Set(*start);
}

void ProcessMetrics::Refresh() {
  std::ifstream statm("/proc/self/statm");
  double total_pages = 0;
  double resident_pages = 0;
  if (statm >> total_pages >> resident_pages) {
    const auto page_size = static_cast<double>(::sysconf(_SC_PAGESIZE));
    virtual_memory_.Set(total_pages * page_size);
    resident_memory_.Set(resident_pages * page_size);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) max_fds_.Set(limit.rlim_cur);
  if (const auto files = OpenFiles()) open_fds_.Set(*files);
  cpu_.RaiseTo(CpuSeconds());
}

}  // namespace bindery::telemetry
