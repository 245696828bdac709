#include "tracing/otlp_json.h"

#include <algorithm>
#include <string_view>

#include "core/base/json.h"
#include "core/base/json_text.h"

namespace bindery::tracing {
namespace {

constexpr std::string_view kStatusError = "2";

/// The text is written as it goes: a tree of a document that nobody reads would cost more than all
/// the rest of a span.
void AppendText(std::string& out, std::string_view text) {
  const bool plain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
  if (plain) {
    out.append("\"").append(text).append("\"");
  } else {
    out += CompactJson(Json(text));
  }
}

void AppendMember(std::string& out, std::string_view name, std::string_view text) {
  out.append("\"").append(name).append("\":");
  AppendText(out, text);
}

/// OTLP's JSON writes 64-bit numbers as texts.
struct AppendValue {
  std::string& out;
  void operator()(const std::string& text) const { AppendMember(out, "stringValue", text); }
  void operator()(std::int64_t number) const {
    AppendMember(out, "intValue", std::to_string(number));
  }
};

/// `[…]`, each made by `append`.
template <typename Items, typename Append>
void AppendList(std::string& out, const Items& items, const Append& append) {
  out += '[';
  for (const auto& item : items) {
    if (out.back() != '[') out += ',';
    append(item);
  }
  out += ']';
}

void AppendAttributes(std::string& out, const std::vector<telemetry::SpanAttribute>& attributes) {
  out += "\"attributes\":";
  AppendList(out, attributes, [&out](const telemetry::SpanAttribute& attribute) {
    out += '{';
    AppendMember(out, "key", attribute.first);
    out += ",\"value\":{";
    std::visit(AppendValue{out}, attribute.second);
    out += "}}";
  });
}

void AppendIds(std::string& out, const telemetry::TraceContext& context) {
  AppendMember(out, "traceId", telemetry::TraceIdText(context));
  out += ',';
  AppendMember(out, "spanId", telemetry::SpanIdText(context.span));
}

void AppendTime(std::string& out, std::string_view name, WallTime time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  AppendMember(out, name, std::to_string(since.count()));
  out += ',';
}

void AppendStatus(std::string& out, const telemetry::Span& span) {
  out += "\"status\":{";
  if (span.failed) out.append("\"code\":").append(kStatusError);
  out += '}';
}

void AppendSpan(std::string& out, const telemetry::Span& span) {
  out += '{';
  AppendIds(out, span.context);
  out += ',';
  if (span.parent != 0) {
    AppendMember(out, "parentSpanId", telemetry::SpanIdText(span.parent));
    out += ',';
  }
  AppendMember(out, "name", span.name);
  out.append(",\"kind\":").append(std::to_string(static_cast<int>(span.kind))).append(",");
  AppendTime(out, "startTimeUnixNano", span.start);
  AppendTime(out, "endTimeUnixNano", span.end);
  AppendAttributes(out, span.attributes);
  if (!span.links.empty()) {
    out += ",\"links\":";
    AppendList(out, span.links, [&out](const telemetry::TraceContext& link) {
      out += '{';
      AppendIds(out, link);
      out += '}';
    });
  }
  out += ',';
  AppendStatus(out, span);
  out += '}';
}

}  // namespace

std::string OtlpJson(const SpanOrigin& origin, const std::vector<telemetry::Span>& spans) {
  constexpr std::size_t kUsualBytes = 1024;
  std::string out;
  out.reserve(kUsualBytes * (spans.size() + 1));
  out += "{\"resourceSpans\":[{\"resource\":{";
  AppendAttributes(out, origin.resource);
  out += "},\"scopeSpans\":[{\"scope\":{\"name\":\"bindery\",";
  AppendMember(out, "version", origin.version);
  out += "},\"spans\":";
  AppendList(out, spans, [&out](const telemetry::Span& span) { AppendSpan(out, span); });
  out += "}]}]}";
  return out;
}

}  // namespace bindery::tracing
