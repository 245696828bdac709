#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/ports/store.h"
#include "store/read_connections.h"

namespace bindery::store {

/// Of a store in a database what is read by names and digests; what it is read on, and how that was
/// found.
class SqlNamedReads : public Store {
 public:
  [[nodiscard]] Expected<void> ReadTogether(const std::function<void()>& read) const override;
  [[nodiscard]] Expected<std::optional<ResourceRecord>> Resource(
      const std::string& name) const override;
  [[nodiscard]] Expected<std::vector<ResourceRecord>> ResourcesOn(
      const Target& target) const override;
  [[nodiscard]] Expected<std::vector<ResourceRecord>> ResourcesOnEach(
      const std::vector<Target>& targets) const override;
  [[nodiscard]] Expected<std::string> Policy(const std::string& digest) const override;
  [[nodiscard]] Expected<std::vector<std::string>> Policies(
      const std::vector<std::string>& digests) const override;
  [[nodiscard]] Expected<std::vector<TargetRecord>> TargetsNamed(
      const std::string& name) const override;
  [[nodiscard]] Expected<std::vector<ObservedResource>> ResourcesNamed(
      const std::vector<std::string>& names) const override;
  Expected<void> EachResourceByName(
      const std::function<void(ObservedResource&&)>& take) const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> NewestRevisions(
      const Target& target, std::size_t most) const override;
  [[nodiscard]] Expected<std::vector<DriftEntry>> DriftNumbered(
      const std::vector<std::int64_t>& ids) const override;
  [[nodiscard]] Expected<std::vector<ManifestProblemRecord>> ProblemsAbout(
      const std::string& resource, const std::string& file) const override;
  [[nodiscard]] Expected<std::map<std::string, std::size_t>> CountProblems() const override;
  Expected<void> EachScannedPlace(const std::function<void(ScannedPlace&&)>& take) const override;
  void EndReads() override { connections_->engine().EndReads(); }
  [[nodiscard]] std::string recovered_from() const override {
    return connections_->engine().recovered_from();
  }
  [[nodiscard]] bool replaced() const override { return connections_->engine().replaced(); }

 protected:
  SqlNamedReads(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> reader)
      : connections_(std::make_unique<ReadConnections>(std::move(engine), std::move(reader))) {}

  [[nodiscard]] ReadConnections& connections() const { return *connections_; }

 private:
  const std::unique_ptr<ReadConnections> connections_;
};

}  // namespace bindery::store
