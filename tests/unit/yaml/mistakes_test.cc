// What people do wrong in YAML and JSON, and what they are told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "yaml/reader.h"

namespace bindery::yaml {
namespace {

struct Mistake {
  const char* name;
  std::string text;
  std::string fault;  ///< "line:column: message" of the only one.
};

void PrintTo(const Mistake& tested, std::ostream* out) { *out << tested.name; }

std::string GetText(const ReadResult& result) {
  std::string text;
  for (const Fault& fault : result.faults) {
    text += (text.empty() ? "" : "\n") + std::to_string(fault.at.line) + ":" +
            std::to_string(fault.at.column) + ": " + fault.message;
  }
  return text;
}

std::string GetName(const ::testing::TestParamInfo<Mistake>& tested) { return tested.param.name; }

class YamlMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(YamlMistake, IsNamedWhereItIs) {
  const ReadResult result = ReadYaml(GetParam().text);
  EXPECT_EQ(GetText(result), GetParam().fault);
  EXPECT_TRUE(result.documents.empty());
}

const char* const kConflict =
    "merge conflict markers: two changes met here; keep one of them, or both, and remove the lines "
    "<<<<<<<, ======= and >>>>>>>";

std::string Template(const std::string& marker) {
  return "not valid YAML: \"" + marker +
         "\" is the syntax of a template (Helm, Jinja): manifests are plain YAML, render the "
         "template and put the result here";
}

INSTANTIATE_TEST_SUITE_P(
    Colons, YamlMistake,
    ::testing::Values(
        Mistake{"NoSpace", "s:\n  name: a\n  role:x/y\n  members: []\n",
                "3:7: not valid YAML: a space is missing after the colon: write \"role: x/y\""},
        Mistake{"NoSpaceInSeveralLines", "kind:A\nname:b\nspec: {}\n",
                "1:5: not valid YAML: a space is missing after the colon: write \"kind: A\""},
        Mistake{"NoSpaceInTheLastLine", "c:\n  x: 1\n  title:y\n",
                "3:8: not valid YAML: a space is missing after the colon: write \"title: y\""},
        Mistake{"NoSpaceInBraces", "o: {mode:observe}\n",
                "1:9: not valid YAML: a space is missing after the colon: write \"mode: observe\""},
        Mistake{"NoSpaceBeforeABracket", "s:\n  a: 1\n  members:[x, y]\n",
                "3:10: not valid YAML: a space is missing after the colon: write \"members: [x, "
                "y]\""},
        Mistake{"NoSpaceWithWindowsLineEnds", "s:\r\n  role:x\r\n  m: []\r\n",
                "2:7: not valid YAML: a space is missing after the colon: write \"role: x\""},
        Mistake{"ColonInAValue", "title: until: june\n",
                "1:13: not valid YAML: a text with \": \" in it needs quotes: write 'title: "
                "\"until: june\"'"},
        Mistake{"EqualsSign", "s:\n  a: 1\n  role = x\n  b: 2\n",
                "3:8: not valid YAML: a field and its value have a colon between them: write "
                "\"role: ...\""},
        Mistake{"FullWidthColon", "s:\n  role\uFF1A x\n  b: 2\n",
                "2:7: not valid YAML: a full-width colon (U+FF1A): write a plain one"}),
    GetName);

INSTANTIATE_TEST_SUITE_P(
    Indentation, YamlMistake,
    ::testing::Values(
        Mistake{"Less", "s:\n  a: 1\n b: 2\n",
                "3:2: not valid YAML: this line is indented by 1 space, but \"a\" on line 2 by 2 "
                "spaces: the fields of a map begin in one column"},
        Mistake{"More", "s:\n  a: 1\n   b: 2\n",
                "3:4: not valid YAML: this line is indented by 3 spaces, but \"a\" on line 2 by 2 "
                "spaces: the fields of a map begin in one column"},
        Mistake{"Item", "s:\n  m:\n    - a\n   - b\n",
                "4:4: not valid YAML: this line is indented by 3 spaces, but \"- \" on line 3 by 4 "
                "spaces: the items of a list begin in one column"},
        Mistake{"ItemBeforeItsField", "s:\n  m:\n- a\n",
                "3:1: not valid YAML: this line is indented by 0 spaces, but \"m\" on line 2 by 2 "
                "spaces: a list is indented like the field it belongs to, or further"},
        Mistake{"Tab", "s:\n\ta: 1\n", "2:1: not valid YAML: a tab cannot indent, use spaces"},
        Mistake{"NoBreakSpace", "s:\n  a: 1\n\u00A0\u00A0b: 2\n  c: 1\n",
                "3:1: not valid YAML: a no-break space (U+00A0): write a plain space"}),
    GetName);

INSTANTIATE_TEST_SUITE_P(
    QuotesAndBrackets, YamlMistake,
    ::testing::Values(
        Mistake{"Star", "m:\n  - *\n",
                "2:5: not valid YAML: a text that begins with \"*\" needs quotes"},
        Mistake{"StarInBrackets", "m: [*]\n",
                "1:5: not valid YAML: a text that begins with \"*\" needs quotes"},
        Mistake{"StarAndMore", "m: [*.x]\n",
                "1:5: not valid YAML: \"*.x\" refers to an anchor that is not there; a text that "
                "begins with \"*\" needs quotes"},
        Mistake{"StarAsBullet", "m:\n  * a\n  * b\n",
                "2:3: not valid YAML: an item of a list begins with \"- \", not with \"*\""},
        Mistake{"At", "m: @a\n", "1:4: not valid YAML: a text that begins with \"@\" needs quotes"},
        Mistake{"Backtick", "m: `a`\n",
                "1:4: not valid YAML: a text that begins with \"`\" needs quotes"},
        Mistake{"Percent", "m: %a\n",
                "1:4: not valid YAML: a text that begins with \"%\" needs quotes"},
        Mistake{"Exclamation", "m: !a\n",
                "1:4: tag \"!a\" is not supported; a text that begins with \"!\" needs quotes"},
        Mistake{"Pipe", "m: | a\n",
                "1:4: not valid YAML: a text that begins with \"|\" needs quotes; the lines of a "
                "text block follow below the \"|\""},
        Mistake{"NoEnd", "a: \"x\nb: 1\n",
                "1:4: not valid YAML: the quoted text that begins here has no end"},
        Mistake{"EndsTooEarly", "a: 'ana's'\nb: 1\n",
                "1:9: not valid YAML: text behind the closing quote: put all of it in quotes, and "
                "write a quote within it as ''"},
        Mistake{"QuotesWithinQuotes", "a: \"t(\"x\")\"\nb: 1\n",
                "1:8: not valid YAML: text behind the closing quote: put all of it in quotes, and "
                "write a quote within it as \\\""},
        Mistake{"Bracket", "a: [x, y\nb: 1\n",
                "1:4: not valid YAML: \"]\" is missing: what begins here is not closed"},
        Mistake{"Typographic", "a: \u201Cx: y\u201D\n",
                "1:4: not valid YAML: a typographic quote (U+201C): write \" or '"}),
    GetName);

INSTANTIATE_TEST_SUITE_P(
    WholeTexts, YamlMistake,
    ::testing::Values(
        Mistake{"MissingSeparator",
                "apiVersion: a\nkind: b\nspec: 1\napiVersion: a\nkind: b\nspec: 2\n",
                "4:1: a second manifest begins here: the line \"---\" above it is missing"},
        Mistake{"TooManyDashes", "kind: a\n----\nkind: b\n",
                "2:1: not valid YAML: \"----\" does not separate manifests: write \"---\" at the "
                "beginning of the line"},
        Mistake{"TooFewDashes", "kind: a\n--\nkind: b\n",
                "2:1: not valid YAML: \"--\" does not separate manifests: write \"---\" at the "
                "beginning of the line"},
        Mistake{"LongDash", "kind: a\n\u2014\nkind: b\n",
                "2:1: not valid YAML: \"\u2014\" does not separate manifests: write \"---\" at the "
                "beginning of the line"},
        Mistake{"IndentedDashes", "a:\n  b: 1\n ---\nkind: b\n",
                "3:2: not valid YAML: an indented \"---\" does not separate manifests: write "
                "\"---\" at the beginning of the line"},
        Mistake{"Helm", "name: {{ .Values.name }}\n", "1:7: " + Template("{{")},
        Mistake{"HelmBlock", "{{- if .x }}\na: 1\n{{- end }}\n", "1:1: " + Template("{{")},
        Mistake{"Jinja", "m:\n{% for m in n %}\n  - x\n{% endfor %}\n", "2:1: " + Template("{%")},
        Mistake{"Markdown", "```yaml\na: 1\n```\n",
                "1:1: not valid YAML: \"```\" is Markdown: only what is between these lines is "
                "YAML"},
        Mistake{"Comment", "a: 1\n// why\nb: 2\n",
                "2:1: not valid YAML: a comment begins with \"#\", not with \"//\""},
        Mistake{"Conflict", "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n",
                std::string("2:1: ") + kConflict},
        Mistake{"HalfAConflict", "a: 1\n>>>>>>> x\n", std::string("2:1: ") + kConflict},
        Mistake{"ConflictAcrossDocuments", "<<<<<<< a\nb: 1\n---\nc: 1\n---\n=======\n>>>>>>> x\n",
                std::string("1:1: ") + kConflict},
        Mistake{"ConflictWithWindowsLineEnds", "a: 1\r\n<<<<<<< HEAD\r\nb: 1\r\n",
                std::string("2:1: ") + kConflict}),
    GetName);

TEST(YamlMistakes, AnExplanationDoesNotComeFromGoodLines) {
  // What looks like a mistake but reads well is none.
  for (const char* text :
       {"a: http://x\nb: [\"*\", '{{ x }}']\n", "a: |\n  <<<<<<< x\n  key:value\nb: 1\n",
        "m:\n- a\n- b\n", "a: \"=======\"\n", "# <<<<<<< x\na: 1\n", "a: b:c\n",
        "t: \u201Cx\u201D\n"}) {
    EXPECT_EQ(GetText(ReadYaml(text)), "") << text;
  }
}

TEST(YamlMistakes, AnUnknownMistakeKeepsItsPlace) {
  EXPECT_EQ(GetText(ReadYaml("a: 1\n]\n")),
            "2:1: not valid YAML: a closing bracket without its opening one");
}

TEST(YamlMistakes, ALongLineIsExplained) {
  std::string text = "a: \"";
  for (int i = 0; i < 100'000; ++i) text += "x, [ ";
  EXPECT_EQ(GetText(ReadYaml(text)),
            "1:4: not valid YAML: the quoted text that begins here has no end");
}

class JsonMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(JsonMistake, IsNamedWhereItIs) {
  const ReadResult result = ReadJson(GetParam().text);
  EXPECT_EQ(GetText(result), GetParam().fault);
  EXPECT_TRUE(result.documents.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Texts, JsonMistake,
    ::testing::Values(
        Mistake{"CommentBeforeAKey", "{\n  // why\n  \"a\": 1}",
                "2:3: not valid JSON: JSON has no comments: remove it, or name the file .yaml, "
                "where a comment begins with \"#\""},
        Mistake{"BlockComment", "[1, /* two */ 2]",
                "1:5: not valid JSON: JSON has no comments: remove it, or name the file .yaml, "
                "where a comment begins with \"#\""},
        Mistake{"HashComment", "# x\n{}",
                "1:1: not valid JSON: JSON has no comments: remove it, or name the file .yaml, "
                "where a comment begins with \"#\""},
        Mistake{"CommaBeforeABrace", "{\"a\": 1,\n}",
                "1:8: not valid JSON: a comma before \"}\": remove it, none follows the last "
                "value"},
        Mistake{"CommaBeforeABracket", "[1, ]",
                "1:3: not valid JSON: a comma before \"]\": remove it, none follows the last "
                "value"},
        Mistake{"NoComma", "{\"a\": \"x\"\n \"b\": 1}",
                "1:10: not valid JSON: a comma is missing here"},
        Mistake{"NoCommaInAList", "[\"a\" \"b\"]", "1:5: not valid JSON: a comma is missing here"},
        Mistake{"SingleQuotes", "{'a': 1}",
                "1:2: not valid JSON: a text is in double quotes in JSON, not in single ones"},
        Mistake{"NoQuotes", "{name: 1}",
                "1:2: not valid JSON: a key is in double quotes in JSON: write \"name\" with "
                "them"},
        Mistake{"TypographicQuotes", "{\u201Ca\u201D: 1}",
                "1:2: not valid JSON: a typographic quote (U+201C): write \" or '"},
        Mistake{"Template", "{\"a\": {{ x }}}",
                "1:7: not valid JSON: \"{{\" is the syntax of a template (Helm, Jinja): render the "
                "template and put the result here"},
        Mistake{"CutOff", "{\"a\": [1",
                "1:8: not valid JSON: the text ends before its last bracket is closed: is it cut "
                "off?"},
        Mistake{"Two", "{}\n{}\n",
                "2:1: not valid JSON: a JSON file holds one manifest: put the second one into a "
                "file of its own, or use YAML with \"---\" between them"},
        Mistake{"Yaml", "apiVersion: x\n",
                "1:1: not valid JSON: this is YAML: give the file a name that ends in .yaml"},
        Mistake{"Conflict", "{\n<<<<<<< HEAD\n\"a\": 1}", std::string("2:1: ") + kConflict}),
    GetName);

}  // namespace
}  // namespace bindery::yaml
