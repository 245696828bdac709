#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <streambuf>
#include <utility>

#include "yaml/mistakes.h"
#include "yaml/reader.h"
#include "yaml/subset_reader.h"
#include "yaml/text.h"
#include "yaml/tree_builder.h"

namespace bindery::yaml {
namespace {

/// Reads a text in place, and then an end-of-document marker.
///
/// yaml-cpp takes a quoted string that nothing closes for complete when the text ends with a line
/// break: a file cut short would pass for a whole one. Met by a marker it is refused.
class ChunkBuffer final : public std::streambuf {
 public:
  explicit ChunkBuffer(std::string_view text)
      : marker_(!text.empty() && text.back() == '\n' ? "...\n" : "") {
    Show(text);
  }

 protected:
  int_type underflow() override {
    if (marker_.empty()) return traits_type::eof();
    Show(std::exchange(marker_, {}));
    return traits_type::to_int_type(*gptr());
  }

 private:
  void Show(std::string_view text) {
    // A get area is declared writable but only read.
    char* const begin =
        const_cast<char*>(text.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): see above
    setg(begin, begin, begin + text.size());
  }

  std::string_view marker_;
};

std::string_view MakeLine(std::string_view text, int number) {
  std::size_t at = 0;
  for (int line = 1; line < number && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return text.substr(std::min(at, text.size()), text.find('\n', at) - std::min(at, text.size()));
}

/// A tab, the most usual cause, the parser does not name.
Fault SyntaxFault(const Chunk& chunk, Position at, const std::string& text) {
  for (int line = std::max(at.line - chunk.first_line, 1); line <= at.line - chunk.first_line + 1;
       ++line) {
    const std::string_view content = MakeLine(chunk.text, line);
    const std::size_t tab = content.substr(0, content.find_first_not_of(" \t")).find('\t');
    if (tab == std::string_view::npos || tab == content.size()) continue;
    return {{chunk.first_line + line - 1, static_cast<int>(tab) + 1},
            "not valid YAML: a tab cannot indent, use spaces"};
  }
  return ExplainYamlFault(chunk, {at, "not valid YAML: " + text});
}

/// The begin of a second manifest without its "---": every field of the second is a duplicate. One
/// fault for all.
void ExplainDuplicates(std::vector<Fault>& faults) {
  const auto find = [&faults](std::string_view key) {
    return std::find_if(faults.begin(), faults.end(), [&](const Fault& fault) {
      return fault.path.size() == 1 && fault.path[0].key == key;
    });
  };
  const auto version = find("apiVersion");
  const auto kind = find("kind");
  if (version == faults.end() || kind == faults.end()) return;
  Fault missing{std::min(version->at, kind->at),
                "a second manifest begins here: the line \"---\" above it is missing",
                "DuplicateKey"};
  std::erase_if(faults, [](const Fault& fault) { return fault.path.size() == 1; });
  faults.insert(faults.begin(), std::move(missing));
}

void Keep(Node root, ReadResult& result) {
  if (root.kind == NodeKind::kNull) return;
  const Position at = root.at;
  result.documents.push_back({at, std::move(root)});
}

void ReadByLibrary(const Chunk& chunk, const Limits& limits, ReadResult& result) {
  TreeBuilder builder(chunk, limits);
  std::vector<Fault> fatal;
  try {
    ChunkBuffer buffer(chunk.text);
    std::istream input(&buffer);
    YAML::Parser parser(input);
    // The builder refuses a second document within the chunk, and so ends the loop.
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refusal& refusal) {
    fatal.push_back(ExplainYamlFault(chunk, refusal.fault));
  } catch (const YAML::Exception& failure) {
    fatal.push_back(SyntaxFault(chunk, builder.MakePosition(failure.mark), failure.msg));
  } catch (const std::exception& failure) {
    fatal.push_back({{chunk.first_line, 1}, std::string("not valid YAML: ") + failure.what()});
  }
  if (fatal.empty() && builder.bare_key()) {
    fatal.push_back(ExplainYamlFault(chunk, *builder.bare_key()));
  }
  const bool good = builder.faults().empty() && fatal.empty();
  std::vector<Fault> duplicates = builder.faults();
  ExplainDuplicates(duplicates);
  result.faults.insert(result.faults.end(), duplicates.begin(), duplicates.end());
  result.faults.insert(result.faults.end(), fatal.begin(), fatal.end());
  if (good) Keep(builder.TakeRoot(), result);
}

void ReadChunk(Readers readers, const Chunk& chunk, const Limits& limits, ReadResult& result) {
  if (chunk.text.size() > limits.max_bytes) {
    result.faults.push_back(
        {{chunk.first_line, 1},
         "document is larger than " + std::to_string(limits.max_bytes) + " bytes",
         "TooLarge"});
    return;
  }
  if (readers == Readers::kSubsetFirst) {
    if (auto root = ReadSubset(chunk, limits)) {
      Keep(*std::move(root), result);
      return;
    }
  }
  ReadByLibrary(chunk, limits, result);
}

}  // namespace

ReadResult ReadYaml(std::string_view text, const Limits& limits) {
  return ReadYamlBy(Readers::kSubsetFirst, text, limits);
}

ReadResult ReadYamlBy(Readers readers, std::string_view text, const Limits& limits) {
  ReadResult result;
  if (auto bad = FindBadText(text)) {
    result.faults.push_back(std::move(*bad));
    return result;
  }
  text = SkipByteOrderMark(text);
  std::string unix_text;
  if (text.find('\r') != std::string_view::npos) {
    unix_text = WithUnixLineBreaks(text);
    text = unix_text;
  }
  if (auto markers = FindConflictMarkers(text)) {
    result.faults.push_back(std::move(*markers));
    return result;
  }
  constexpr std::size_t kMaxFaults = 1000;
  for (const Chunk& chunk : SplitDocuments(text)) {
    const bool many = result.documents.size() >= limits.max_documents;
    if (many || result.faults.size() >= kMaxFaults) {
      const std::string what = many ? std::to_string(limits.max_documents) + " documents"
                                    : std::to_string(kMaxFaults) + " faults";
      result.faults.push_back(
          {{chunk.first_line, 1}, "more than " + what + ", the rest was not read", "TooLarge"});
      break;
    }
    ReadChunk(readers, chunk, limits, result);
  }
  return result;
}

}  // namespace bindery::yaml
