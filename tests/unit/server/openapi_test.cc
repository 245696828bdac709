#include <fstream>
#include <sstream>

#include "server_fixture.h"
#include "yaml/reader.h"

namespace bindery {
namespace {

TEST(Placeholder, Compiles) {}

}  // namespace
}  // namespace bindery
