#pragma once

#include <string>
#include <string_view>

#include "yaml/node.h"
#include "yaml/reader.h"
#include "yaml/subset_reader.h"
#include "yaml/text.h"

namespace bindery::yaml {

inline std::string Shown(Position at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

/// All that a tree holds, a line for each node.
inline void Describe(const Node& node, const std::string& indent, std::string& text) {
  text += Shown(node.at) + " " + std::string(ToString(node.kind)) + " <" + node.text + ">" +
          (node.quoted ? " quoted" : "") + (node.verbatim ? " verbatim" : "") + "\n";
  for (const Node& item : node.items) {
    text += indent + "- ";
    Describe(item, indent + "  ", text);
  }
  for (const Node::Entry& entry : node.fields) {
    text += indent + Shown(entry.key_at) + " <" + entry.key + ">: ";
    Describe(entry.value, indent + "  ", text);
  }
}

/// All documents and all faults.
inline std::string Describe(const ReadResult& read) {
  std::string text;
  for (const Document& document : read.documents) {
    text += "document " + Shown(document.at) + " ";
    Describe(document.root, "  ", text);
  }
  for (const Fault& fault : read.faults) {
    text += "fault " + Shown(fault.at) + " " + fault.code + " " + fault.message;
    for (const PathStep& step : fault.path) {
      text += "/" + (step.in_list ? std::to_string(step.index) : step.key);
    }
    text += "\n";
  }
  return text;
}

/// How many documents of a text the subset reader reads, of how many.
struct SubsetShare {
  int read = 0;
  int all = 0;
};

inline void CountSubset(std::string_view text, SubsetShare& share, const Limits& limits = {}) {
  if (FindBadText(text)) return;
  const std::string lines = WithUnixLineBreaks(SkipByteOrderMark(text));
  for (const Chunk& chunk : SplitDocuments(lines)) {
    ++share.all;
    if (ReadSubset(chunk, limits)) ++share.read;
  }
}

}  // namespace bindery::yaml
