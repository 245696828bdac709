#include "telemetry/metric_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

namespace bindery::telemetry {
namespace {

/// A help text has no quotes to escape.
std::string Escaped(std::string_view text, std::string_view escaped) {
  std::string out;
  for (const char c : text) {
    if (escaped.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += c == '\n' ? 'n' : c;
    }
  }
  return out;
}

}  // namespace

std::string LabelText(const ShownLabels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ',';
    text += name;
    text += "=\"";
    text += Escaped(value, "\\\"\n");
    text += '"';
  }
  return text;
}

std::string SeriesText(std::string_view name, std::string_view labels) {
  if (labels.empty()) return fmt::format("{} ", name);
  return fmt::format("{}{{{}}} ", name, labels);
}

std::string HeadText(std::string_view name, std::string_view help, std::string_view type) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, Escaped(help, "\\\n"), name, type);
}

void AppendNumber(double number, std::string& text) {
  constexpr double kExact = 1e15;
  if (std::isnan(number)) {
    text += "NaN";
  } else if (std::isinf(number)) {
    text += number > 0 ? "+Inf" : "-Inf";
  } else if (std::fabs(number) < kExact && std::trunc(number) == number) {
    const fmt::format_int whole(static_cast<std::int64_t>(number));
    text.append(whole.data(), whole.size());
  } else {
    fmt::format_to(std::back_inserter(text), "{}", number);
  }
}

}  // namespace bindery::telemetry
