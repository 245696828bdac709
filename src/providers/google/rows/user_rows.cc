#include "providers/google/rows/user_rows.h"

#include <array>
#include <deque>
#include <optional>
#include <utility>

namespace bindery::google {
namespace {

using R = providers::KindRow;

/// Rows of files come from MakeRow().
UserRow& UserIn(R& row) { return static_cast<UserRow&>(row); }

constexpr std::array<std::string_view, 4> kVerbs = {"none", "GET", "POST", "PUT"};
constexpr std::array<std::string_view, 4> kVersionPlaces = {"nowhere", "dottedQuery", "flatQuery",
                                                            "body"};

constexpr std::array kRowKeys = {
    Key<R>{"service", [](R& r) -> Slot { return &UserIn(r).service; },
           "The service, as in SERVICE.googleapis.com."},
    Key<R>{"kind", [](R& r) -> Slot { return &UserIn(r).kind; },
           "The resource type: Topic for TopicIamBinding."},
    Key<R>{"noun", [](R& r) -> Slot { return &UserIn(r).noun; },
           "What messages call the resource; default: the words of kind."},
    Key<R>{"versions", [](R& r) -> Slot { return TextListSlot{&UserIn(r).versions}; },
           "The versions of the API that have the type; requests use the first one."},
    Key<R>{"host", [](R& r) -> Slot { return &UserIn(r).host; },
           "The host; default: SERVICE.googleapis.com."},
    Key<R>{"locationHost", [](R& r) -> Slot { return &UserIn(r).location_host; },
           "The host for names with a location: {location}-SERVICE.googleapis.com; default: host."},
    Key<R>{"path", [](R& r) -> Slot { return &UserIn(r).path; },
           "What is between host and name; default: the first version and a slash."},
    Key<R>{"names", [](R& r) -> Slot { return TextListSlot{&UserIn(r).names}; },
           "The forms of names: projects/{project}/topics/{topic}."},
    Key<R>{"suffix", [](R& r) -> Slot { return &UserIn(r).suffix; },
           "What is between name and method: ':' for NAME:getIamPolicy, '/', or /iam."},
    Key<R>{"get", [](R& r) -> Slot { return Choice(UserIn(r).get, kVerbs); },
           "The method of a read."},
    Key<R>{"set", [](R& r) -> Slot { return Choice(UserIn(r).set, kVerbs); },
           "The method of a write."},
    Key<R>{"test", [](R& r) -> Slot { return Choice(UserIn(r).test, kVerbs); },
           "The method of testIamPermissions."},
    Key<R>{"policyVersion",
           [](R& r) -> Slot { return Choice(UserIn(r).version_place, kVersionPlaces); },
           "Where a read says which version of the policy it wants."},
    Key<R>{"bareBody", [](R& r) -> Slot { return &UserIn(r).bare_body; },
           "The body of a write is the policy itself."},
    Key<R>{"updateMask", [](R& r) -> Slot { return &UserIn(r).update_mask; },
           "A write takes an updateMask."},
    Key<R>{"auditConfigs", [](R& r) -> Slot { return &UserIn(r).audit_configs; },
           "The policy has auditConfigs."},
    Key<R>{"conditionsDocumented", [](R& r) -> Slot { return &UserIn(r).conditions_documented; },
           "Google documents that conditions are accepted."},
    Key<R>{"preview", [](R& r) -> Slot { return &UserIn(r).preview; },
           "The type has no stable version."},
    Key<R>{"etagsMove", [](R& r) -> Slot { return &UserIn(r).etags_move; },
           "The etag moves with every change of the policy, so that most checks may ask for it "
           "alone."},
    Key<R>{"conflictStatus",
           [](R& r) -> Slot { return &UserIn(r).conflict; },
           "What a write with an outdated etag is answered with: 409 or 412.",
           {409, 412}},
    Key<R>{"permission", [](R& r) -> Slot { return &UserIn(r).permission; },
           "The beginning of its permissions: pubsub.topics."},
};

/// "vector index" of "VectorIndex".
std::string MakeWords(std::string_view kind) {
  std::string words;
  for (const char c : kind) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !words.empty()) words += ' ';
    words += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

/// Texts that live as long as the process, like the texts of built-in rows.
std::string_view Keep(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

IamRow MadeRow(const UserRow& user) {
  IamRow row;
  row.id = Keep(user.service + "/" + user.versions.front() + ":" + user.kind);
  row.service = Keep(user.service);
  row.kind = Keep(user.kind);
  row.noun = Keep(user.noun.empty() ? MakeWords(user.kind) : user.noun);
  row.versions = Keep(Joined(user.versions));
  row.host = Keep(user.host.empty() ? user.service + ".googleapis.com" : user.host);
  row.location_host = Keep(user.location_host);
  row.path = Keep(user.path.empty() ? user.versions.front() + "/" : user.path);
  row.names = Keep(Joined(user.names));
  row.suffix = Keep(user.suffix);
  row.get = user.get;
  row.set = user.set;
  row.test = user.test;
  row.version_place = user.version_place;
  row.bare_body = user.bare_body;
  row.update_mask = user.update_mask;
  row.audit_configs = user.audit_configs;
  row.conditions_documented = user.conditions_documented;
  row.preview = user.preview;
  row.etag_unproven = !user.etags_move;
  row.conflict = static_cast<std::int16_t>(user.conflict);
  row.permission = Keep(user.permission);
  return row;
}

/// The whole content of rows, for comparisons.
std::string RowsText(std::span<const UserRow> rows) {
  std::string text;
  for (const UserRow& user : rows) {
    for (const std::string& part :
         {user.service, user.kind, user.noun, Joined(user.versions), user.host, user.location_host,
          user.path, Joined(user.names), user.suffix, user.permission}) {
      text += part + "\n";
    }
    for (const int part :
         {static_cast<int>(user.get), static_cast<int>(user.set), static_cast<int>(user.test),
          static_cast<int>(user.version_place), static_cast<int>(user.bare_body),
          static_cast<int>(user.update_mask), static_cast<int>(user.audit_configs),
          static_cast<int>(user.conditions_documented), static_cast<int>(user.preview),
          static_cast<int>(user.etags_move), user.conflict}) {
      text += std::to_string(part) + "\n";
    }
  }
  return text;
}

std::vector<UserRow> MakeUserRows(const providers::KindRows& rows) {
  std::vector<UserRow> users;
  for (const auto& row : rows) {
    if (const auto* user = dynamic_cast<const UserRow*>(row.get())) users.push_back(*user);
  }
  return users;
}

class UserKindsOfFiles final : public providers::DeclaredKinds {
 public:
  [[nodiscard]] std::shared_ptr<providers::KindRow> MakeRow() const override {
    return std::make_shared<UserRow>();
  }
  [[nodiscard]] std::span<const Key<providers::KindRow>> Keys() const override { return kRowKeys; }
  [[nodiscard]] std::vector<providers::KindRowFault> Check(
      const providers::KindRows& rows) const override {
    return CheckUserRows(MakeUserRows(rows));
  }
  [[nodiscard]] bool Install(const providers::KindRows& rows) const override {
    return InstallUserRows(MakeUserRows(rows));
  }
};

}  // namespace

const providers::DeclaredKinds& UserKinds() {
  static const UserKindsOfFiles kKinds;
  return kKinds;
}

bool InstallUserRows(std::span<const UserRow> rows) {
  static std::optional<std::string> installed;
  std::string text = RowsText(rows);
  if (installed) return *installed == text;
  std::vector<IamRow> added;
  added.reserve(rows.size());
  for (const UserRow& user : rows) added.push_back(MadeRow(user));
  AddIamRows(added);
  installed = std::move(text);
  return true;
}

}  // namespace bindery::google
