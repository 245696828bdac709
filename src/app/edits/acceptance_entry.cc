#include "app/edits/acceptance_entry.h"

#include <cstddef>
#include <sstream>
#include <utility>
#include <vector>

#include "core/text/glob.h"
#include "core/text/time_text.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::app {
namespace {

/// `${` begins a variable in a configuration.
std::string Literal(const std::string& text) {
  std::string literal;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "${") == 0) literal += '$';
    literal += text[i];
  }
  return literal;
}

using Lines = std::vector<std::string>;

Lines MakeLines(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

std::string JoinedLines(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The entry as an item of a list, so far from the left.
Lines ItemLines(const Json& entry, std::size_t indent) {
  Lines lines = MakeLines(yaml::ToYaml(Json::array({entry})));
  for (std::string& line : lines) line.insert(0, indent, ' ');
  return lines;
}

/// The added lines end as the first line of the file does.
void Insert(Lines& lines, std::size_t at, Lines added) {
  const bool returns = !lines.empty() && lines.front().ends_with('\r');
  for (std::string& line : added) line += returns ? "\r" : "";
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), added.begin(), added.end());
}

std::size_t MeasureIndent(const std::string& line) {
  const std::size_t indent = line.find_first_not_of(' ');
  return indent == std::string::npos ? line.size() : indent;
}

const yaml::Node::Entry* FindField(const yaml::Node& map, std::string_view key) {
  for (const yaml::Node::Entry& entry : map.fields) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

/// The key, and after it at most a comment.
bool EndsWithKey(const std::string& line, std::string_view key, std::string_view value = "") {
  std::string rest = line.substr(MeasureIndent(line));
  const std::size_t comment = rest.find(" #");
  if (comment != std::string::npos) rest.erase(comment);
  rest.erase(rest.find_last_not_of(" \r") + 1);
  return rest == std::string(key) + ":" + (value.empty() ? "" : " " + std::string(value));
}

tl::unexpected<Error> NotSafe(const std::string& why) {
  return Fail(Code::kFailedPrecondition, why + ": put the entry in by hand");
}

Expected<std::string> WithKey(Lines lines, const yaml::Node::Entry& drift, const Json& entry) {
  const auto line = static_cast<std::size_t>(drift.key_at.line);
  if (!EndsWithKey(lines.at(line - 1), "drift")) return NotSafe("\"drift\" is not a block");
  const std::size_t indent =
      drift.value.fields.empty()
          ? MeasureIndent(lines.at(line - 1)) + 2
          : static_cast<std::size_t>(drift.value.fields.front().key_at.column) - 1;
  Lines added = {std::string(indent, ' ') + "accept:"};
  const Lines item = ItemLines(entry, indent + 2);
  added.insert(added.end(), item.begin(), item.end());
  Insert(lines, line, std::move(added));
  return JoinedLines(lines);
}

Expected<std::string> WithItem(Lines lines, const yaml::Node::Entry& accept, const Json& entry) {
  const auto line = static_cast<std::size_t>(accept.key_at.line);
  std::string& key_line = lines.at(line - 1);
  const bool empty = EndsWithKey(key_line, "accept", "[]");
  if (!empty && !EndsWithKey(key_line, "accept")) return NotSafe("\"drift.accept\" is not a block");
  if (empty) key_line.replace(key_line.find("[]"), 2, "");
  std::size_t indent = MeasureIndent(key_line) + 2;
  if (!accept.value.items.empty()) {
    indent =
        MeasureIndent(lines.at(static_cast<std::size_t>(accept.value.items.front().at.line) - 1));
  }
  Insert(lines, line, ItemLines(entry, indent));
  return JoinedLines(lines);
}

}  // namespace

AcceptedDriftRule RuleFor(const std::string& target, const DriftItem& item, Acceptance acceptance) {
  AcceptedDriftRule rule = {item.drift_class, EscapeGlob(target), EscapeGlob(item.grant.role),
                            EscapeGlob(item.grant.principal), std::move(acceptance)};
  if (item.grant.condition) {
    rule.condition.title = EscapeGlob(item.grant.condition->title);
    rule.condition.expression = EscapeGlob(item.grant.condition->expression);
  }
  return rule;
}

Json MakeEntry(const AcceptedDriftRule& rule) {
  Json match = {{"target", Literal(rule.target)},
                {"role", Literal(rule.role)},
                {"member", Literal(rule.member)}};
  if (rule.drift_class) match["class"] = ToString(*rule.drift_class);
  if (!rule.condition.title.empty()) match["condition"]["title"] = Literal(rule.condition.title);
  if (!rule.condition.expression.empty()) {
    match["condition"]["expression"] = Literal(rule.condition.expression);
  }
  Json entry = {{"match", std::move(match)},
                {"reason", Literal(rule.acceptance.reason)},
                {"owner", Literal(rule.acceptance.owner)}};
  if (rule.acceptance.until) entry["until"] = FormatRfc3339(*rule.acceptance.until);
  return entry;
}

Expected<std::string> WithEntry(const std::string& text, const Json& entry) {
  const yaml::ReadResult read = yaml::ReadYaml(text);
  if (!read.faults.empty() || read.documents.size() > 1) return NotSafe("it has faults");
  Lines lines = MakeLines(text);
  const yaml::Node none;
  const yaml::Node& root = read.documents.empty() ? none : read.documents.front().root;
  const yaml::Node::Entry* drift = FindField(root, "drift");
  if (drift == nullptr) {
    Insert(lines, lines.size(), {"drift:", "  accept:"});
    Insert(lines, lines.size(), ItemLines(entry, 4));
    return JoinedLines(lines);
  }
  const yaml::Node::Entry* accept = FindField(drift->value, "accept");
  return accept == nullptr ? WithKey(std::move(lines), *drift, entry)
                           : WithItem(std::move(lines), *accept, entry);
}

}  // namespace bindery::app
