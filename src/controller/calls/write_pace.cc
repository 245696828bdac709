#include "controller/calls/write_pace.h"

#include <algorithm>
#include <chrono>

#include "controller/calls/turns.h"

namespace bindery::controller {
namespace {

constexpr std::chrono::seconds kBetweenWritesOfOne(1);
/// Seconds of waiting writes.
constexpr double kMostAhead = 10;

}  // namespace

WritePace::Service& WritePace::GetService(const Lane& lane, MonoTime now) {
  Service& service = services_[{lane.provider, lane.service}];
  service.tokens.SetRate(lane.rate, lane.rate, now);
  return service;
}

void WritePace::BeginRound(MonoTime now) {
  for (auto& [name, service] : services_) service.waiting = service.put_off = 0;
  std::erase_if(written_, [now](const auto& entry) { return entry.second <= now; });
}

std::optional<MonoTime> WritePace::WriteWaits(const Lane& lane, const TargetKey& target,
                                              MonoTime now) {
  if (lane.rate <= 0) return std::nullopt;
  Service& service = GetService(lane, now);
  MonoTime turn = service.tokens.NextToken(now);
  if (const auto last = written_.find(target); last != written_.end()) {
    turn = std::max(turn, last->second);
  }
  if (turn <= now) return std::nullopt;
  ++service.waiting;
  return turn;
}

void WritePace::Sent(const Lane& lane, const TargetKey& target, MonoTime now) {
  if (lane.rate <= 0) return;
  GetService(lane, now).tokens.Owe(now);
  written_.insert_or_assign(target, now + kBetweenWritesOfOne);
}

std::optional<MonoTime> WritePace::ReadWaits(const Lane& lane, MonoTime now) {
  if (lane.rate <= 0) return std::nullopt;
  Service& service = GetService(lane, now);
  if (static_cast<double>(service.waiting) < lane.rate * kMostAhead) return std::nullopt;
  return now + TurnAfter(++service.put_off, lane.rate);
}

MonoTime::duration WritePace::LongestWait(const Lane& lane, std::size_t workers) {
  if (lane.rate <= 0) return {};
  return ToSeconds(kMostAhead + static_cast<double>(workers) / lane.rate);
}

}  // namespace bindery::controller
