#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "convert/foreign_facts.h"
#include "yaml/node.h"

namespace bindery::convert {

/// A text of the metadata; empty: absent.
[[nodiscard]] std::string FindMetadataText(const yaml::Node& document, const char* key);

/// The documents of a file by their names.
class ConnectorDocuments {
 public:
  /// The facts outlive the object.
  explicit ConnectorDocuments(const ForeignFacts& facts) : facts_(facts) {}

  /// The document outlives the object.
  void Add(const yaml::Node& document);

  /// Of the document, by its name behind the domain.
  [[nodiscard]] std::string FindAnnotation(const yaml::Node& document, const char* name) const;

  /// Adds what the document's reference says of the resource's name; an error: too little.
  [[nodiscard]] tl::expected<void, std::string> Resolve(const yaml::Node& document,
                                                        const yaml::Node& reference,
                                                        yaml::Node& values) const;

 private:
  /// The project of a resource, as far as the file tells; empty: the file does not.
  [[nodiscard]] std::string GetProject(const yaml::Node& document) const;
  /// The name of a resource with that id, which for some kinds follows from the id and the project;
  /// nothing: it does not.
  [[nodiscard]] std::optional<std::string> FindDerivedName(const std::string& kind,
                                                           const std::string& id,
                                                           const std::string& project) const;

  const ForeignFacts& facts_;
  std::map<std::string, const yaml::Node*> by_name_;
};

}  // namespace bindery::convert
