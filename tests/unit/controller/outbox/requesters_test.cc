#include "controller/outbox/requesters.h"

#include <gtest/gtest.h>

#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using testing::kA;
using testing::kB;

TEST(Requesters, AreAnsweredOnceInTheirOrder) {
  Requesters requesters;
  std::string told;
  requesters.Add(kA, [&](const WorkAnswer& answer) { told += "1" + answer.message; });
  requesters.Add(kB, [&](const WorkAnswer&) { told += "other"; });
  requesters.Add(kA, [&](const WorkAnswer& answer) { told += "2" + answer.message; });
  requesters.Add(kA, nullptr);
  EXPECT_TRUE(requesters.Awaits(kA));
  for (const auto& reply : requesters.TakeReplies(kA)) reply({true, "", "!"});
  EXPECT_EQ(told, "1!2!");
  EXPECT_FALSE(requesters.Awaits(kA));
  EXPECT_TRUE(requesters.TakeReplies(kA).empty());
  EXPECT_TRUE(requesters.Awaits(kB));
}

TEST(Requesters, LeaveTheirTraceToOneCheck) {
  Requesters requesters;
  requesters.Add(kB, nullptr);
  EXPECT_FALSE(requesters.TakeTrace(kB).valid()) << "nobody's trace";
  const telemetry::TraceContext trace = telemetry::NewTrace(1);
  {
    const telemetry::TraceScope scope(trace);
    requesters.Add(kA, nullptr);
    requesters.Add(kB, nullptr);
  }
  EXPECT_EQ(requesters.TakeTrace(kA), trace);
  EXPECT_FALSE(requesters.TakeTrace(kA).valid());
  requesters.DropTrace(kB);
  EXPECT_FALSE(requesters.TakeTrace(kB).valid());
}

}  // namespace
}  // namespace bindery::controller
