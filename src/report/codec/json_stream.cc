#include "report/codec/json_stream.h"

#include "core/text/printable.h"

namespace bindery::report {
namespace {

constexpr std::size_t kStep = 2;

/// In the form for the given indentation.
std::string Dumped(const Json& value, std::size_t indent) {
  std::string text = PrintableJson(
      value.dump(static_cast<int>(kStep), ' ', false, Json::error_handler_t::replace));
  if (indent == 0 || text.find('\n') == std::string::npos) return text;
  const std::string margin(indent, ' ');
  std::string indented;
  indented.reserve(text.size() * 2);
  for (const char c : text) {  // Within texts, line breaks are escapes.
    indented += c;
    if (c == '\n') indented += margin;
  }
  return indented;
}

class Writer {
 public:
  Writer(const std::vector<std::string>& path, const EachElement& each, const TextSink& out)
      : path_(path), each_(each), out_(out) {}

  /// `depth` names of the path lead to the value.
  Expected<void> Write(const Json& value, std::size_t depth) {
    if (depth == path_.size()) return WriteElements(depth * kStep);
    const bool object = value.is_object();
    out_(object ? "{" : "[");
    bool first = true;
    std::size_t index = 0;
    for (const auto& [name, member] : value.items()) {
      Begin(first, (depth + 1) * kStep);
      if (object) out_(Dumped(name, 0) + ": ");
      const bool leads_on = path_[depth] == (object ? name : std::to_string(index));
      if (!leads_on) {
        out_(Dumped(member, (depth + 1) * kStep));
      } else if (auto written = Write(member, depth + 1); !written) {
        return written;
      }
      ++index;
    }
    End(first, depth * kStep, object ? "}" : "]");
    return {};
  }

 private:
  Expected<void> WriteElements(std::size_t indent) {
    bool first = true;
    out_("[");
    auto given = each_([&](const Json& element) {
      Begin(first, indent + kStep);
      out_(Dumped(element, indent + kStep));
    });
    End(first, indent, "]");
    return given;
  }

  void Begin(bool& first, std::size_t indent) {
    out_(first ? "\n" : ",\n");
    first = false;
    out_(std::string(indent, ' '));
  }

  void End(bool empty, std::size_t indent, std::string_view bracket) {
    if (!empty) out_("\n" + std::string(indent, ' '));
    out_(bracket);
  }

  const std::vector<std::string>& path_;
  const EachElement& each_;
  const TextSink& out_;
};

}  // namespace

Expected<void> WriteJson(const Json& document, const std::vector<std::string>& path,
                         const EachElement& each, const TextSink& out) {
  auto written = Writer(path, each, out).Write(document, 0);
  out("\n");
  return written;
}

}  // namespace bindery::report
