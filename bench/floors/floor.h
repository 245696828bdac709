#pragma once

// What the bare programs share: arguments, clocks, one line of JSON. No code of bindery's: a floor
// must not get slower or faster with what stands on it.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace floors {

/// `--name value` pairs and what stands beside them.
class Arguments {
 public:
  Arguments(int count, char** words) {
    for (int i = 1; i < count; ++i) {
      const std::string word = words[i];
      if (word == "--help" || word == "-h") {
        help_ = true;
      } else if (word.rfind("--", 0) != 0) {
        plain_.push_back(word);
      } else if (i + 1 < count) {
        named_[word.substr(2)] = words[++i];
      } else {
        throw std::invalid_argument(word + " needs a value");
      }
    }
  }

  [[nodiscard]] bool help() const { return help_; }
  [[nodiscard]] const std::vector<std::string>& plain() const { return plain_; }
  [[nodiscard]] std::string Text(const std::string& name, const std::string& otherwise = "") const {
    const auto found = named_.find(name);
    return found == named_.end() ? otherwise : found->second;
  }
  [[nodiscard]] std::size_t Number(const std::string& name, std::size_t otherwise) const {
    const auto found = named_.find(name);
    return found == named_.end() ? otherwise : std::stoul(found->second);
  }

 private:
  bool help_ = false;
  std::vector<std::string> plain_;
  std::map<std::string, std::string> named_;
};

/// Wall and CPU time since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double WallSeconds() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
  }
  [[nodiscard]] double CpuSeconds() const { return CpuNow() - cpu_; }

 private:
  using Clock = std::chrono::steady_clock;

  static double CpuNow() {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  Clock::time_point begun_ = Clock::now();
  double cpu_ = CpuNow();
};

/// {"items", "wallSeconds", "cpuSeconds"}, to which a program adds what else it knows.
inline nlohmann::ordered_json Result(std::size_t items, const Stopwatch& watch) {
  return {
      {"items", items}, {"wallSeconds", watch.WallSeconds()}, {"cpuSeconds", watch.CpuSeconds()}};
}

/// The regular files of a tree.
inline std::vector<std::string> ListFiles(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  return files;
}

/// Runs `work(thread, item)` for all items, spread over all cores; each thread takes the next few.
inline void OnAllCores(std::size_t items,
                       const std::function<void(unsigned thread, std::size_t item)>& work) {
  constexpr std::size_t kStride = 16;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < cores; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t at = next.fetch_add(kStride); at < items; at = next.fetch_add(kStride)) {
        for (std::size_t item = at; item < std::min(at + kStride, items); ++item) {
          work(thread, item);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// The frame of a floor's main(): usage, result, and failures as one line.
inline int Main(int count, char** words, const char* usage,
                const std::function<nlohmann::ordered_json(const Arguments&)>& measure) {
  try {
    const Arguments arguments(count, words);
    if (arguments.help()) {
      std::printf("%s", usage);
      return 0;
    }
    std::printf("%s\n", measure(arguments).dump().c_str());
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n%s", words[0], failure.what(), usage);
    return 2;
  }
}

}  // namespace floors
