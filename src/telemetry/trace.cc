#include "telemetry/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <random>

namespace bindery::telemetry {
namespace {

constexpr std::size_t kTraceDigits = 32;
constexpr std::size_t kSpanDigits = 16;
constexpr std::size_t kFlagsDigits = 2;
constexpr std::size_t kVersionDigits = 2;
constexpr std::size_t kTraceparentSize = 55;
constexpr std::uint64_t kSampledFlag = 1;

std::mt19937_64 SeededBySystem() {
  std::random_device system;
  std::array<std::random_device::result_type, 8> seed{};
  std::generate(seed.begin(), seed.end(), std::ref(system));
  std::seed_seq sequence(seed.begin(), seed.end());
  return std::mt19937_64(sequence);
}

/// An id need not be a secret, only be nobody else's: no system call for each.
std::uint64_t RandomId() {
  thread_local std::mt19937_64 generator = SeededBySystem();
  std::uint64_t id = generator();
  while (id == 0) id = generator();
  return id;
}

/// As OpenTelemetry's probability sampling: by the last 56 bits of the trace's id, so that services
/// with the same ratio decide alike.
bool IsSampled(std::uint64_t trace_low, double ratio) {
  constexpr std::uint64_t kRange = std::uint64_t{1} << 56U;
  if (ratio >= 1) return true;
  if (!(ratio > 0)) return false;
  const auto rejected = static_cast<std::uint64_t>((1 - ratio) * static_cast<double>(kRange));
  return (trace_low & (kRange - 1)) >= rejected;
}

void AppendHex(std::string& out, std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr unsigned kBits = 64;
  for (unsigned shift = kBits; shift > 0;) {
    shift -= 4;
    out += kDigits[(number >> shift) & 15U];
  }
}

/// Takes the number of digits and the following dash, if the text continues.
std::optional<std::uint64_t> TakeHex(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || (text.size() > digits && text[digits] != '-')) return std::nullopt;
  const std::string_view taken = text.substr(0, digits);
  if (taken.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(taken.data(), taken.data() + taken.size(), number, 16);
  text.remove_prefix(std::min(text.size(), digits + 1));
  return number;
}

TraceContext& Current() {
  thread_local TraceContext current;
  return current;
}

}  // namespace

TraceContext NewTrace(double sample_ratio) {
  TraceContext context{RandomId(), RandomId(), RandomId(), false};
  context.sampled = IsSampled(context.trace_low, sample_ratio);
  return context;
}

TraceContext MakeSpan(const TraceContext& trace) {
  TraceContext context = trace;
  context.span = RandomId();
  return context;
}

std::string TraceIdText(const TraceContext& context) {
  std::string text;
  text.reserve(kTraceDigits);
  AppendHex(text, context.trace_high);
  AppendHex(text, context.trace_low);
  return text;
}

std::string SpanIdText(std::uint64_t span) {
  std::string text;
  text.reserve(kSpanDigits);
  AppendHex(text, span);
  return text;
}

std::string ToTraceparent(const TraceContext& context) {
  std::string text;
  text.reserve(kTraceparentSize);
  text += "00-";
  AppendHex(text, context.trace_high);
  AppendHex(text, context.trace_low);
  text += '-';
  AppendHex(text, context.span);
  text += context.sampled ? "-01" : "-00";
  return text;
}

std::optional<TraceContext> ParseTraceparent(std::string_view text) {
  // The trace's id is two numbers: a dash in its middle would be taken for one behind the first.
  constexpr std::size_t kMiddle = kVersionDigits + 1 + kTraceDigits / 2;
  constexpr std::uint64_t kNoVersion = 0xff;
  if (text.size() < kTraceparentSize) return std::nullopt;
  std::string padded(text);
  padded.insert(kMiddle, 1, '-');
  std::string_view rest = padded;
  const auto version = TakeHex(rest, kVersionDigits);
  const auto high = TakeHex(rest, kTraceDigits / 2);
  const auto low = TakeHex(rest, kTraceDigits / 2);
  const auto span = TakeHex(rest, kSpanDigits);
  const auto flags = TakeHex(rest, kFlagsDigits);
  if (!version || !high || !low || !span || !flags || *version == kNoVersion) return std::nullopt;
  // Later versions may be longer; in this version nothing follows the flags.
  if (*version == 0 && text.size() != kTraceparentSize) return std::nullopt;
  const TraceContext context{*high, *low, *span, (*flags & kSampledFlag) != 0};
  if (!context.valid()) return std::nullopt;
  return context;
}

const TraceContext& CurrentTrace() { return Current(); }

TraceScope::TraceScope(const TraceContext& context) : before_(Current()) { Current() = context; }
TraceScope::~TraceScope() { Current() = before_; }

}  // namespace bindery::telemetry
