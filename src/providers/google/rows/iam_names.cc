#include "providers/google/rows/iam_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "manifests/schema/check_text.h"
#include "manifests/schema/name_template.h"
#include "providers/google/rows/iam_second_names.h"
#include "providers/google/rows/iam_spellings.h"

namespace bindery::google {
namespace {

using Segments = std::vector<std::string_view>;

constexpr std::string_view kProjects = "projects/";
constexpr std::string_view kProjectPrefix = "projects/{project}/";
constexpr std::string_view kRest = "=**}";

std::vector<std::string_view> ListTemplates(const IamRow& row) {
  return manifests::Split(row.names, ' ');
}

/// One segment of a template: "topics", "{topic}", "compute-{region}" or, at the end of a template,
/// "{object=**}".
struct Part {
  std::string_view prefix;    ///< "topics", "", "compute-"
  std::string_view variable;  ///< "", "topic", "region", "object"
  bool rest = false;          ///< It stands for all that follows, slashes included.
};

bool IsControlOrBlank(char c) { return static_cast<unsigned char>(c) <= 0x20U || c == 0x7F; }

/// A second spelling of a slash in URLs.
bool HoldsEscapedSlash(std::string_view text) {
  return text.find("%2F") != std::string_view::npos || text.find("%2f") != std::string_view::npos;
}

Part GetPart(std::string_view segment) {
  const auto open = segment.find('{');
  if (open == std::string_view::npos) return {segment, {}};
  Part part{segment.substr(0, open), segment.substr(open + 1, segment.size() - open - 2)};
  if (!segment.ends_with(kRest)) return part;
  part.variable.remove_suffix(kRest.size() - 1);
  part.rest = true;
  return part;
}

/// A variable that is, or may be, a number.
bool IsNumbered(std::string_view variable) {
  return variable == "project" || variable == "folder" || variable == "organization";
}

/// The text goes into a URL, and into messages: nothing in it may end the segment or climb out.
bool IsValue(std::string_view text, const Part& part) {
  if (text.empty() || text == "." || text == "..") return false;
  if (part.rest) return !HoldsEscapedSlash(text) && std::ranges::none_of(text, IsControlOrBlank);
  if (part.variable == "location")
    return manifests::HasOnlyCharacters(text, "-");  // It can be part of a host.
  if (IsNumbered(part.variable) && text.size() > 1 && text.front() == '0' &&
      manifests::IsDecimal(text)) {
    return false;  // A second name of the number without the zero.
  }
  return manifests::HasOnlyCharacters(text, part.variable == "project" ? "-_.~:" : "-_.~@+$");
}

/// Whether a name is of the form of a template. `take` is called with each variable of the
/// template, and with what it stands for, in order, also where the name turns out to be of another
/// form.
template <typename Take>
bool Reads(std::string_view name_template, std::string_view name, const Take& take) {
  while (true) {
    const std::size_t wanted = std::min(name_template.find('/'), name_template.size());
    const Part part = GetPart(name_template.substr(0, wanted));
    const std::size_t given = part.rest ? name.size() : std::min(name.find('/'), name.size());
    std::string_view text = name.substr(0, given);
    if (!text.starts_with(part.prefix)) return false;
    text.remove_prefix(part.prefix.size());
    const bool fits = part.variable.empty() ? text.empty() : IsValue(text, part);
    if (!fits) return false;
    if (!part.variable.empty()) take(part.variable, text);
    const bool wants_more = wanted < name_template.size();
    const bool has_more = given < name.size();
    if (!wants_more || !has_more) return wants_more == has_more;
    name_template.remove_prefix(wanted + 1);
    name.remove_prefix(given + 1);
  }
}

bool HasForm(std::string_view name_template, std::string_view name) {
  return Reads(name_template, name,
               [](std::string_view /*variable*/, std::string_view /*text*/) {});
}

bool TakesProject(std::string_view name_template) {
  return name_template.starts_with(kProjectPrefix);
}

/// The template of the names in the row with the policies. Requires: a different row.
std::string_view GetPolicyTemplate(const IamRow& row) {
  return row.policy_of.substr(row.policy_of.find(' ') + 1);
}

/// `name`, of the form `from`, in the form `to` with the same variables; a name of a different form
/// stays unchanged.
std::string Rewritten(std::string name, std::string_view from, std::string_view to) {
  std::map<std::string, std::string, std::less<>> by_variable;
  const auto take = [&by_variable](std::string_view variable, std::string_view text) {
    by_variable.emplace(variable, text);
  };
  if (!Reads(from, name, take)) return name;
  return *manifests::FilledTemplate(to, [&by_variable](const std::string& variable, bool /*last*/) {
    return &by_variable.at(variable);
  });
}

/// The row's own name of what `text` names in the row that has the policy; else as it is. In full
/// names the rows are told apart.
std::string FromPolicyName(const IamRow& row, std::string text) {
  if (row.policy_of.empty()) return text;
  return Rewritten(std::move(text), GetPolicyTemplate(row), row.names);
}

/// "AUTHORIZATION_POLICY" of "authorizationPolicy".
std::string InCapitals(std::string_view variable) {
  std::string text;
  for (const char c : variable) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) text += '_';
    text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string WantedForm(std::string_view name_template) {
  const Segments segments = manifests::Split(name_template, '/');
  std::string form;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Part part = GetPart(segments[i]);
    form += (i > 0 ? "/" : "") + std::string(part.prefix);
    const bool is_id = i > 1 && i + 1 == segments.size();
    if (!part.variable.empty()) form += is_id ? "ID" : InCapitals(part.variable);
  }
  return form;
}

/// `own` by one of the row's templates, completed by the default project if needed.
std::optional<std::string> FullName(const IamRow& row, const std::string& own,
                                    std::string_view default_project) {
  for (const std::string_view name_template : ListTemplates(row)) {
    if (HasForm(name_template, own)) return own;
    if (!TakesProject(name_template) || default_project.empty()) continue;
    if (HasForm(name_template.substr(kProjectPrefix.size()), own)) {
      return std::string(kProjects) + std::string(default_project) + "/" + own;
    }
  }
  return std::nullopt;
}

/// The location or region in a canonical name; empty where it has none.
std::string_view LocationIn(const IamRow& row, std::string_view name) {
  const std::string_view location = GetVariable(row, name, "location");
  return location.empty() ? GetVariable(row, name, "region") : location;
}

/// A second row with such a name: of the same service, else the only row; null: none.
const IamRow* RowMeant(const IamRow& row, std::string_view text, std::string_view project) {
  const IamRow* only = nullptr;
  std::size_t count = 0;
  for (const IamRow& each : IamRows()) {
    if (!CanonicalIamName(each, text, project)) continue;
    if (each.service == row.service) return &each;
    only = &each;
    ++count;
  }
  return count == 1 ? only : nullptr;
}

}  // namespace

std::optional<std::string> CanonicalIamName(const IamRow& row, std::string_view text,
                                            std::string_view default_project) {
  const std::optional<PlainIamName> plain = ReadSpelling(row, text);
  if (!plain) return std::nullopt;
  std::optional<std::string> name =
      FullName(row, text.starts_with("//") ? plain->text : FromPolicyName(row, plain->text),
               default_project);
  if (!name) return std::nullopt;
  *name = InOneSpelling(row, std::move(*name));
  const bool elsewhere = !plain->location.empty() && plain->location != LocationIn(row, *name);
  return elsewhere || IsSecondName(row, *name) ? std::nullopt : std::move(name);
}

Expected<std::string> ReadIamName(const IamRow& row, const std::string& text,
                                  const std::string& default_project) {
  if (auto name = CanonicalIamName(row, text, default_project)) return std::move(*name);
  if (auto fault = CheckIamName(row, text)) return Fail(Code::kInvalidArgument, fault->message);
  return Fail(Code::kInvalidArgument,
              "name \"" + text +
                  "\" carries no project, and the provider has no default project: write "
                  "projects/PROJECT/" +
                  text + ", or set providers.<name>.project in the configuration");
}

std::optional<manifests::CheckFailure> CheckIamName(const IamRow& row, std::string_view text) {
  constexpr std::string_view kSomeProject = "some-project";
  if (CanonicalIamName(row, text, kSomeProject)) return std::nullopt;
  std::string other = " is not a resource name: write ";
  if (IsSecondName(row, text)) {
    other =
        " is a second name of a resource, which bindery cannot tell from the first: use the name "
        "with the project's id and the e-mail address or name of the resource, ";
  } else if (HoldsEscapedSlash(text)) {
    other = " escapes a slash: write \"/\" in place of \"%2F\", as in ";
  } else if (const IamRow* meant = RowMeant(row, text, kSomeProject)) {
    other = " is for the kind " + std::string(meant->kind) + "IamBinding: this kind takes ";
  }
  return manifests::CheckFailure{"BadResourceName",
                                 manifests::Quote(text) + other + WantedIamName(row)};
}

std::string_view GetVariable(const IamRow& row, std::string_view name, std::string_view variable) {
  for (const std::string_view name_template : ListTemplates(row)) {
    std::string_view value;
    const auto take = [&](std::string_view each, std::string_view text) {
      if (value.empty() && each == variable) value = text;
    };
    if (Reads(name_template, name, take) && !value.empty()) return value;
  }
  return {};
}

std::string PolicyName(const IamRow& row, std::string name) {
  if (row.policy_of.empty()) return name;
  return Rewritten(std::move(name), row.names, GetPolicyTemplate(row));
}

std::string GetHost(const IamRow& row, std::string_view name) {
  constexpr std::string_view kLocation = "{location}";
  if (row.location_host.empty()) return std::string(row.host);
  const std::string_view location = GetVariable(row, name, "location");
  if (location.empty() || location == "global") return std::string(row.host);
  std::string host(row.location_host);
  host.replace(host.find(kLocation), kLocation.size(), location);
  return host;
}

bool TakesProjectMembers(const IamRow& row) {
  return row.service == "storage" || row.service == "bigquery";
}

std::string_view GetLastVariable(const IamRow& row) {
  std::string_view last;
  for (const std::string_view segment : manifests::Split(ListTemplates(row).front(), '/')) {
    if (const Part part = GetPart(segment); !part.variable.empty()) last = part.variable;
  }
  return last;
}

bool TakesDefaultProject(const IamRow& row) {
  return std::ranges::any_of(ListTemplates(row), TakesProject);
}

std::string WantedIamName(const IamRow& row) {
  std::string wanted;
  bool takes_project = false;
  std::string_view after_project;
  for (const std::string_view name_template : ListTemplates(row)) {
    wanted += (wanted.empty() ? "" : " or ") + WantedForm(name_template);
    if (!TakesProject(name_template)) continue;
    takes_project = true;
    after_project = manifests::Split(name_template, '/')[2];
  }
  if (takes_project) wanted += ", or the part from " + std::string(after_project) + "/ on";
  return wanted;
}

std::string PatternOfIamNames(const IamRow& row) {
  std::string pattern;
  for (const std::string_view name_template : ListTemplates(row)) {
    std::string one;
    Segments segments = manifests::Split(name_template, '/');
    if (TakesProject(name_template)) {
      one = "(projects/[^/]+/)?";
      segments.erase(segments.begin(), segments.begin() + 2);
    }
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Part part = GetPart(segments[i]);
      one += (i > 0 ? "/" : "") + std::string(part.prefix);
      if (!part.variable.empty()) one += part.rest ? ".+" : "[^/]+";
    }
    pattern += (pattern.empty() ? "" : "|") + one;
  }
  const bool several = row.names.find(' ') != std::string_view::npos;
  return several ? "^(" + pattern + ")$" : "^" + pattern + "$";
}

std::vector<std::string> ExamplesOfIamName(const IamRow& row) {
  const std::string_view name_template = ListTemplates(row).front();
  const Segments segments = manifests::Split(name_template, '/');
  std::string example;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Part part = GetPart(segments[i]);
    example += (i > 0 ? "/" : "") + std::string(part.prefix);
    if (part.variable == "project") {
      example += "acme";
    } else if (part.variable == "location") {
      example += "global";
    } else if (!part.variable.empty()) {
      example += i + 1 == segments.size() ? "payments" : "example";
    }
  }
  if (!TakesProject(name_template)) return {example};
  constexpr std::string_view kAcme = "projects/acme/";
  return {example, example.substr(kAcme.size())};
}

}  // namespace bindery::google
