#include "controller/options_text.h"

#include "core/json.h"

namespace bindery {
namespace {

bool Flag(const Json& json, const char* name) {
  const Json* member = FindMember(json, name);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

}  // namespace

std::string OptionsText(const Options& options) {
  if (options == Options{}) return "{}";  // Nearly all are.
  Json json = Json::object();
  if (options.mode) json["mode"] = *options.mode == Mode::kObserve ? "observe" : "enforce";
  if (options.interval) json["intervalMs"] = options.interval->count();
  if (!options.provider.empty()) json["provider"] = options.provider;
  if (options.suspend) json["suspend"] = true;
  if (options.protect) json["protect"] = true;
  if (options.retain_on_delete) json["retainOnDelete"] = true;
  return CanonicalJson(json);
}

Options OptionsFromText(const std::string& text) {
  Options options;
  if (text == "{}") return options;
  const Expected<Json> json = ParseJson(text);
  if (!json) return options;
  const std::string mode = StringMember(*json, "mode");
  if (!mode.empty()) options.mode = mode == "observe" ? Mode::kObserve : Mode::kEnforce;
  if (const Json* interval = FindMember(*json, "intervalMs");
      interval != nullptr && interval->is_number_integer()) {
    options.interval = std::chrono::milliseconds(interval->get<std::int64_t>());
  }
  options.provider = StringMember(*json, "provider");
  options.suspend = Flag(*json, "suspend");
  options.protect = Flag(*json, "protect");
  options.retain_on_delete = Flag(*json, "retainOnDelete");
  return options;
}

}  // namespace bindery
