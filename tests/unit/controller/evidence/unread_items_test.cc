#include "controller/evidence/unread_items.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

manifests::UnreadItem UnreadAs(const std::string& path, const std::string& bytes,
                               bool ignored = false) {
  return {path, "holds errors", bytes, ignored};
}

std::string PathOrNone(const manifests::UnreadItem* item) {
  return item == nullptr ? "" : item->path;
}

TEST(UnreadItems, OneHoldsWhatWentMissingSinceItBecameUnread) {
  UnreadItems items;
  items.Looked({UnreadAs("a.yaml", "1")}, 3);
  EXPECT_EQ(PathOrNone(items.GetHolder(3)), "a.yaml");
  EXPECT_EQ(items.GetHolder(4), nullptr) << "it was unread before";
  items.Looked({UnreadAs("a.yaml", "1")}, 4);
  EXPECT_EQ(items.GetHolder(4), nullptr) << "with the same bytes";
  items.Looked({UnreadAs("a.yaml", "2")}, 5);
  EXPECT_EQ(PathOrNone(items.GetHolder(5)), "a.yaml") << "with others";
  EXPECT_EQ(items.went(), 5);
  items.Looked({}, 6);
  EXPECT_EQ(items.GetHolder(0), nullptr);
  EXPECT_EQ(items.went(), 6);
}

TEST(UnreadItems, AFolderThatCannotBeReadMayHoldWhatWentMissingAtAnyTime) {
  UnreadItems items;
  manifests::UnreadItem folder = UnreadAs("team", "1");
  folder.opaque = true;
  items.Looked({folder}, 3);
  items.Looked({folder}, 4);
  EXPECT_EQ(PathOrNone(items.GetHolder(9)), "team");
  items.Looked({}, 5);
  EXPECT_EQ(items.GetHolder(5), nullptr);
}

TEST(UnreadItems, WhatCameBesideWhatItMayHoldHoldsNothing) {
  UnreadItems items;
  manifests::UnreadItem backup = UnreadAs("a.yaml~", "1");
  backup.harmless = true;
  const ClaimAge fresh{2, /*fresh=*/true, false, false};
  items.Looked({backup}, 3);
  EXPECT_EQ(items.GetHolder(1), nullptr);
  EXPECT_EQ(items.FindBlocker(fresh), nullptr);
  EXPECT_FALSE(items.Any());
  EXPECT_EQ(items.Text(), "");
  UnreadItems next;
  next.Load(items.Records());
  backup.harmless = false;
  backup.opaque = true;
  next.Looked({backup}, 4);
  EXPECT_EQ(next.GetHolder(4), nullptr)
      << "what it may hold went later, and its bytes are the same";
  EXPECT_EQ(next.FindBlocker(fresh), nullptr);
  backup.fingerprint = "2";
  next.Looked({backup}, 5);
  EXPECT_EQ(PathOrNone(next.GetHolder(5)), "a.yaml~");
}

TEST(UnreadItems, WhatWasNeverKnownMayBeInAnythingThatIsNotIgnored) {
  UnreadItems items;
  items.Looked({UnreadAs("notes.txt", "1", /*ignored=*/true)}, 1);
  const ClaimAge fresh{2, /*fresh=*/true, false, false};
  const ClaimAge known{2, /*fresh=*/false, false, false};
  EXPECT_EQ(items.FindBlocker(fresh), nullptr);
  EXPECT_FALSE(items.Any());
  items.Looked({UnreadAs("b.yaml", "1"), UnreadAs("notes.txt", "1", true)}, 1);
  EXPECT_EQ(PathOrNone(items.FindBlocker(fresh)), "b.yaml");
  EXPECT_EQ(items.FindBlocker(known), nullptr);
  EXPECT_TRUE(items.Any());
  EXPECT_EQ(items.Text(), "\"b.yaml\" holds errors");
}

TEST(UnreadItems, AnEarlierRunsItemsAreAsOldAsTheyWere) {
  UnreadItems items;
  items.Looked({UnreadAs("a.yaml", "1")}, 3);
  EXPECT_TRUE(items.TakeNews());
  items.Looked({UnreadAs("a.yaml", "1")}, 4);
  EXPECT_FALSE(items.TakeNews());
  UnreadItems next;
  next.Load(items.Records());
  next.Looked({UnreadAs("a.yaml", "1")}, 5);
  EXPECT_FALSE(next.TakeNews());
  EXPECT_EQ(next.Records(), items.Records());
  EXPECT_EQ(next.GetHolder(4), nullptr);
  next.Looked({}, 6);
  EXPECT_TRUE(next.TakeNews());
}

}  // namespace
}  // namespace bindery::controller
