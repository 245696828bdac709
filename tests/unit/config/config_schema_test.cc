// The JSON Schema of the configuration and the reader of the file know the same keys.

#include <fstream>
#include <set>
#include <sstream>

#include "config/config_json.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Parse;
using testing::Problems;

/// "a.b" for every property below that is no map.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the file
void Leaves(const Json& schema, const std::string& prefix, std::set<std::string>& keys) {
  for (const auto& [name, property] : schema.at("properties").items()) {
    const std::string path = prefix + name;
    if (path == "providers") continue;
    if (property.contains("properties")) {
      Leaves(property, path + ".", keys);
      if (property.at("additionalProperties").is_object()) keys.insert(path + ".*");
    } else {
      keys.insert(path);
    }
  }
}

std::set<std::string> LeavesOf(const Json& schema) {
  std::set<std::string> keys;
  Leaves(schema, "", keys);
  return keys;
}

template <typename Owner>
std::set<std::string> PathsOf(std::span<const Key<Owner>> keys) {
  std::set<std::string> paths;
  for (const auto& key : keys) paths.emplace(key.path);
  return paths;
}

const Json& ChooseProvider(const Json& schema) {
  return schema.at("properties").at("providers").at("additionalProperties");
}

TEST(ConfigSchema, HoldsEveryKeyOfTheReaderAndNoOther) {
  const Json schema = ConfigSchema();
  EXPECT_EQ(LeavesOf(schema), PathsOf(ConfigKeys()));
  // Keys below a name that several types of providers have stand in the rule of each type.
  std::set<std::string> expected;
  for (const std::string& path : PathsOf(ProviderKeys(""))) {
    const std::string name = path.substr(0, path.find('.'));
    const bool is_shared = ChooseProvider(schema).at("properties").at(name).empty();
    expected.insert(is_shared ? name : path);
  }
  EXPECT_EQ(LeavesOf(ChooseProvider(schema)), expected);
}

TEST(ConfigSchema, TheReaderKnowsEveryKeyOfTheSchema) {
  const Json schema = ConfigSchema();
  const auto expect_known = [](const std::string& path, const std::string& before) {
    std::string text = before;
    std::string rest = path;
    std::string end;
    for (auto dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
      text += rest.substr(0, dot) + ": {";
      end += "}";
      rest = rest.substr(dot + 1);
    }
    text += rest + ": {}" + end + (before.empty() ? "" : "}}");
    for (const std::string& problem : Problems(Parse(text))) {
      EXPECT_THAT(problem, Not(HasSubstr("unknown key"))) << text;
    }
  };
  for (const std::string& path : LeavesOf(schema)) expect_known(path, "");
  for (const std::string& path : LeavesOf(ChooseProvider(schema))) {
    expect_known(path, "providers: {x: {");
  }
}

TEST(ConfigSchema, GivesTheDefaultsOfTheReader) {
  const Json schema = ConfigSchema();
  const Json& properties = schema.at("properties");
  EXPECT_EQ(properties.at("reconcile").at("properties").at("interval").at("default"), "5m");
  EXPECT_EQ(properties.at("guard").at("properties").at("maxRemovedFraction").at("default"), 0.25);
  EXPECT_EQ(properties.at("reports").at("properties").at("formats").at("default"),
            Json({"json", "html"}));
}

TEST(ConfigSchema, IsPublishedAsItIs) {
  std::ifstream in(BINDERY_SOURCE_DIR "/config/bindery.schema.json");
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(text.str() == ConfigSchema().dump(2) + "\n")
      << "bindery config schema > config/bindery.schema.json";
}

}  // namespace
}  // namespace bindery::config
