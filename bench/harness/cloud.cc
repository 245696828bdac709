#include "harness/cloud.h"

#include <chrono>
#include <stdexcept>

#include "harness/files.h"
#include "harness/http_call.h"

namespace bindery::bench {
namespace {

constexpr double kPollSeconds = 0.002;
constexpr std::chrono::seconds kStartPatience(30);

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Cloud::Cloud(const std::string& program, const std::string& folder, const std::string& seed) {
  WriteText(folder + "/seed.yaml", seed);
  const std::string out = folder + "/cloud.out";
  WriteText(out, "");
  // In memory: a cloud that writes to the same disk, on the same cores, would be measured with it.
  process_ = std::make_unique<ChildProcess>(
      std::vector<std::string>{program, "emulator", "--listen", "127.0.0.1:0", "--store",
                               ":memory:", "--seed", folder + "/seed.yaml"},
      out, folder + "/cloud.err");
  const auto deadline = std::chrono::steady_clock::now() + kStartPatience;
  std::size_t at = std::string::npos;
  std::string said;
  while ((at = said.find("http://")) == std::string::npos || said.back() != '\n') {
    if (!process_->Running()) {
      throw std::runtime_error("the emulator ended: " + ReadText(folder + "/cloud.err"));
    }
    if (std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("the emulator never said its address: " +
                               ReadText(folder + "/cloud.err"));
    }
    Pause(0.01);
    said = ReadText(out);
  }
  url_ = said.substr(at, said.find_last_not_of("\n/") - at + 1);
}

std::uint16_t Cloud::port() const {
  return static_cast<std::uint16_t>(std::stoul(url_.substr(url_.rfind(':') + 1)));
}

void Cloud::SetLatency(std::chrono::milliseconds latency) const {
  Json faults = Json::array();
  if (latency.count() > 0) {
    faults.push_back({{"operation", "*"}, {"delay", std::to_string(latency.count()) + "ms"}});
  }
  std::ignore = SendForJson({"PUT", url_ + "/_emulator/faults", faults.dump()});
}

Calls Cloud::Counted() const {
  const Json counts = SendForJson({"GET", url_ + "/_emulator/requests"});
  Calls calls;
  for (const auto& [operation, count] : counts.at("operations").items()) {
    const bool write = EndsWith(operation, ".setIamPolicy") || EndsWith(operation, ".post") ||
                       EndsWith(operation, ".delete");
    (write ? calls.writes : calls.reads) += count.get<std::size_t>();
  }
  return calls;
}

double Cloud::AnsweredBytes() const {
  return SendForJson({"GET", url_ + "/_emulator/requests"}).at("answeredBytes").get<double>();
}

void Cloud::ResetCounts() const {
  std::ignore = SendForJson({"DELETE", url_ + "/_emulator/requests"});
}

void Cloud::Replace(const std::string& seed) const {
  std::ignore = SendForJson({"PUT", url_ + "/_emulator/seed", seed});
}

void Cloud::AwaitCalls(Calls wanted, double patience_seconds) const {
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
  std::size_t seen = 0;
  for (;;) {
    const Calls calls = Counted();
    if (calls.reads >= wanted.reads && calls.writes >= wanted.writes) return;
    if (calls.reads + calls.writes != seen) last = Clock::now();
    seen = calls.reads + calls.writes;
    if (std::chrono::duration<double>(Clock::now() - last).count() > patience_seconds) {
      throw std::runtime_error("the cloud counts " + std::to_string(calls.reads) + " reads and " +
                               std::to_string(calls.writes) + " writes, and no more come");
    }
    Pause(kPollSeconds);
  }
}

Json Cloud::ReadPolicy(const std::string& target) const {
  return SendForJson(
      {"GET", url_ + "/v1/" + target + ":getIamPolicy?options.requestedPolicyVersion=3"});
}

void Cloud::WritePolicy(const std::string& target, const Json& policy) const {
  std::ignore = SendForJson(
      {"POST", url_ + "/v1/" + target + ":setIamPolicy", Json{{"policy", policy}}.dump()});
}

}  // namespace bindery::bench
