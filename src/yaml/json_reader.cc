#include <exception>
#include <map>
#include <utility>

#include "core/base/json.h"
#include "yaml/mistakes.h"
#include "yaml/path_steps.h"
#include "yaml/reader.h"
#include "yaml/text.h"

namespace bindery::yaml {
namespace {

/// nlohmann's event interface gives no positions, but gives every token in order: this class walks
/// the text in parallel. Every announced token has been lexed, so the walk needs no checks of its
/// own.
class TokenWalk {
 public:
  explicit TokenWalk(std::string_view text) : text_(text) {}

  /// Moves over the next token; returns the token's text.
  std::string_view Next() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != kNowhere) Step();
    start_ = {line_, column_};
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return {};
    if (text_[at_] == '"') {
      do {
        if (text_[at_] == '\\') Step();
        Step();
      } while (at_ < text_.size() && text_[at_] != '"');
      Step();
    } else if (std::string_view("[]{}").find(text_[at_]) != kNowhere) {
      Step();
    } else {
      while (at_ < text_.size() && std::string_view(" \t\r\n,:[]{}").find(text_[at_]) == kNowhere) {
        Step();
      }
    }
    return text_.substr(begin, at_ - begin);
  }
  [[nodiscard]] Position start() const { return start_; }

 private:
  static constexpr std::size_t kNowhere = std::string_view::npos;

  void Step() {
    if (at_ >= text_.size()) return;
    const auto byte = static_cast<unsigned char>(text_[at_++]);
    if (byte == '\n') {
      ++line_;
      column_ = 1;
    } else if (at_ >= text_.size() || (static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80U) {
      ++column_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
  Position start_;
};

class JsonTreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  JsonTreeBuilder(std::string_view text, const Limits& limits)
      : text_(text), limits_(limits), walk_(text) {}

  [[nodiscard]] Node TakeRoot() { return std::move(root_); }
  [[nodiscard]] std::vector<Fault> TakeFaults() { return std::move(faults_); }

  bool null() override { return Scalar(NodeKind::kNull, {}); }
  bool boolean(bool value) override { return Scalar(NodeKind::kBool, value ? "true" : "false"); }
  bool number_integer(number_integer_t /*value*/) override { return Number(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return Number(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    return Number();
  }
  bool string(string_t& value) override {
    walk_.Next();
    if (value.find('\0') != std::string::npos) return RefuseNul();
    return Put(NodeKind::kString, std::move(value));
  }
  bool binary(binary_t& /*value*/) override { return false; }  // Only of binary formats.
  bool start_object(std::size_t /*size*/) override { return Open(NodeKind::kMap); }
  bool start_array(std::size_t /*size*/) override { return Open(NodeKind::kList); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override;
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& failure) override;

 private:
  struct Frame {
    Node node;
    std::string key;
    Position key_at;
    std::map<std::string, int> key_lines;
  };

  bool Refuse(std::string message, std::string code) {
    faults_.push_back({walk_.start(), std::move(message), std::move(code)});
    return false;
  }
  bool RefuseNul() { return Refuse("string with a NUL character", "InvalidText"); }
  bool Scalar(NodeKind kind, std::string text) {
    walk_.Next();
    return Put(kind, std::move(text));
  }
  bool Number() {
    std::string text(walk_.Next());
    const bool whole = text.find_first_of(".eE") == std::string::npos;
    return Put(whole ? NodeKind::kInteger : NodeKind::kFloat, std::move(text));
  }
  bool Count() {
    if (++nodes_ <= limits_.max_nodes) return true;
    return Refuse("document has more than " + std::to_string(limits_.max_nodes) + " values",
                  "TooLarge");
  }
  bool Put(NodeKind kind, std::string text);
  bool Open(NodeKind kind);
  bool Close();
  bool Add(Node node);

  std::string_view text_;
  const Limits& limits_;
  TokenWalk walk_;
  Node root_;
  std::vector<Frame> stack_;
  std::size_t nodes_ = 0;
  std::vector<Fault> faults_;
};

bool JsonTreeBuilder::Put(NodeKind kind, std::string text) {
  if (!Count()) return false;
  Node node;
  node.kind = kind;
  node.at = walk_.start();
  node.text = std::move(text);
  node.quoted = kind == NodeKind::kString;
  return Add(std::move(node));
}

bool JsonTreeBuilder::Open(NodeKind kind) {
  walk_.Next();
  if (!Count()) return false;
  if (stack_.size() >= limits_.max_depth) {
    return Refuse("nested deeper than " + std::to_string(limits_.max_depth) + " levels",
                  "TooLarge");
  }
  Frame frame;
  frame.node.kind = kind;
  frame.node.at = walk_.start();
  stack_.push_back(std::move(frame));
  return true;
}

bool JsonTreeBuilder::Close() {
  walk_.Next();
  Node node = std::move(stack_.back().node);
  stack_.pop_back();
  return Add(std::move(node));
}

bool JsonTreeBuilder::Add(Node node) {
  if (stack_.empty()) {
    root_ = std::move(node);
    return true;
  }
  Frame& parent = stack_.back();
  if (parent.node.kind == NodeKind::kList) {
    parent.node.items.push_back(std::move(node));
  } else {
    parent.node.fields.push_back({std::move(parent.key), parent.key_at, std::move(node)});
  }
  return true;
}

bool JsonTreeBuilder::key(string_t& value) {
  walk_.Next();
  if (value.find('\0') != std::string::npos) return RefuseNul();
  Frame& frame = stack_.back();
  const auto [first, inserted] = frame.key_lines.emplace(value, walk_.start().line);
  if (!inserted) {
    // Not the end: the rest may hold more of the kind.
    constexpr std::size_t kMaxFaults = 100;
    faults_.push_back(
        {walk_.start(),
         "duplicate key \"" + value + "\" (first on line " + std::to_string(first->second) + ")",
         "DuplicateKey", PathTo(value, stack_)});
    if (faults_.size() >= kMaxFaults) return false;
  }
  frame.key = value;
  frame.key_at = walk_.start();
  return true;
}

bool JsonTreeBuilder::parse_error(std::size_t position, const std::string& /*last_token*/,
                                  const nlohmann::detail::exception& failure) {
  // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"
  std::string message = failure.what();
  if (const auto end_of_tag = message.find("] "); end_of_tag != std::string::npos) {
    message.erase(0, end_of_tag + 2);
  }
  if (message.rfind("parse error at ", 0) == 0) {
    if (const auto colon = message.find(": "); colon != std::string::npos) {
      message.erase(0, colon + 2);
    }
  }
  const std::size_t offset = position == 0 ? 0 : position - 1;
  faults_.push_back(
      ExplainJsonFault(text_, offset, {PositionAt(text_, offset), "not valid JSON: " + message}));
  return false;
}

}  // namespace

ReadResult ReadJson(std::string_view text, const Limits& limits) {
  ReadResult result;
  if (text.size() > limits.max_bytes) {
    result.faults.push_back(
        {{1, 1},
         "document is larger than " + std::to_string(limits.max_bytes) + " bytes",
         "TooLarge"});
    return result;
  }
  if (auto bad = FindBadText(text)) {
    result.faults.push_back(std::move(*bad));
    return result;
  }
  text = SkipByteOrderMark(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return result;
  if (auto markers = FindConflictMarkers(text)) {
    result.faults.push_back(std::move(*markers));
    return result;
  }
  JsonTreeBuilder builder(text, limits);
  try {
    Json::sax_parse(text.begin(), text.end(), &builder);
  } catch (const std::exception& failure) {
    result.faults.push_back({{1, 1}, std::string("not valid JSON: ") + failure.what()});
  }
  std::vector<Fault> faults = builder.TakeFaults();
  result.faults.insert(result.faults.end(), faults.begin(), faults.end());
  Node root = builder.TakeRoot();
  if (result.faults.empty() && root.kind != NodeKind::kNull) {
    result.documents.push_back({root.at, std::move(root)});
  }
  return result;
}

}  // namespace bindery::yaml
