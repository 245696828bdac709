#include "conformance/text_proto.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <utility>

namespace bindery::conformance {
namespace {

constexpr int kMaxDepth = 100;

void AppendUtf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  bool ReadFields(char end, std::vector<ProtoField>& fields, int depth) {
    if (depth > kMaxDepth) return false;
    for (;;) {
      SkipBlanks();
      if (Peek() == end) {
        ++at_;
        return true;
      }
      if (at_ >= source_.size() || !ReadField(fields, depth)) return false;
    }
  }
  bool ReadDocument(std::vector<ProtoField>& fields) {
    for (SkipBlanks(); at_ < source_.size(); SkipBlanks()) {
      if (!ReadField(fields, 0)) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  bool ReadField(std::vector<ProtoField>& fields, int depth) {
    std::string name = ReadName();
    if (name.empty()) return false;
    SkipBlanks();
    if (Peek() == ':') ++at_;
    SkipBlanks();
    if (Peek() != '[') return ReadValue(std::move(name), fields, depth);
    ++at_;
    for (SkipBlanks(); Peek() != ']'; SkipBlanks()) {
      if (at_ >= source_.size() || !ReadValue(name, fields, depth)) return false;
    }
    ++at_;
    return true;
  }

  bool ReadValue(std::string name, std::vector<ProtoField>& fields, int depth) {
    ProtoField field{std::move(name), {}, {}};
    const char c = Peek();
    if (c == '{' || c == '<') {
      ++at_;
      if (!ReadFields(c == '{' ? '}' : '>', field.fields, depth + 1)) return false;
    } else if (c == '"' || c == '\'') {
      for (; Peek() == '"' || Peek() == '\''; SkipBlanks()) {
        if (!ReadString(field.text)) return false;
      }
    } else {
      field.text = ReadWord();
      if (field.text.empty()) return false;
    }
    fields.push_back(std::move(field));
    return true;
  }

  std::string ReadName() {
    if (Peek() != '[') return ReadWord();
    const std::size_t end = source_.find(']', at_);
    if (end == std::string_view::npos) return {};
    std::string name(source_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    return name;
  }

  std::string ReadWord() {
    const std::size_t begin = at_;
    while (at_ < source_.size() &&
           (std::isalnum(static_cast<unsigned char>(source_[at_])) != 0 ||
            std::string_view("_.+-").find(source_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    return std::string(source_.substr(begin, at_ - begin));
  }

  bool ReadString(std::string& out) {
    const char quote = source_[at_++];
    while (at_ < source_.size() && source_[at_] != quote) {
      if (source_[at_] != '\\') {
        out += source_[at_++];
        continue;
      }
      ++at_;
      if (!ReadEscape(out)) return false;
    }
    return at_++ < source_.size();
  }

  bool ReadEscape(std::string& out) {
    constexpr std::string_view kLetters = "abfnrtv\\'\"?";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"?";
    const char c = Peek();
    if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
      ++at_;
      out += kMeanings[letter];
      return true;
    }
    if (c >= '0' && c <= '7') {
      out += static_cast<char>(ReadDigits(8, 3).value_or(0));
      return true;
    }
    ++at_;
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 2;
    if (c != 'x' && c != 'X' && c != 'u' && c != 'U') return false;
    const std::optional<std::uint32_t> code = ReadDigits(16, digits);
    if (!code) return false;
    if (digits == 2) {
      out += static_cast<char>(*code);
    } else {
      AppendUtf8(*code, out);
    }
    return true;
  }

  /// At most so many digits; nothing when there is none.
  std::optional<std::uint32_t> ReadDigits(std::uint32_t base, std::size_t most) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::uint32_t value = 0;
    std::size_t count = 0;
    for (; count < most; ++count, ++at_) {
      const auto c = static_cast<char>(std::tolower(static_cast<unsigned char>(Peek())));
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos || digit >= base) break;
      value = value * base + static_cast<std::uint32_t>(digit);
    }
    return count == 0 ? std::nullopt : std::optional(value);
  }

  void SkipBlanks() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '#') {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else if (std::string_view(" \t\r\n,;").find(c) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  [[nodiscard]] char Peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }

  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace

const ProtoField* ProtoField::Find(std::string_view field) const {
  for (const ProtoField& inner : fields) {
    if (inner.name == field) return &inner;
  }
  return nullptr;
}

std::string ProtoField::Text(std::string_view field) const {
  const ProtoField* found = Find(field);
  return found == nullptr ? std::string() : found->text;
}

Expected<ProtoField> ReadTextProto(std::string_view source) {
  ProtoField document;
  Reader reader(source);
  if (!reader.ReadDocument(document.fields)) {
    return Fail(Code::kInvalidArgument, "no text format at byte " + std::to_string(reader.at()));
  }
  return document;
}

}  // namespace bindery::conformance
