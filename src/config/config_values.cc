#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "config/reading.h"
#include "core/base/quoted.h"
#include "core/text/nearest.h"
#include "core/text/time_text.h"

namespace bindery::config {
namespace {

using yaml::Node;
using yaml::NodeKind;

tl::unexpected<Error> Bad(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

/// A scalar after expansion. One that held a variable may be any type, quoted or not: between the
/// braces of a flow map it has to be quoted.
struct Scalar {
  NodeKind kind = NodeKind::kString;
  std::string text;
  bool expanded = false;

  [[nodiscard]] bool MayBe(NodeKind wanted) const { return kind == wanted || expanded; }
};

tl::unexpected<Error> WrongType(std::string_view wanted, const Scalar& scalar) {
  return Bad("expected " + std::string(wanted) + ", found " + WithArticle(scalar.kind) + " " +
             Quoted(scalar.text));
}

std::string NumberText(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// "from 1 to 1024"; `show` writes a bound the way the key's values are written.
template <typename Show>
std::string RangeText(const Bounds& bounds, Show show) {
  if (std::isinf(bounds.most)) return "at least " + show(bounds.least);
  return "from " + show(bounds.least) + " to " + show(bounds.most);
}

bool Within(double value, const Bounds& bounds) {
  return value >= bounds.least && value <= bounds.most;
}

template <typename Number>
std::optional<Number> ParseNumber(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, status] = std::from_chars(text.data(), end, value);
  if (text.empty() || status != std::errc() || stopped != end) return std::nullopt;
  return value;
}

std::string Joined(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

Expected<std::size_t> FindIndex(const std::string& text, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, std::string_view(text));
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string> candidates(names.begin(), names.end());
  if (const auto nearest = NearestSpelling(text, candidates)) {
    return Bad(Quoted(text) + " is not accepted: did you mean " + Quoted(*nearest) + "?");
  }
  return Bad(Quoted(text) + " is not accepted: expected " + Joined(names));
}

/// The name of a list or a map in errors about a scalar in its place.
const char* GetName(const SeverityRulesSlot& /*slot*/) { return "a list of rules"; }
const char* GetName(const TargetRulesSlot& /*slot*/) { return "a list of rules"; }
const char* GetName(const AcceptedDriftSlot& /*slot*/) { return "a list of rules"; }
const char* GetName(const ProtectedGrantsSlot& /*slot*/) { return "a list of rules"; }
const char* GetName(const TextListSlot& /*slot*/) { return "a list of strings"; }
const char* GetName(const ServiceUrlsSlot& /*slot*/) { return "a map of URLs"; }
const char* GetName(const CountMapSlot& /*slot*/) { return "a map of numbers"; }
const char* GetName(const TextMapSlot& /*slot*/) { return "a map of strings"; }
const char* GetName(const WebhooksSlot& /*slot*/) { return "a map of webhooks"; }
const char* GetName(const DurationListSlot& /*slot*/) {
  return "a list of durations such as [7d, 1d]";
}

/// Puts a scalar into a slot; one overload for each type of slot.
struct Assign {
  const Scalar& scalar;
  const Bounds& bounds;

  [[nodiscard]] Expected<void> RequireString() const {
    if (scalar.MayBe(NodeKind::kString)) return {};
    return WrongType("a string", scalar);
  }

  Expected<void> operator()(std::string* slot) const {
    if (auto checked = RequireString(); !checked) return checked;
    *slot = scalar.text;
    return {};
  }

  Expected<void> operator()(std::filesystem::path* slot) const {
    if (auto checked = RequireString(); !checked) return checked;
    if (scalar.text.find('\0') != std::string::npos) return Bad("a path must not hold a null byte");
    *slot = scalar.text;
    return {};
  }

  Expected<void> operator()(bool* slot) const {
    const bool yes = scalar.text == "true" || scalar.text == "True" || scalar.text == "TRUE";
    const bool no = scalar.text == "false" || scalar.text == "False" || scalar.text == "FALSE";
    if (!scalar.MayBe(NodeKind::kBool) || (!yes && !no)) {
      return WrongType("true or false", scalar);
    }
    *slot = yes;
    return {};
  }

  Expected<void> operator()(int* slot) const {
    const auto value = ParseNumber<int>(scalar.text);
    const bool numeric = scalar.MayBe(NodeKind::kInteger);
    if (!numeric) return WrongType("a whole number", scalar);
    if (!value || !Within(*value, bounds)) {
      return Bad(Quoted(scalar.text) + " is not a whole number " + RangeText(bounds, NumberText));
    }
    *slot = *value;
    return {};
  }

  Expected<void> operator()(double* slot) const {
    const auto value = ParseNumber<double>(scalar.text);
    if (!scalar.MayBe(NodeKind::kFloat) && !scalar.MayBe(NodeKind::kInteger)) {
      return WrongType("a number", scalar);
    }
    if (!value || !std::isfinite(*value) || !Within(*value, bounds)) {
      return Bad(Quoted(scalar.text) + " is not a number " + RangeText(bounds, NumberText));
    }
    *slot = *value;
    return {};
  }

  Expected<void> operator()(std::chrono::milliseconds* slot) const {
    auto value = ParseDuration(scalar.text);
    if (!value) return Fail(value.error());
    if (!Within(static_cast<double>(value->count()), bounds)) {
      return Bad(Quoted(scalar.text) + " is out of range: expected " +
                 RangeText(bounds, [](double millis) {
                   return FormatDuration(
                       std::chrono::milliseconds(static_cast<std::int64_t>(millis)));
                 }));
    }
    *slot = *value;
    return {};
  }

  Expected<void> operator()(ListenAddress* slot) const {
    auto value = ParseListenAddress(scalar.text);
    if (!value) return Fail(value.error());
    *slot = *value;
    return {};
  }

  Expected<void> operator()(const ServiceUrlSlot& slot) const {
    if (auto checked = RequireString(); !checked) return checked;
    auto value = ParseServiceUrl(scalar.text);
    if (!value) return Fail(value.error());
    *slot.url = *value;
    return {};
  }

  Expected<void> operator()(const StoreUrlSlot& slot) const {
    auto location = StoreLocation::Parse(scalar.text);
    if (!location) {
      // A text that may hold a password is not repeated.
      const bool quiet = scalar.text.find_first_of("@=") != std::string::npos;
      return Bad((quiet ? std::string("this") : Quoted(scalar.text)) +
                 " is not a store: " + location.error().message);
    }
    *slot.location = *std::move(location);
    return {};
  }

  Expected<void> operator()(const ChoiceSlot& slot) const {
    const auto index = FindIndex(scalar.text, slot.names);
    if (!index) return Fail(index.error());
    slot.set(*index);
    return {};
  }

  Expected<void> operator()(const ChoiceListSlot& slot) const {
    return WrongType("a list of " + Joined(slot.names), scalar);
  }

  Expected<void> operator()(const TimeSlot& slot) const {
    const auto time = ParseDayOrTime(scalar.text);
    if (!time) {
      return Bad(Quoted(scalar.text) +
                 " is not a time: expected a day such as 2026-11-21, which begins at 00:00 UTC, or "
                 "2026-11-21T10:20:30Z");
    }
    *slot.time = *time;
    return {};
  }

  /// Lists and maps are read elsewhere.
  template <typename Composite>
  Expected<void> operator()(const Composite& slot) const {
    return WrongType(GetName(slot), scalar);
  }
};

Expected<Scalar> ToScalar(const Node& node, const Environment& environment) {
  Scalar scalar{node.kind, node.text};
  if (node.kind != NodeKind::kString || node.text.find("${") == std::string::npos) return scalar;
  auto text = ExpandEnvironment(node.text, environment);
  if (!text) return Fail(text.error());
  scalar.expanded = *text != node.text;
  scalar.text = std::move(*text);
  return scalar;
}

/// Replaces the expanded value by the text of the file: the value may be a secret.
std::string Concealed(std::string message, const std::string& value, const std::string& written) {
  if (value == written || value.empty()) return message;
  for (std::size_t at = message.find(value); at != std::string::npos;
       at = message.find(value, at + written.size())) {
    message.replace(at, value.size(), written);
  }
  return message;
}

Expected<void> ReadList(const Node& node, const ChoiceListSlot& slot,
                        const Environment& environment) {
  std::vector<std::size_t> indexes;
  for (const Node& item : node.items) {
    const auto scalar = ToScalar(item, environment);
    if (!scalar) return Fail(scalar.error());
    if (scalar->kind != NodeKind::kString) {
      return Bad("expected a list of " + Joined(slot.names) + ", found " +
                 WithArticle(scalar->kind) + " in it");
    }
    const auto index = FindIndex(scalar->text, slot.names);
    if (!index) return Bad(Concealed(index.error().message, scalar->text, item.text));
    if (std::ranges::find(indexes, *index) != indexes.end()) {
      return Bad(Quoted(item.text) + " is in the list twice");
    }
    indexes.push_back(*index);
  }
  slot.set(indexes);
  return {};
}

Expected<void> ReadList(const Node& node, const DurationListSlot& slot, const Bounds& bounds,
                        const Environment& environment) {
  std::vector<std::chrono::milliseconds> values;
  for (const Node& item : node.items) {
    const auto scalar = ToScalar(item, environment);
    if (!scalar) return Fail(scalar.error());
    std::chrono::milliseconds value{0};
    if (auto read = Assign{*scalar, bounds}(&value); !read) {
      return Bad(Concealed(read.error().message, scalar->text, item.text));
    }
    if (std::ranges::find(values, value) != values.end()) {
      return Bad(Quoted(item.text) + " is in the list twice");
    }
    values.push_back(value);
  }
  if (values.size() > slot.most) {
    return Bad("expected at most " + std::to_string(slot.most) + " durations, found " +
               std::to_string(values.size()));
  }
  *slot.values = std::move(values);
  return {};
}

Expected<std::string> ReadText(const Node& node, const Environment& environment) {
  auto scalar = ToScalar(node, environment);
  if (!scalar) return Fail(scalar.error());
  if (scalar->kind != NodeKind::kString) {
    return Bad("expected strings, found " + WithArticle(scalar->kind) + ": quote it");
  }
  return std::move(scalar->text);
}

Expected<void> ReadList(const Node& node, const TextListSlot& slot,
                        const Environment& environment) {
  slot.texts->clear();
  for (const Node& item : node.items) {
    auto text = ReadText(item, environment);
    if (!text) return Fail(text.error());
    slot.texts->push_back(std::move(*text));
  }
  return {};
}

Expected<void> ReadMap(const Node& node, const TextMapSlot& slot, const Environment& environment) {
  slot.texts->clear();
  for (const Node::Entry& entry : node.fields) {
    auto text = ReadText(entry.value, environment);
    if (!text) return Bad(entry.key + ": " + text.error().message);
    (*slot.texts)[entry.key] = std::move(*text);
  }
  return {};
}

Expected<void> ReadMap(const Node& node, const CountMapSlot& slot, const Bounds& bounds,
                       const Environment& environment) {
  slot.counts->clear();
  for (const Node::Entry& entry : node.fields) {
    auto read = ReadValue(entry.value, &(*slot.counts)[entry.key], bounds, environment);
    if (!read) return Bad(entry.key + ": " + read.error().message);
  }
  return {};
}

}  // namespace

std::string WithArticle(yaml::NodeKind kind) {
  const std::string_view name = yaml::ToString(kind);
  const bool vowel = std::string_view("aeiou").find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

Expected<std::string> ExpandEnvironment(std::string_view text, const Environment& environment) {
  constexpr std::string_view kOpen = "${";
  constexpr std::string_view kEnv = "env:";
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find(kOpen);
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    if (open > 0 && text[open - 1] == '$') {
      result.back() = '$';
      result += '{';
      text.remove_prefix(open + kOpen.size());
      continue;
    }
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return Bad(R"("${" is not closed)");
    const std::string_view inside = text.substr(open + 2, close - open - 2);
    if (inside.substr(0, kEnv.size()) != kEnv || inside.size() == kEnv.size()) {
      return Bad(Quoted("${" + std::string(inside) + "}") +
                 " is not an environment variable: write ${env:NAME}, or $${ for a literal ${");
    }
    const std::string name(inside.substr(kEnv.size()));
    const auto value = environment.find(name);
    if (value == environment.end()) {
      return Bad("environment variable " + Quoted(name) + " is not set");
    }
    result += value->second;
    text.remove_prefix(close + 1);
  }
  return result;
}

Expected<void> ReadValue(const Node& node, const Slot& slot, const Bounds& bounds,
                         const Environment& environment) {
  const auto* list = std::get_if<ChoiceListSlot>(&slot);
  if (list != nullptr && node.kind == NodeKind::kList) return ReadList(node, *list, environment);
  const auto* durations = std::get_if<DurationListSlot>(&slot);
  if (durations != nullptr && node.kind == NodeKind::kList) {
    return ReadList(node, *durations, bounds, environment);
  }
  const auto* texts = std::get_if<TextListSlot>(&slot);
  if (texts != nullptr && node.kind == NodeKind::kList) return ReadList(node, *texts, environment);
  const auto* map = std::get_if<TextMapSlot>(&slot);
  if (map != nullptr && node.kind == NodeKind::kMap) return ReadMap(node, *map, environment);
  const auto* counts = std::get_if<CountMapSlot>(&slot);
  if (counts != nullptr && node.kind == NodeKind::kMap) {
    return ReadMap(node, *counts, bounds, environment);
  }
  if (node.kind == NodeKind::kList || node.kind == NodeKind::kMap) {
    return Bad("expected a single value, found " + WithArticle(node.kind));
  }
  const auto scalar = ToScalar(node, environment);
  if (!scalar) return Fail(scalar.error());
  auto assigned = std::visit(Assign{*scalar, bounds}, slot);
  if (!assigned) return Bad(Concealed(assigned.error().message, scalar->text, node.text));
  return {};
}

}  // namespace bindery::config
