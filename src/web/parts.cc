#include "web/parts.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text/time_text.h"
#include "report/values/drift_items.h"

namespace bindery::web {
namespace {

struct Look {
  std::string_view word;
  std::string_view look;  ///< good, busy, bad, warn, calm
};
/// All further words are calm.
constexpr std::array<Look, 32> kLooks = {{
    {"Ready", "good"},    {"Reconciling", "busy"}, {"Stalled", "bad"},
    {"ok", "good"},       {"failed", "bad"},       {"critical", "bad"},
    {"high", "warn"},     {"medium", "note"},      {"low", "calm"},
    {"open", "warn"},     {"held", "bad"},         {"corrected", "good"},
    {"declared", "good"}, {"undeclared", "warn"},  {"missing", "bad"},
    {"in force", "good"}, {"granted", "good"},     {"not granted", "calm"},
    {"depends", "note"},  {"unknown", "calm"},     {"error", "bad"},
    {"warning", "warn"},  {"Warning", "warn"},     {"condition differs", "warn"},
    {"expired", "warn"},  {"approved", "good"},    {"Suspended", "note"},
    {"leaving", "warn"},  {"stays", "note"},       {"foreign", "warn"},
    {"written", "good"},  {"rollback", "note"},
}};

std::string_view GetLook(std::string_view word) {
  const auto* const found = std::find_if(kLooks.begin(), kLooks.end(),
                                         [&](const Look& look) { return look.word == word; });
  return found == kLooks.end() ? "calm" : found->look;
}

std::string_view GetSign(std::string_view look) {
  if (look == "good") return "✓";
  if (look == "bad") return "✕";
  if (look == "warn") return "!";
  return look == "busy" ? "…" : "•";
}

/// "2026-11-21T12:00:00.000Z" for people.
std::string MomentText(const std::string& time) {
  if (time.size() < 19) return time;
  return time.substr(0, 10) + " " + time.substr(11, 8);
}

/// Up to this length a name is on a line of its column.
constexpr std::size_t kLineOfColumn = 30;

/// Where the end of a long name begins: at one of its last separators, never inside a character.
std::size_t FindTail(std::string_view name) {
  constexpr std::size_t kMost = 20;
  constexpr std::size_t kLeast = 6;
  constexpr std::size_t kOther = 12;
  const std::size_t found = name.find_first_of("-/@.:_", name.size() - kMost);
  if (found != std::string_view::npos && name.size() - found >= kLeast) return found;
  std::size_t tail = name.size() - kOther;
  const auto is_inside = [&] { return (static_cast<unsigned char>(name[tail]) & 0xC0U) == 0x80U; };
  while (tail > 0 && is_inside()) --tail;
  return tail;
}

/// May be broken once, at the separator next to the middle; in a narrow window as Breakable().
Html InTwoLines(std::string_view text, bool is_role) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool after = text[i - 1] == '/' || text[i - 1] == ':' || text[i - 1] == '.';
    if (!after && text[i] != '@') continue;
    const auto distance = [&](std::size_t at) {
      return at * 2 > text.size() ? at * 2 - text.size() : text.size() - at * 2;
    };
    if (distance(i) < distance(best)) best = i;
  }
  if (best == 0) return Breakable(text);
  // A longer half of a role is broken again; the column would be too wide.
  constexpr std::size_t kHalf = 36;
  const auto half = [&](std::string_view part) {
    const bool soft = is_role && part.size() > kHalf;
    return El("span", {{"class", soft ? "half soft" : "half"}}, Breakable(part));
  };
  return half(text.substr(0, best)).Add(Void("wbr", {})).Add(half(text.substr(best)));
}

}  // namespace

std::string Figure(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string Capital(std::string text) {
  if (!text.empty()) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::string Counted(std::int64_t number, std::string_view one, std::string_view many) {
  return Figure(number) + " " + std::string(number == 1 ? one : many);
}

Html Ago(const PageContext& context, WallTime time) {
  if (time == WallTime{}) return "–";
  const std::string text = FormatRfc3339(time);
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(context.now - time);
  const std::string words = age.count() < 0       ? "in " + FormatAge(-age)
                            : age.count() < 1'000 ? "just now"
                                                  : FormatAge(age) + " ago";
  return El("time", {{"datetime", text}, {"title", MomentText(text) + " UTC"}}, words);
}

Html Moment(WallTime time) {
  if (time == WallTime{}) return "–";
  const std::string text = FormatRfc3339(time);
  return El("time", {{"datetime", text}}, MomentText(text));
}

Html Badge(std::string_view of, std::string_view words) {
  const std::string_view look = GetLook(of);
  return El("span", {{"class", "badge " + std::string(look)}},
            El("span", {{"class", "sign"}, {"aria-hidden", "true"}}, GetSign(look)), words);
}

Html Badge(std::string_view word) { return Badge(word, word); }

Html ResourceLink(const std::string& name) {
  if (name.empty()) return "–";
  const bool is_long = name.size() > kLineOfColumn;
  return El("a",
            {{"href", PathTo({"resources", name})},
             {"class", "name long", is_long},
             {"title", name, is_long}},
            is_long ? InOneLine(name) : Html(name));
}

Html Breakable(std::string_view name) {
  const auto is = [&](std::size_t i, int (*kind)(int)) {
    return kind(static_cast<unsigned char>(name[i])) != 0;
  };
  Html html;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < name.size(); ++i) {
    const bool camel = is(i, std::isupper) && is(i - 1, std::islower);
    const bool after = name[i - 1] == '/' || name[i - 1] == ':' || name[i - 1] == '.';
    if (!after && name[i] != '@' && !camel) continue;
    html.Add(name.substr(begin, i - begin)).Add(Void("wbr", {}));
    begin = i;
  }
  return html.Add(name.substr(begin));
}

Html Prose(std::string_view text) {
  constexpr std::size_t kLongWord = 24;
  Html html;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size() - 1) + 1;
    const std::string_view word = text.substr(0, end);
    html.Add(word.size() > kLongWord ? Breakable(word) : Html(word));
    text.remove_prefix(end);
  }
  return html;
}

Html InOneLine(std::string_view name) {
  if (name.size() <= kLineOfColumn) return Breakable(name);
  const std::size_t tail = FindTail(name);
  return El("span", {{"class", "head"}}, Breakable(name.substr(0, tail)))
      .Add(El("span", {{"class", "tail"}}, name.substr(tail)));
}

Html WholeName(Literal tag, std::string_view look, std::string_view text) {
  constexpr std::size_t kLine = 44;
  constexpr std::size_t kTwoLines = 160;
  const std::string look_of_long = std::string(look) + " wide";
  return El(tag, {{"class", text.size() > kLine ? look_of_long : std::string(look)}},
            text.size() > kLine && text.size() <= kTwoLines ? InTwoLines(text, look == "role")
                                                            : Breakable(text));
}

Html Name(std::string_view name) { return El("span", {{"class", "name"}}, Breakable(name)); }

Html TargetLink(const std::string& kind, const std::string& name, const std::string& scope) {
  if (name.empty()) return "–";
  if (kind.empty()) return El("code", {}, name);
  return El("a",
            {{"href", WithQuery(PathTo({"targets", kind, name}), {{"provider", scope}})},
             {"class", "name"}},
            Breakable(name));
}

std::string ShortName(const std::string& name) {
  std::string members;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= name.size(); ++count) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (end == begin) return name;
    if (count % 2 == 1) members += (members.empty() ? "" : "/") + name.substr(begin, end - begin);
    begin = end + 1;
  }
  constexpr std::size_t kLong = 4;
  return count % 2 == 0 && count >= kLong ? members : name;
}

Html ShortTargetLink(const std::string& kind, const std::string& name, const std::string& scope) {
  const std::string shown = ShortName(name);
  if (name.empty() || kind.empty()) return TargetLink(kind, name, scope);
  return El("a",
            {{"href", WithQuery(PathTo({"targets", kind, name}), {{"provider", scope}})},
             {"class", NameClass(shown)},
             {"title", name, shown != name || shown.size() > kLineOfColumn}},
            InOneLine(shown));
}

Html Word(const std::string& text) { return El("span", {{"class", "word"}}, text); }

std::string FindPlace(const std::string& file, int line) {
  return file.empty() ? file : file + ":" + std::to_string(line);
}

std::string FindPlace(const std::optional<report::SourceLine>& source) {
  return source ? FindPlace(source->file, source->line) : "";
}

std::string NameClass(std::string_view text) {
  return text.size() > kLineOfColumn ? "name long" : "name";
}

Html Paragraph(std::string_view text) { return El("p", {}, text); }

Html Nothing(std::string_view text) { return El("p", {{"class", "nothing"}}, text); }

Html FirstManifests(std::string_view what) {
  return Nothing(what)
      .Add(CommandHint("To write manifests of what the clouds hold:",
                       "bindery import --scope organizations/NUMBER"))
      .Add(CommandHint("To see what the manifests in the folder would change:", "bindery plan"));
}

Html Disclosure(const std::string& id, const Html& content, bool open) {
  return El("details", {{"id", id}, {"open", "", open}}, El("summary", {}, "More"),
            El("div", {{"class", "beside"}}, content));
}

Html Sentence(const std::string& id, const Html& content, std::size_t length, bool open) {
  // Up to this length it is on a line of its column.
  constexpr std::size_t kLineOfSentence = 80;
  if (length <= kLineOfSentence) return content;
  return El("details", {{"class", "sentence"}, {"id", id}, {"open", "", open}},
            El("summary", {}, El("span", {}, content)));
}

Html Sentence(const std::string& id, std::string_view text, bool open) {
  return Sentence(id, Html(text), text.size(), open);
}

Html MakeSection(std::string_view title, const Html& content) {
  std::string id = "s-";
  for (const char c : title) {
    id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  }
  return El("section", {{"aria-labelledby", id}}, El("h2", {{"id", id}}, title), content);
}

Html Pager(const PageContext& context, const report::ListSlice& slice, std::size_t shown) {
  const auto total = static_cast<std::int64_t>(slice.total);
  const auto offset = static_cast<std::int64_t>(slice.offset);
  const auto limit = static_cast<std::int64_t>(slice.limit.value_or(0));
  const auto count = static_cast<std::int64_t>(shown);
  if (limit == 0 || (offset == 0 && count >= total)) return {};
  const auto link = [&](std::int64_t to, const char* words, bool exists) {
    if (!exists) return El("span", {{"class", "off"}}, words);
    const Query query = Replaced(context.query, {{"offset", to == 0 ? "" : std::to_string(to)}});
    return El("a", {{"href", WithQuery(context.path, query)}}, words);
  };
  return El(
      "nav", {{"class", "pager"}, {"aria-label", "Parts of the list"}},
      link(std::max<std::int64_t>(0, offset - limit), "← Previous", offset > 0),
      El("span", {}, count == 0 ? "none here" : Figure(offset + 1) + "–" + Figure(offset + count),
         " of ", Figure(total)),
      link(offset + limit, "Next →", offset + count < total));
}

Html ActionForm(const std::string& action, std::string_view label, const Query& fields) {
  Html form;
  for (const auto& [name, value] : fields) {
    form.Add(Void("input", {{"type", "hidden"}, {"name", name}, {"value", value}}));
  }
  form.Add(El("button", {{"type", "submit"}}, label));
  return El("form", {{"method", "post"}, {"action", action}, {"class", "action"}}, form);
}

Html CommandHint(std::string_view what, const std::string& command) {
  return El("p", {{"class", "hint"}}, what, " ", El("code", {}, command));
}

std::string DescribeMaker(const std::optional<report::Attribution>& made) {
  if (!made) return "";
  const std::string time = report::FormatMinute(made->time);
  return (made->impersonator.empty() ? "" : made->impersonator + " as ") + made->actor +
         (time.empty() ? "" : " on " + time) + (made->method.empty() ? "" : " by " + made->method);
}

Html MakerLine(const std::optional<report::Attribution>& made) {
  if (!made) return {};
  const std::string time = report::FormatMinute(made->time);
  const std::string by = made->impersonator.empty() ? "" : made->impersonator + " as ";
  Html line = "changed by: ";
  line.Add(Breakable(by + made->actor));
  if (!time.empty()) line.Add(" on ").Add(El("time", {}, time));
  return El("span", {{"class", "below"}, {"title", DescribeMaker(made)}}, line);
}

}  // namespace bindery::web
