// Checks of users' rows.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_aliases.h"
#include "providers/google/rows/user_rows.h"

namespace bindery::google {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return IsLower(c) || IsUpper(c) || IsAsciiDigit(c);
  });
}

bool IsServiceName(std::string_view text) {
  return IsWord(text) && IsLower(text.front()) && std::ranges::none_of(text, IsUpper);
}

/// "v1", "v1beta2", "v1p1beta1"
bool IsApiVersion(std::string_view text) {
  return IsServiceName(text) && text.size() > 1 && text[0] == 'v' && IsAsciiDigit(text[1]);
}

bool IsHost(std::string_view text) {
  const bool plain = std::ranges::all_of(
      text, [](char c) { return IsLower(c) || IsAsciiDigit(c) || c == '-' || c == '.'; });
  return plain && text.find('.') != std::string_view::npos && text.front() != '.' &&
         text.back() != '.';
}

/// The variable of a segment: "topic" of "{topic}"; empty if none exists.
std::string_view SegmentVariable(std::string_view segment) {
  const auto open = segment.find('{');
  if (open == std::string_view::npos || segment.back() != '}') return {};
  return segment.substr(open + 1, segment.size() - open - 2);
}

/// The error of a form of names; empty when nothing is.
std::string FaultInForm(std::string_view form) {
  std::vector<std::string_view> variables;
  for (const std::string_view segment : manifests::Split(form, '/')) {
    if (segment.empty()) return "has an empty part";
    const std::string_view variable = SegmentVariable(segment);
    const std::string_view literal = segment.substr(0, segment.find('{'));
    const bool plain = std::ranges::all_of(literal, [](char c) {
      return IsLower(c) || IsUpper(c) || IsAsciiDigit(c) || c == '-' || c == '_' || c == '.';
    });
    if (!plain || (variable.empty() && literal.size() != segment.size())) {
      return "has the part \"" + std::string(segment) + "\": expected a word or {variable}";
    }
    if (variable.empty()) continue;
    if (!IsWord(variable))
      return "has the variable \"" + std::string(variable) + "\": letters and digits";
    if (std::ranges::find(variables, variable) != variables.end()) {
      return "has the variable " + std::string(variable) + " twice";
    }
    variables.push_back(variable);
  }
  return variables.empty() ? "has no {variable}" : "";
}

/// Whether some text fits both segments.
bool SegmentsMeet(std::string_view one, std::string_view other) {
  const auto fixed = [](std::string_view segment) { return segment.substr(0, segment.find('{')); };
  const bool one_varies = fixed(one).size() < one.size();
  const bool other_varies = fixed(other).size() < other.size();
  if (!one_varies && !other_varies) return one == other;
  if (one_varies && other_varies) {
    return fixed(one).starts_with(fixed(other)) || fixed(other).starts_with(fixed(one));
  }
  const std::string_view text = one_varies ? other : one;
  const std::string_view start = fixed(one_varies ? one : other);
  return text.starts_with(start) && text.size() > start.size();
}

bool NamesMeet(std::string_view one, std::string_view other) {
  const auto parts = manifests::Split(one, '/');
  const auto others = manifests::Split(other, '/');
  for (std::size_t i = 0; i < std::min(parts.size(), others.size()); ++i) {
    if (parts[i].ends_with("=**}") || others[i].ends_with("=**}")) return true;
    if (!SegmentsMeet(parts[i], others[i])) return false;
  }
  return parts.size() == others.size();
}

class Checker {
 public:
  explicit Checker(std::span<const UserRow> rows) : rows_(rows) {}

  std::vector<providers::KindRowFault> Check() {
    for (at_ = 0; at_ < rows_.size(); ++at_) {
      CheckWords(rows_[at_]);
      CheckWire(rows_[at_]);
      CheckNames(rows_[at_]);
      CheckTokens(rows_[at_]);
    }
    return std::move(faults_);
  }

 private:
  void Add(std::string key, std::string message) {
    faults_.push_back({at_, std::move(key), std::move(message)});
  }
  void Require(bool fine, const char* key, const char* expected) {
    if (!fine) Add(key, std::string("expected ") + expected);
  }

  void CheckWords(const UserRow& row) {
    Require(IsServiceName(row.service), "service", "a name in lower case, such as pubsub");
    Require(IsWord(row.kind) && IsUpper(row.kind.front()), "kind",
            "a name that begins with a capital, such as Topic");
    for (const char* ending : {"IamBinding", "IamMember", "IamPolicy", "IamAuditConfig"}) {
      if (row.kind.ends_with(ending)) Add("kind", "is the type without " + std::string(ending));
    }
    Require(!row.versions.empty(), "versions", "one version at least, such as v1");
    Require(std::ranges::all_of(row.versions, IsApiVersion), "versions",
            "versions such as v1 or v1beta2");
  }

  void CheckWire(const UserRow& row) {
    Require(row.host.empty() || IsHost(row.host), "host", "a host name");
    if (!row.location_host.empty()) {
      constexpr std::string_view kLocation = "{location}";
      std::string host = row.location_host;
      const auto place = host.find(kLocation);
      if (place != std::string::npos) host.replace(place, kLocation.size(), "x");
      Require(place != std::string::npos && IsHost(host), "locationHost",
              "a host name with {location}");
      const bool has_location = std::ranges::any_of(row.names, [&](const std::string& name) {
        return name.find(kLocation) != std::string::npos;
      });
      Require(has_location, "locationHost", "a form of names with {location}");
    }
    const bool path = row.path.empty() || (row.path.ends_with('/') && !row.path.starts_with('/'));
    Require(path, "path", "a path such as v1/");
    Require(row.suffix == ":" || row.suffix == "/" || row.suffix == "/iam", "suffix",
            "\":\", \"/\" or \"/iam\"");
    Require(row.get == IamVerb::kGet || row.get == IamVerb::kPost, "get", "GET or POST");
    Require(row.set == IamVerb::kPost || row.set == IamVerb::kPut, "set", "POST or PUT");
    Require(row.test != IamVerb::kPut, "test", "GET, POST or none");
    Require(row.conflict == 409 || row.conflict == 412, "conflictStatus", "409 or 412");
    const bool body = row.version_place == IamVersionPlace::kBody;
    Require(!body || row.get == IamVerb::kPost, "policyVersion", "a get of POST for a body");
    Require(row.permission.empty() || row.permission.find('.') != std::string::npos, "permission",
            "SERVICE.TYPE, such as pubsub.topics");
    for (const IamRow& known : BuiltInIamRows()) {
      if (known.service != row.service || row.host.empty() || known.host == row.host) continue;
      Add("host", "the service " + row.service + " is at " + std::string(known.host));
      break;
    }
  }

  void CheckNames(const UserRow& row) {
    Require(!row.names.empty(), "names",
            "one form of names at least, such as projects/{project}/topics/{topic}");
    for (std::size_t i = 0; i < row.names.size(); ++i) {
      const std::string& name = row.names[i];
      if (const std::string fault = FaultInForm(name); !fault.empty()) {
        Add("names", "\"" + name + "\" " + fault);
        continue;
      }
      for (std::size_t j = 0; j < i; ++j) CheckMeeting(name, row.names[j], "this row");
      CheckOtherRows(row.service, name);
    }
  }
  void CheckOtherRows(const std::string& service, const std::string& name) {
    for (const UserRow& row : rows_.first(at_)) {
      if (row.service != service) continue;
      for (const std::string& other : row.names) CheckMeeting(name, other, row.kind);
    }
    for (const IamRow& known : BuiltInIamRows()) {
      if (known.service != service) continue;
      for (const std::string_view other : manifests::Split(known.names, ' ')) {
        CheckMeeting(name, other, known.kind);
      }
    }
  }
  void CheckMeeting(const std::string& name, std::string_view other, std::string_view whose) {
    if (!NamesMeet(name, other)) return;
    Add("names", "\"" + name + "\" and \"" + std::string(other) + "\" of " + std::string(whose) +
                     " match the same name");
  }

  void CheckTokens(const UserRow& row) {
    for (const IamRow& known : BuiltInIamRows()) {
      if (known.service != row.service || known.kind != row.kind) continue;
      Add("kind", row.service + " " + row.kind + " is built in: leave the row out");
      return;
    }
    for (const std::string& version : row.versions) {
      const std::string token = row.service + "/" + version + ":" + row.kind;
      const IamAlias* alias = FindIamAlias(token);
      if (alias != nullptr && !alias->row.empty()) {
        Add("kind", token + " is another spelling of " + std::string(alias->row));
        return;
      }
    }
    for (std::size_t j = 0; j < at_; ++j) {
      if (rows_[j].service != row.service || rows_[j].kind != row.kind) continue;
      Add("kind", row.service + " " + row.kind + " is there twice");
      return;
    }
  }

  std::span<const UserRow> rows_;
  std::size_t at_ = 0;
  std::vector<providers::KindRowFault> faults_;
};

}  // namespace

std::vector<providers::KindRowFault> CheckUserRows(std::span<const UserRow> rows) {
  return Checker(rows).Check();
}

}  // namespace bindery::google
