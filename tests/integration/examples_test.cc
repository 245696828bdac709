// The examples that ship are what the README says they are.

#include <set>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;

/// The shipped configuration, with any free ports.
class Examples : public ::testing::Test {
 protected:
  Examples() : world_(kSeed) {
    std::filesystem::copy(std::filesystem::path(BINDERY_SOURCE) / "config",
                          world_.dir().path() / "c", std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(world_.dir().path() / "c" / "state");
    std::string text = world_.dir().Read("c/bindery.yaml");
    for (const char* address : {"127.0.0.1:9817", "127.0.0.1:9818"}) {
      text.replace(text.find(address), 14, "127.0.0.1:0");
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

TEST_F(Examples, TheyAreValidByTheProgramAndByItsJsonSchema) {
  EXPECT_EQ(world_.Run(With({"validate"})).exit_code, 0);
  world_.dir().Write("schema.json", world_.Run({"schema"}).out);
  const std::string check = "python3 " BINDERY_SOURCE "/tests/support/validate_by_schema.py " +
                            (world_.dir() / "schema.json") + " " + BINDERY_SOURCE +
                            "/config/manifests";
  EXPECT_EQ(std::system((check + " > " + (world_.dir() / "check.txt") + " 2>&1").c_str()), 0)
      << world_.dir().Read("check.txt");
  // The validator can say no.
  world_.dir().Write("bad/a.yaml",
                     Binding("viewers", "roles/viewer", "[user:a@example.com]", "  x: 1\n"));
  const std::string refuse = "python3 " BINDERY_SOURCE "/tests/support/validate_by_schema.py " +
                             (world_.dir() / "schema.json") + " " + (world_.dir() / "bad");
  EXPECT_NE(std::system((refuse + " > /dev/null 2>&1").c_str()), 0);
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
