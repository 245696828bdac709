#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace bindery {

/// Writes YAML texts that look like what people write: the same seed, the same texts. Block and
/// flow maps and lists, all styles of scalars, comments and empty lines at odd places.
class YamlGenerator {
 public:
  explicit YamlGenerator(std::uint32_t seed) : random_(seed) {}

  /// One document or several.
  std::string Text() {
    text_ = Chance(3) ? "---\n" : "";
    for (std::size_t documents = Chance(6) ? 3 : 1; documents > 0; --documents) {
      Noise();
      Block(0, 0);
      if (documents > 1) text_ += One({"---\n", "--- # next\n", "...\n---\n", "---\n---\n"});
    }
    if (Chance(8) && !text_.empty()) text_.pop_back();
    return text_;
  }

  /// The same text with a few characters changed, put in, taken out, or a line moved.
  std::string Mutated(std::string text) {
    for (std::size_t times = 1 + Below(3); times > 0 && !text.empty(); --times) {
      const std::size_t at = Below(text.size());
      switch (Below(6)) {
        case 0:
          text.erase(at, 1 + Below(3));
          break;
        case 1:
          text[at] = OddCharacter();
          break;
        case 2:
          text.resize(at);
          break;
        case 3:
          text.insert(at, Scalar());
          break;
        case 4:
          text.insert(text.rfind('\n', at) + 1, std::string(1 + Below(2), ' '));
          break;
        default:
          text.insert(at, 1, OddCharacter());
      }
    }
    return text;
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  bool Chance(std::size_t one_in) { return Below(one_in) == 0; }
  template <std::size_t N>
  std::string One(const char* const (&texts)[N]) {
    return texts[Below(N)];
  }
  char OddCharacter() {
    constexpr char kCharacters[] = " \n:-#'\"[]{},|>&*!%@`?~\t\\a0.<\r";
    return kCharacters[Below(sizeof(kCharacters) - 1)];
  }

  void Noise() {
    if (Chance(9)) text_ += One({"\n", "  \n", "# a comment\n", "      # one: far in\n", "\n\n"});
  }
  void EndLine() {
    text_ += Chance(8) ? One({" # why", "  ", "   # a: b", " #"}) : "";
    text_ += "\n";
    Noise();
  }

  std::string Key() {
    static constexpr const char* kUsual[] = {"name",         "apiVersion", "a",   "kind", "x-y",
                                             "roles/viewer", "a:b",        "a b", "é"};
    static constexpr const char* kOdd[] = {"\"quoted\"", "'it''s'", "-n",  "?k", ":k", "\"\"",
                                           "\"a\\nb\"",  "0x",      "a#b", "<<", "12"};
    return Chance(10) ? One(kOdd) : One(kUsual);
  }

  std::string Scalar() {
    static constexpr const char* kUsual[] = {"a",
                                             "user:ana@example.com",
                                             "roles/viewer",
                                             "12",
                                             "true",
                                             "null",
                                             "'single'",
                                             "\"a\"",
                                             "\"a\\\"b\\\\c\\n\"",
                                             "a b  c",
                                             "é è",
                                             "a#b",
                                             "a:b",
                                             "-x",
                                             "'it''s'",
                                             "\"\"",
                                             "''",
                                             "x---",
                                             "0x1F",
                                             "\"é\""};
    static constexpr const char* kOdd[] = {
        "-7",   "1.5",         "~",        ":x",
        "?x",   "2026-11-29",  "012",      ".5",
        "a, b", "\"\\u00e9\"", "a'b",      "a\"b",
        "[x]y", "a]",          "a {b}",    "%x",
        "*x",   "&x y",        "!!str 1",  "'a' b",
        "a: b", "- a",         "a\\nb",    "<<",
        "...",  "\"a\\",       "\"a\"#b",  "'' ''",
        "a ?b", "\"\\n\"",     "'#'",      "a:",
        "a: ",  "-",           "?",        "--- a",
        "''''", "\" a \"",     "\"a\\t\"", "request.time < timestamp(\"2027-01-01T00:00:00Z\")"};
    return Chance(12) ? One(kOdd) : One(kUsual);
  }

  std::string Flow(std::size_t depth) {
    const bool list = Chance(2);
    std::string text = list ? "[" : "{";
    for (std::size_t items = Below(4); items > 0; --items) {
      if (!list) {
        const std::string key = One({"a", "team"}) + std::to_string(items);
        text += Chance(4) ? "\"" + key + "\"" : key;
        text += Chance(8) ? One({":  ", ":", " : "}) : ": ";
      }
      text += depth < 3 && Chance(4) ? Flow(depth + 1) : Scalar();
      if (items > 1) text += One({", ", ",", " , "});
    }
    if (Chance(20)) text += ",";
    return text + One({"", " "}) + (list ? "]" : "}");
  }

  void BlockText(std::size_t indent) {
    text_ += Chance(9) ? One({"|+", "|2", "| # c", "| "}) : One({"|", "|-", ">", ">-"});
    const std::size_t inner = indent + 1 + Below(4);
    for (std::size_t lines = 1 + Below(3); lines > 0; --lines) {
      text_ += "\n" + std::string(inner, ' ') +
               One({"a line", "# no comment", "a: b", "  further in", "- x", "", "   ", "x "});
      if (Chance(6)) text_ += One({"\n", "\n ", "\n\n"});
    }
    text_ += "\n";
    Noise();
  }

  /// Behind a key or a "-": a value and the end of its line.
  void Value(std::size_t indent, std::size_t depth, bool in_map) {
    if (depth < 5 && Chance(3)) {
      EndLine();
      Block(indent + (in_map && Chance(3) ? 0 : 1 + Below(3)), depth + 1);
      return;
    }
    if (Chance(in_map ? 14 : 50)) return EndLine();
    text_ += Chance(9) ? "  " : " ";
    if (Chance(8)) return BlockText(indent);
    text_ += Chance(6) ? Flow(0) : Scalar();
    EndLine();
  }

  void Fields(std::size_t indent, std::size_t depth, bool on_line) {
    for (std::size_t fields = 1 + Below(Chance(30) ? 40 : 4); fields > 0; --fields) {
      if (!on_line) text_ += std::string(indent, ' ');
      on_line = false;
      text_ += Key() + std::to_string(fields) + ":";
      Value(indent, depth, true);
    }
  }

  void Items(std::size_t indent, std::size_t depth, bool on_line) {
    for (std::size_t items = 1 + Below(4); items > 0; --items) {
      if (!on_line) text_ += std::string(indent, ' ');
      on_line = false;
      text_ += "-";
      if (depth < 5 && Chance(3)) {
        const std::size_t gap = 1 + Below(3);
        text_ += std::string(gap, ' ');
        Inner(indent + 1 + gap, depth + 1, true);
      } else {
        Value(indent, depth, false);
      }
    }
  }

  void Inner(std::size_t indent, std::size_t depth, bool on_line) {
    Chance(3) ? Items(indent, depth, on_line) : Fields(indent, depth, on_line);
  }
  void Block(std::size_t indent, std::size_t depth) { Inner(indent, depth, false); }

  std::mt19937 random_;
  std::string text_;
};

}  // namespace bindery
