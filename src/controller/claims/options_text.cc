#include "controller/claims/options_text.h"

#include <utility>

#include "core/base/json.h"

namespace bindery::controller {
namespace {

using Duration = std::optional<std::chrono::milliseconds>;

bool Flag(const Json& json, const char* name) {
  const Json* member = FindMember(json, name);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

Duration Milliseconds(const Json& json, const char* name) {
  const Json* member = FindMember(json, name);
  if (member == nullptr || !member->is_number_integer()) return std::nullopt;
  return std::chrono::milliseconds(member->get<std::int64_t>());
}

std::vector<std::string> Texts(const Json& json, const char* name) {
  std::vector<std::string> texts;
  const Json* list = FindMember(json, name);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& text : *list) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

void Add(const char* name, const std::vector<std::string>& texts, Json& json) {
  if (!texts.empty()) json[name] = texts;
}

void Add(const char* name, const Duration& duration, Json& json) {
  if (duration) json[name] = duration->count();
}

void AddRare(const manifests::ExtraOptions& rare, Json& json) {
  Add("dependsOn", rare.depends_on, json);
  Add("ignoreChanges", rare.ignore_changes, json);
  Add("aliases", rare.aliases, json);
  if (!rare.import_id.empty()) json["import"] = rare.import_id;
  Add("createTimeoutMs", rare.create_timeout, json);
  Add("updateTimeoutMs", rare.update_timeout, json);
  Add("deleteTimeoutMs", rare.delete_timeout, json);
}

std::shared_ptr<const manifests::ExtraOptions> RareFrom(const Json& json) {
  manifests::ExtraOptions rare;
  rare.depends_on = Texts(json, "dependsOn");
  rare.ignore_changes = Texts(json, "ignoreChanges");
  rare.aliases = Texts(json, "aliases");
  rare.import_id = StringMember(json, "import");
  rare.create_timeout = Milliseconds(json, "createTimeoutMs");
  rare.update_timeout = Milliseconds(json, "updateTimeoutMs");
  rare.delete_timeout = Milliseconds(json, "deleteTimeoutMs");
  if (rare == manifests::ExtraOptions{}) return nullptr;
  return std::make_shared<const manifests::ExtraOptions>(std::move(rare));
}

}  // namespace

std::string OptionsText(const manifests::Options& options) {
  if (options == manifests::Options{}) return "{}";  // Nearly all are.
  Json json = Json::object();
  if (options.mode) json["mode"] = *options.mode == Mode::kObserve ? "observe" : "enforce";
  Add("intervalMs", options.interval, json);
  if (!options.provider.empty()) json["provider"] = options.provider;
  if (options.suspend) json["suspend"] = true;
  if (options.protect) json["protect"] = true;
  if (options.retain_on_delete) json["retainOnDelete"] = *options.retain_on_delete;
  if (options.remove_expired) json["expired"] = "remove";
  if (options.rare != nullptr) AddRare(*options.rare, json);
  return CanonicalJson(json);
}

manifests::Options OptionsFromText(const std::string& text) {
  manifests::Options options;
  if (text == "{}") return options;
  const Expected<Json> json = ParseJson(text);
  if (!json) return options;
  const std::string mode = StringMember(*json, "mode");
  if (!mode.empty()) options.mode = mode == "observe" ? Mode::kObserve : Mode::kEnforce;
  options.interval = Milliseconds(*json, "intervalMs");
  options.provider = StringMember(*json, "provider");
  options.suspend = Flag(*json, "suspend");
  options.protect = Flag(*json, "protect");
  if (FindMember(*json, "retainOnDelete") != nullptr) {
    options.retain_on_delete = Flag(*json, "retainOnDelete");
  }
  options.remove_expired = StringMember(*json, "expired") == "remove";
  // A hundred thousand "{}" are read at a start.
  if (!json->empty()) options.rare = RareFrom(*json);
  return options;
}

}  // namespace bindery::controller
