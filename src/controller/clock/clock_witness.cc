#include "controller/clock/clock_witness.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

bool Agree(WallTime one, WallTime other) {
  return (one < other ? other - one : one - other) <= ClockWitness::kTolerance;
}

/// Requires: `values` is not empty.
template <typename Values>
typename Values::value_type InTheMiddle(Values& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::string ClockJudgement::Why() const {
  switch (verdict) {
    case Verdict::kConfirmed:
      return "";
    case Verdict::kUnknown:
      return "no service has told the time yet, so the local clock is not confirmed";
    case Verdict::kDisputed:
      break;
  }
  const milliseconds apart = ahead < milliseconds(0) ? -ahead : ahead;
  if (apart <= ClockWitness::kTolerance) {
    return "the services do not agree with each other on the time";
  }
  return "the local clock is " + FormatAge(apart) +
         (ahead < milliseconds(0) ? " behind" : " ahead of") + " the time that " + witness +
         " tells";
}

void ClockWitness::Note(const std::string& source, WallTime date, MonoTime at) {
  const Reading reading{date, at};
  const auto [found, first] = sources_.try_emplace(source, Source{reading, {}, at, at});
  Source& known = found->second;
  known.heard = at;
  if (first) return;
  if (Agree(known.settled.TimeAt(at), date)) {
    known.settled = reading;
    known.stepped.reset();
    return;
  }
  if (!known.stepped || !Agree(known.stepped->TimeAt(at), date)) {
    known.stepped = reading;
    known.stepped_at = at;
    return;
  }
  known.stepped = reading;
  if (at - known.stepped_at < kSettles) return;
  known.settled = *std::exchange(known.stepped, std::nullopt);
}

void ClockWitness::KeepProviders(const std::set<std::string>& providers) {
  std::erase_if(sources_, [&](const auto& item) {
    return !providers.contains(item.first.substr(0, item.first.find('/')));
  });
}

ClockWitness::Ahead ClockWitness::MeasureAhead(const Reading& (*reading)(const Source& source),
                                               WallTime wall, MonoTime mono) const {
  std::optional<MonoTime> newest;
  for (const auto& [name, source] : sources_) {
    newest = std::max(newest.value_or(source.heard), source.heard);
  }
  Ahead ahead;
  for (const auto& [name, source] : sources_) {
    if (source.heard < *newest - kSilence) continue;
    ahead.emplace_back(duration_cast<milliseconds>(wall - reading(source).TimeAt(mono)), name);
  }
  return ahead;
}

ClockJudgement ClockWitness::Judge(WallTime wall, MonoTime mono) const {
  Ahead ahead = MeasureAhead([](const Source& source) -> const Reading& { return source.settled; },
                             wall, mono);
  ClockJudgement judgement;
  if (ahead.empty()) return judgement;
  const auto agree = std::count_if(ahead.begin(), ahead.end(), [](const auto& one) {
    return one.first <= kTolerance && one.first >= -kTolerance;
  });
  std::tie(judgement.ahead, judgement.witness) = InTheMiddle(ahead);
  judgement.verdict = 2 * static_cast<std::size_t>(agree) > ahead.size()
                          ? ClockJudgement::Verdict::kConfirmed
                          : ClockJudgement::Verdict::kDisputed;
  return judgement;
}

WallTime ClockWitness::ServiceTime(WallTime wall, MonoTime mono) const {
  Ahead ahead = MeasureAhead([](const Source& source) -> const Reading& { return source.last(); },
                             wall, mono);
  return ahead.empty() ? wall : wall - InTheMiddle(ahead).first;
}

}  // namespace bindery::controller
