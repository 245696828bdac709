#pragma once

#include <yaml-cpp/eventhandler.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "yaml/column_counter.h"
#include "yaml/reader.h"
#include "yaml/text.h"

namespace bindery::yaml {

/// Thrown out of yaml-cpp's parser by TreeBuilder, the only way to stop it; never leaves this
/// folder.
struct Refusal {
  Fault fault;
};

/// Builds the tree of one document from yaml-cpp's events, within the limits. Throws Refusal when
/// reading on makes no sense; notes what is wrong but survivable in `faults()`.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const Chunk& chunk, const Limits& limits)
      : chunk_(chunk), limits_(limits), columns_(chunk.text) {}

  /// The document; kNull if none existed.
  [[nodiscard]] Node TakeRoot() { return std::move(root_); }
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// A key without a colon: wrong, but only worth a message when nothing else explains it.
  [[nodiscard]] const std::optional<Fault>& bare_key() const { return bare_key_; }
  [[nodiscard]] Position MakePosition(const YAML::Mark& mark);

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { Close(); }

 private:
  /// An open list or map.
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  ///< Of a map: the key was read, its value comes next.
    std::string key;
    Position key_at;
    std::size_t key_end = 0;  ///< Offset behind a plain key; 0 when the key was quoted.
    std::unordered_map<std::string, int> key_lines;  ///< Filled once a map is large.
  };

  void Open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);
  void Close();
  void Add(Node node, YAML::anchor_t anchor);
  void TakeKey(Node node);
  void CountNode(Position at);
  void CountCopy(const Node& node, Position at);
  [[nodiscard]] bool ExpectsKey() const;
  [[nodiscard]] bool KeyLacksColon() const;
  [[nodiscard]] static int FindFirstLine(Frame& frame, const std::string& key);

  const Chunk& chunk_;
  const Limits& limits_;
  ColumnCounter columns_;
  bool started_ = false;
  Node root_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, Node> anchors_;
  std::size_t scalar_offset_ = 0;  ///< Of the scalar read last.
  std::size_t nodes_ = 0;
  std::size_t copied_bytes_ = 0;
  std::vector<Fault> faults_;
  std::optional<Fault> bare_key_;
};

}  // namespace bindery::yaml
