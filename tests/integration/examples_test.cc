// The examples that ship are what the README says they are.

#include <set>

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/iam_names.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;

/// The shipped configuration, with any free ports.
class Examples : public ::testing::Test {
 protected:
  Examples() : world_(kSeed) {
    namespace fs = std::filesystem;
    fs::create_directory(world_.dir().path() / "c");
    for (const auto& entry : fs::directory_iterator(fs::path(BINDERY_SOURCE) / "config")) {
      const fs::path name = entry.path().filename();
      if (name == "state") continue;  // Of a daemon that runs, or ran, from here: it has a socket.
      fs::copy(entry.path(), world_.dir().path() / "c" / name, fs::copy_options::recursive);
    }
    std::string text = world_.dir().Read("c/bindery.yaml");
    for (const std::string listen : {"listen: \"127.0.0.1:9817\"", "listen: \"127.0.0.1:9818\""}) {
      text.replace(text.find(listen), listen.size(), "listen: \"127.0.0.1:0\"");
    }
    world_.dir().Write("c/bindery.yaml", text);
  }

  [[nodiscard]] std::vector<std::string> With(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"-c", world_.dir() / "c/bindery.yaml"});
    return arguments;
  }

  World world_;
};

TEST_F(Examples, EveryResourceIsReadyAfterTheFirstPass) {
  const Outcome once = world_.Run(With({"run", "--once"}));
  EXPECT_EQ(once.exit_code, 0) << once.err;
  const Json report = world_.RunJson(With({"get"}));
  EXPECT_GE(report.at("resources").size(), 6U);
  for (const Json& resource : report.at("resources")) {
    EXPECT_EQ(resource.at("status").at("ready"), true) << resource.dump(2);
  }
  EXPECT_THAT(world_.Run(With({"plan"})).out, HasSubstr("No changes"));
}

/// Whether all manifests below the folder are valid by schema.json of the world.
bool ValidBySchema(const World& world, const std::string& folder) {
  const std::string check = "python3 " BINDERY_SOURCE "/tests/support/validate_by_schema.py " +
                            (world.dir() / "schema.json") + " " + folder + " > " +
                            (world.dir() / "check.txt") + " 2>&1";
  return std::system(check.c_str()) == 0;
}

TEST_F(Examples, TheyAreValidByTheProgramAndByItsJsonSchema) {
  EXPECT_EQ(world_.Run(With({"validate"})).exit_code, 0);
  world_.dir().Write("schema.json", world_.Run({"schema"}).out);
  EXPECT_TRUE(ValidBySchema(world_, BINDERY_SOURCE "/config/manifests"))
      << world_.dir().Read("check.txt");
  // The validator can say no.
  world_.dir().Write("bad/a.yaml",
                     Binding("viewers", "roles/viewer", "[user:a@example.com]", "  x: 1\n"));
  EXPECT_FALSE(ValidBySchema(world_, world_.dir() / "bad"));
}

/// A document of the kind and, before it, what ends another one.
std::string NextManifest(const std::string& version, const std::string& kind,
                         const std::string& name = "projects/acme/topics/t") {
  Json spec = {{"role", "roles/viewer"}, {"members", {"user:ana@example.com"}}};
  if (kind.ends_with("IamMember")) spec = {{"role", "roles/viewer"}, {"member", "user:a@b.c"}};
  if (kind.ends_with("IamPolicy")) spec = {{"bindings", Json::array({spec})}};
  spec["name"] = name;
  return "---\n" +
         Json{{"apiVersion", version},
              {"kind", kind},
              {"metadata", {{"name", "a"}}},
              {"spec", std::move(spec)}}
             .dump() +
         "\n";
}

TEST_F(Examples, EverySpellingOfEveryKindIsValidByTheJsonSchema) {
  world_.dir().Write("schema.json", world_.Run({"schema"}).out);
  std::ifstream list(BINDERY_SOURCE "/tools/kinds/google_native.txt");
  std::string documents;
  std::size_t count = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line.starts_with('#') || line.find(" GONE ") != std::string::npos) continue;
    const auto colon = line.find(':');
    const auto blank = line.find(' ');
    const std::string kind = line.substr(colon + 1, blank - colon - 1);
    const std::string name = SampleNames(*google::FindIamRow(line.substr(blank + 1))).front();
    for (const std::string package : {"cloudnative:", "google-native:"}) {
      for (const char* shape : {"IamBinding", "IamMember", "IamPolicy"}) {
        documents += NextManifest(package + line.substr(0, colon), kind + shape, name);
        ++count;
      }
    }
  }
  EXPECT_EQ(count, 6 * 348U);
  world_.dir().Write("spelled/a.yaml", documents + NextManifest("google-native:iam", "IamBinding"));
  EXPECT_TRUE(ValidBySchema(world_, world_.dir() / "spelled")) << world_.dir().Read("check.txt");

  for (const auto& [version, kind] :
       {std::pair("google-native:pubsub/v9", "TopicIamBinding"),
        std::pair("pulumi:pubsub/v1", "TopicIamBinding"),
        std::pair("google-native:pubsub/v1beta1a", "SchemaIamBinding"),
        std::pair("google-native:ids/v1", "EndpointIamBinding"),
        std::pair("google-native:monitoring", "RestrictionPolicy")}) {
    world_.dir().Write("unknown/a.yaml", NextManifest(version, kind));
    EXPECT_FALSE(ValidBySchema(world_, world_.dir() / "unknown")) << version << " " << kind;
  }
}

TEST_F(Examples, TheDocumentedFieldsAreThoseOfTheProgram) {
  std::ifstream in(BINDERY_SOURCE "/docs/manifests.md");
  std::ostringstream page;
  page << in.rdbuf();
  std::string tables = world_.Run({"schema", "--fields"}).out;
  while (tables.ends_with('\n')) tables.pop_back();
  EXPECT_THAT(page.str(), HasSubstr(tables))
      << "replace the tables by those of bindery schema --fields";
}

/// The blocks of YAML of one section of the page.
std::vector<std::string> BlocksOf(const std::string& section) {
  std::ifstream in(BINDERY_SOURCE "/docs/manifests.md");
  std::vector<std::string> blocks;
  bool wanted = false;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) wanted = line == "## " + section;
    if (line.starts_with("```")) {
      inside = wanted && line == "```yaml";
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(DocumentedExamples, OneOfEachKindIsValidWithAllItsFields) {
  World world(kSeed);
  int number = 0;
  for (const std::string& block : BlocksOf("A full example of each kind")) {
    world.dir().Write("manifests/" + std::to_string(number++) + ".yaml", block);
  }
  const Outcome valid = world.Run({"validate"});
  EXPECT_EQ(valid.exit_code, 0) << valid.out << valid.err;
  EXPECT_THAT(valid.out, HasSubstr("11 files, 11 manifests: valid"));
  std::set<std::string> kinds;
  for (const std::string& block : BlocksOf("A full example of each kind")) {
    const auto at = block.find("\nkind: ") + 7;
    kinds.insert(block.substr(at, block.find('\n', at) - at));
  }
  EXPECT_EQ(kinds.size(), 11U);
}

}  // namespace
}  // namespace bindery::testing
