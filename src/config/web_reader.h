#pragma once

// Private to src/config: how the web configuration's tree is read.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/reading.h"
#include "config/web_config.h"
#include "core/base/quoted.h"
#include "core/text/nearest.h"
#include "yaml/node.h"

namespace bindery::config {

template <typename T>
using Named = std::pair<std::string_view, T>;

/// Reads values of one file's tree; whatever is wrong is noted, and the reading goes on.
class WebReader {
 public:
  using Node = yaml::Node;
  using NodeKind = yaml::NodeKind;

  WebReader(std::string file, std::filesystem::path base_dir)
      : file_(std::move(file)), base_dir_(std::move(base_dir)) {}

  void Add(yaml::Position at, std::string path, std::string message) {
    problems_.push_back({file_, at.line, at.column, std::move(path), std::move(message)});
  }
  [[nodiscard]] const std::vector<ConfigProblem>& problems() const { return problems_; }

  using Fields = std::vector<std::pair<std::string, std::function<void(const Node&)>>>;

  /// Calls the reader of each field; refuses what has none.
  void ReadMap(const Node& map, const std::string& section, const Fields& fields) {
    if (map.kind == NodeKind::kNull) return;
    if (map.kind != NodeKind::kMap) {
      return Add(map.at, section, "expected a map, found " + WithArticle(map.kind));
    }
    std::vector<std::string> known;
    for (const auto& field : fields) known.push_back(field.first);
    for (const Node::Entry& entry : map.fields) {
      const auto found = std::ranges::find(fields, entry.key, &Fields::value_type::first);
      if (found != fields.end()) {
        if (entry.value.kind != NodeKind::kNull) found->second(entry.value);
        continue;
      }
      std::string message = "unknown key";
      if (const auto nearest = NearestSpelling(entry.key, known)) {
        message += ": did you mean " + Quoted(*nearest) + "?";
      }
      Add(entry.key_at, section.empty() ? entry.key : section + "." + entry.key, message);
    }
  }

  // Readers of one value ------------------------------------------------------------------------

  std::function<void(const Node&)> Text(std::string& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      if (node.kind == NodeKind::kString) {
        slot = node.text;
      } else {
        Add(node.at, path, "expected a string, found " + WithArticle(node.kind));
      }
    };
  }
  std::function<void(const Node&)> Path(std::filesystem::path& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      std::string text;
      Text(text, path)(node);
      if (!text.empty()) slot = (base_dir_ / text).lexically_normal();
    };
  }
  std::function<void(const Node&)> Bool(bool& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      if (node.kind == NodeKind::kBool) {
        slot = node.AsBool();
      } else {
        Add(node.at, path, "expected true or false, found " + WithArticle(node.kind));
      }
    };
  }
  std::function<void(const Node&)> Texts(std::vector<std::string>& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      if (node.kind != NodeKind::kList) {
        return Add(node.at, path, "expected a list, found " + WithArticle(node.kind));
      }
      for (const Node& item : node.items) {
        std::string text;
        Text(text, path)(item);
        slot.push_back(std::move(text));
      }
    };
  }
  template <typename T>
  std::function<void(const Node&)> Choice(T& slot, std::span<const Named<T>> names,
                                          const std::string& path) {
    return [this, &slot, names, path](const Node& node) {
      const auto found = std::ranges::find(names, std::string_view(node.text), &Named<T>::first);
      if (found != names.end()) {
        slot = found->second;
        return;
      }
      std::string known;
      for (const auto& [name, value] : names)
        known += (known.empty() ? "" : ", ") + std::string(name);
      Add(node.at, path, Quoted(node.text) + " is not accepted: expected one of " + known);
    };
  }

 private:
  std::string file_;
  std::filesystem::path base_dir_;
  std::vector<ConfigProblem> problems_;
};

/// `sign_in`.
void ReadSignIn(WebReader& reader, const yaml::Node& node, WebSignIn& sign_in);
/// `roles`: lists of subjects by role.
void ReadRoles(WebReader& reader, const yaml::Node& node,
               std::optional<std::map<std::string, Role>>& roles);
/// `anonymous`: a list of what nobody is asked for.
void ReadAnonymous(WebReader& reader, const yaml::Node& node, WebConfig& config);
/// What `roles`, `sign_in` and `basic_auth_users` mean for each other.
void CheckRoles(WebReader& reader, const yaml::Node& root, const WebConfig& config);

}  // namespace bindery::config
