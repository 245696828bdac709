// A model of the directory, the store, the clouds, time and restarts: whatever happens, nothing is
// taken away but on settled, complete evidence or by an operator's word.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/moves.h"
#include "model/scripts.h"
#include "model/world.h"

namespace bindery::controller {
namespace {

using model::Move;
using model::Script;

/// Of the environment; `otherwise` where it is not set.
std::string FromEnvironment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

void Play(const Script& script, model::World& world) {
  for (const Move& move : script) {
    world.Do(move);
    if (!world.breach().empty()) return;
  }
  world.ComeToRest();
}

void Replay(const std::string& moves) {
  const Expected<Script> script = model::ParseScript(moves);
  ASSERT_TRUE(script.has_value()) << script.error().message;
  model::World world;
  Play(*script, world);
  EXPECT_EQ(world.breach(), "") << world.EventsText();
}

rc::Gen<Move> AnyMove() {
  std::vector<model::Kind> lots;
  for (const auto& weight : model::Weights()) {
    lots.insert(lots.end(), static_cast<std::size_t>(weight.weight), weight.kind);
  }
  return rc::gen::build<Move>(rc::gen::set(&Move::kind, rc::gen::elementOf(lots)),
                              rc::gen::set(&Move::which, rc::gen::inRange(0, 8)),
                              rc::gen::set(&Move::amount, rc::gen::inRange(0, 64)));
}

/// The sizes of runs grow to kLongest, and each is half of its size on average.
constexpr int kLongest = 200;

TEST(RemovalModel, NothingIsTakenAwayButOnSettledEvidenceAndAllIsThereInTheEnd) {
  const int steps = std::stoi(FromEnvironment("BINDERY_MODEL_STEPS", "20000"));
  const std::string runs = std::to_string(steps / (kLongest / 4));
  const std::string seed = FromEnvironment("BINDERY_MODEL_SEED", "1");
  // RapidCheck reads it once, at the first check.
  const std::string parameters =
      "max_success=" + runs + " max_size=" + std::to_string(kLongest) + " seed=" + seed;
  ASSERT_EQ(::setenv("RC_PARAMS", parameters.c_str(), /*overwrite=*/0), 0);
  std::size_t played = 0;
  bool found = false;
  const auto property = [&] {
    const Script script = *rc::gen::container<Script>(AnyMove());
    if (!found) played += script.size();
    model::World world;
    Play(script, world);
    if (world.breach().empty()) return;
    if (!std::exchange(found, true)) std::cerr << "steps played: " << played << std::endl;
    RC_LOG() << "The script, for model/scripts.h:\n" << model::Text(script);
    RC_FAIL(world.breach());
  };
  EXPECT_TRUE(rc::check("removals need settled evidence", property))
      << "the moves above show how; BINDERY_MODEL_SCRIPT=FILE plays them again";
}

class RemovalScripts : public ::testing::TestWithParam<model::NamedScript> {};

TEST_P(RemovalScripts, AreHeldToAsWell) { Replay(GetParam().moves); }

INSTANTIATE_TEST_SUITE_P(Found, RemovalScripts, ::testing::ValuesIn(model::kScripts),
                         [](const ::testing::TestParamInfo<model::NamedScript>& script) {
                           return script.param.name;
                         });

TEST(RemovalModel, PlaysTheScriptOfAFile) {
  const std::string path = FromEnvironment("BINDERY_MODEL_SCRIPT", "");
  if (path.empty()) GTEST_SKIP() << "BINDERY_MODEL_SCRIPT names no file";
  std::ifstream file(path);
  std::ostringstream moves;
  moves << file.rdbuf();
  ASSERT_TRUE(file.good()) << path << " cannot be read";
  Replay(moves.str());
}

}  // namespace
}  // namespace bindery::controller
