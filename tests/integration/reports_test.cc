// Drift reports as files and on the command line, by the real program.

#include <filesystem>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSettings =
    "reports: {minimumInterval: 0s, directory: out, formats: [json, html, markdown, csv]}\n";

class Reports : public ::testing::Test {
 protected:
  explicit Reports(const std::string& settings = kSettings) : world_(kSeed, settings) {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  }

  [[nodiscard]] Json Latest() const {
    if (!fs::exists(world_.dir() / "out/latest.json")) return Json::object();
    return ParseJson(world_.dir().Read("out/latest.json")).value_or(Json::object());
  }

  [[nodiscard]] std::vector<std::string> Names(const std::string& extension) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(world_.dir() / "out")) {
      const std::string name = entry.path().filename();
      if (name.starts_with("drift-") && entry.path().extension() == extension) {
        names.push_back(name);
      }
    }
    return names;
  }

  World world_;
};

TEST_F(Reports, APassThatChangedSomethingIsReported) {
  world_.StartDaemon();
  world_.Eventually("the first pass is reported", [&] { return !Latest().empty(); });
  world_.SetPolicy(kPayments, Holders("roles/owner", {"allUsers"}));
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  world_.Eventually("and the repair", [&] {
    const Json latest = Latest();
    for (const Json& item : latest.at("items")) {
      if (item.at("severity") == "critical") return item.at("state") == "corrected";
    }
    return false;
  });
  const Json report = Latest();
  EXPECT_GE(report.at("summary").at("sinceLast").at("new"), 2);
  EXPECT_EQ(report.at("summary").at("inSync"), 1);
  EXPECT_EQ(report.at("items").at(0).at("action"), "taken away");
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  for (const char* form : {".json", ".html", ".md", ".csv"}) EXPECT_GE(Names(form).size(), 2U);
  EXPECT_THAT(world_.dir().Read("out/latest.html"), HasSubstr("allUsers"));
}

TEST_F(Reports, OneFullPassEndsWithOne) {
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(Names(".json").size(), 1U);
  EXPECT_EQ(Latest().at("items").at(0).at("action"), "granted");
  EXPECT_EQ(Latest().at("items").at(0).at("source").at("file"), "a.yaml");
  EXPECT_EQ(world_.RunJson({"drift"}).at("previousAt"), Latest().at("generatedAt"));
}

TEST_F(Reports, OnlySoManyAreKept) {
  world_.Configure("reports: {minimumInterval: 0s, directory: out, formats: [json], keep: 2}\n");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(Names(".json").size(), 2U);
  EXPECT_FALSE(Latest().empty());
}

TEST_F(Reports, AFolderThatCannotBeWrittenStopsNothingButIsAnError) {
  world_.dir().Write("out", "in the way");
  const Outcome once = world_.Run({"run", "--once"});
  EXPECT_EQ(world_.RunJson({"get"}).at("resources").at(0).at("status").at("ready"), true);
  EXPECT_EQ(once.exit_code, 2);
  EXPECT_THAT(once.err, HasSubstr("a drift report cannot be written"));
}

TEST_F(Reports, RealReportsAreAsTheirSchemaSays) {
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  world_.Configure(
      "reconcile: {mode: observe}\nreports: {minimumInterval: 0s, directory: out, formats: "
      "[json]}\n");
  world_.SetPolicy(kPayments, {{{"role", "roles/owner"}, {"members", {"allUsers"}}},
                               {{"role", "roles/viewer"},
                                {"members", {"user:ana@example.com"}},
                                {"condition", {{"title", "t"}, {"expression", "1 < 2"}}}}});
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 1);
  EXPECT_EQ(Latest().at("summary").at("open"), 2);
  const std::string schema = world_.Run({"schema", "drift-report"}).out;
  std::ifstream published(BINDERY_SOURCE "/docs/drift-report.schema.json");
  std::ostringstream text;
  text << published.rdbuf();
  EXPECT_EQ(*ParseJson(schema), *ParseJson(text.str()));
  world_.dir().Write("schema.json", schema);
  const auto judge = [&](const std::string& folder) {
    const std::string command = "python3 " BINDERY_SOURCE "/tests/support/validate_by_schema.py " +
                                (world_.dir() / "schema.json") + " " + (world_.dir() / folder) +
                                " > " + (world_.dir() / "judged.txt") + " 2>&1";
    return std::system(command.c_str());
  };
  EXPECT_EQ(judge("out"), 0) << world_.dir().Read("judged.txt");
  Json wrong = Latest();
  wrong["items"][0]["severity"] = "dreadful";
  world_.dir().Write("wrong/a.json", wrong.dump());
  EXPECT_NE(judge("wrong"), 0) << "the judge can say no";
}

class Severities : public Reports {
 protected:
  Severities()
      : Reports(
            "reconcile: {mode: observe}\ndrift: {severity: [{class: missing, role: \"*viewer\", "
            "severity: low}]}\n") {}
};

TEST_F(Severities, AThresholdDecidesWhatIsListedAndHowItEnds) {
  EXPECT_EQ(world_.Run({"run", "--once", "--severity", "medium"}).exit_code, 0);
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 1);
  const Outcome all = world_.Run({"drift"});
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_THAT(all.out, HasSubstr("low"));
  const Outcome some = world_.Run({"drift", "--severity", "medium"});
  EXPECT_EQ(some.exit_code, 0);
  EXPECT_THAT(some.out, HasSubstr("No drift"));
  EXPECT_EQ(world_.Run({"drift", "--severity", "terrible"}).exit_code, 2);
}

TEST_F(Severities, APlanKnowsThemToo) {
  world_.Configure("drift: {severity: [{class: missing, severity: low}]}\n");
  EXPECT_EQ(world_.RunJson({"plan"}).at("changes").at(0).at("severity"), "low");
  EXPECT_EQ(world_.Run({"plan"}).exit_code, 1);
  const std::string manifests = world_.dir() / "manifests";
  const Outcome severe =
      world_.Run({"plan", "--severity", "high", "--base", manifests, "--manifests", manifests});
  EXPECT_EQ(severe.exit_code, 0) << severe.err;
  EXPECT_EQ(severe.out, "No changes of severity high or worse.\n");
}

TEST_F(Severities, EveryFormIsPrinted) {
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 1);
  EXPECT_THAT(world_.Run({"drift", "-o", "html"}).out, HasSubstr("<h1>Drift report</h1>"));
  EXPECT_THAT(world_.Run({"drift", "-o", "markdown"}).out, HasSubstr("\n## Current drift\n"));
  EXPECT_THAT(world_.Run({"drift", "-o", "csv"}).out, HasSubstr("\r\nlow,open,"));
  EXPECT_THAT(world_.Run({"drift", "-o", "yaml"}).out, HasSubstr("leastSeverity: low"));
  EXPECT_THAT(world_.Run({"drift", "-o", "sarif"}).out, HasSubstr("\"ruleId\": \"missing\""));
  EXPECT_THAT(world_.Run({"drift", "-o", "text"}).out, Not(HasSubstr("<h1>")));
}

}  // namespace
}  // namespace bindery::testing
