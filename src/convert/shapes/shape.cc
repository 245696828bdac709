#include "convert/shapes/shape.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "convert/nodes.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr std::string_view kEach = "[]";

bool HasShape(const Node& node, Shape shape) {
  switch (shape) {
    case Shape::kText:
      return node.kind == NodeKind::kString;
    case Shape::kScalar:
      return node.kind == NodeKind::kString || node.kind == NodeKind::kInteger;
    case Shape::kFlag:
      return node.kind == NodeKind::kBool;
    case Shape::kMap:
      return node.kind == NodeKind::kMap;
    case Shape::kList:
      return node.kind == NodeKind::kList;
    case Shape::kMarks:
      break;
  }
  return node.kind == NodeKind::kMap || node.kind == NodeKind::kBool;
}

std::string_view NameShape(Shape shape) {
  switch (shape) {
    case Shape::kText:
      return "a text";
    case Shape::kScalar:
      return "a text or a number";
    case Shape::kFlag:
      return "true or false";
    case Shape::kMap:
      break;
    case Shape::kList:
      return "a list";
    case Shape::kMarks:
      return "a map, true or false";
  }
  return "a map";
}

/// Compares values with one expected shape.
class ShapeSearch {
 public:
  ShapeSearch(const ExpectedShape& expected, std::vector<WrongShape>& wrong)
      : expected_(expected), wrong_(wrong) {}

  /// Looks at the values at the rest of the path.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the path
  void Look(const Node& node, std::string_view rest, const std::string& path) {
    if (rest.empty()) return Compare(node, path);
    if (rest.starts_with(kEach)) {
      rest.remove_prefix(kEach.size());
      if (rest.starts_with('.')) rest.remove_prefix(1);
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        Look(node.items[i], rest, ItemPath(path, i));
      }
      return;
    }
    const std::size_t end = std::min({rest.find('.'), rest.find('['), rest.size()});
    const std::string_view key = rest.substr(0, end);
    rest.remove_prefix(end);
    if (rest.starts_with('.')) rest.remove_prefix(1);
    for (const Node::Entry& entry : node.fields) {
      if (key != "*" && entry.key != key) continue;
      Look(entry.value, rest, manifests::JoinPath(path, entry.key));
    }
  }

 private:
  void Compare(const Node& node, const std::string& path) {
    if (node.kind == NodeKind::kNull && expected_.null == Null::kIsAbsent) return;
    if (!HasShape(node, expected_.shape)) return Report(node, path);
    if (expected_.shape == Shape::kMarks) CompareMarks(node, path);
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
  void CompareMarks(const Node& node, const std::string& path) {
    if (node.kind != NodeKind::kList && !HasShape(node, Shape::kMarks)) return Report(node, path);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      CompareMarks(node.items[i], ItemPath(path, i));
    }
    for (const Node::Entry& entry : node.fields) {
      CompareMarks(entry.value, manifests::JoinPath(path, entry.key));
    }
  }

  void Report(const Node& node, const std::string& path) {
    std::string reason =
        "expected " + std::string(NameShape(expected_.shape)) + ", found " + WhatIs(node);
    const bool scalar =
        node.kind != NodeKind::kNull && node.kind != NodeKind::kMap && node.kind != NodeKind::kList;
    if (scalar && !expected_.advice.empty()) reason += ": " + std::string(expected_.advice);
    wrong_.push_back({node.at, path, std::move(reason)});
  }

  const ExpectedShape& expected_;
  std::vector<WrongShape>& wrong_;
};

}  // namespace

std::vector<WrongShape> FindWrongShapes(const Node& root, std::span<const ExpectedShape> expected,
                                        const std::string& path) {
  std::vector<WrongShape> wrong;
  for (const ExpectedShape& one : expected) ShapeSearch(one, wrong).Look(root, one.path, path);
  return wrong;
}

}  // namespace bindery::convert
