#pragma once

#include <span>
#include <string_view>

namespace bindery::google::conditions {

/// Resources below the resources of a row.
struct PartForm {
  /// Behind the name of the resource: "/versions/*"; "**" stands for slashes too.
  std::string_view path;
  std::string_view type = {};  ///< The value of resource.type; empty: not documented.
};

/// The attributes of the resources of a row, as conditions see them.
struct ResourceForm {
  std::string_view row;        ///< Id of the row.
  std::string_view type = {};  ///< The value of resource.type; empty: not documented.
  std::span<const PartForm> parts = {};
};

/// Null: Google documents neither a type of such resources nor parts of them. The types of Cloud
/// Asset Inventory are others: "bigqueryreservation.googleapis.com/ReservationAssignment". Source:
/// https://cloud.google.com/iam/docs/conditions-resource-attributes
[[nodiscard]] const ResourceForm* FindResourceForm(std::string_view row);

/// The resources of BigQuery in a project: datasets have no row.
[[nodiscard]] std::span<const PartForm> ListBigQueryForms();

/// Whether `path`, behind the name of a resource, is of the form.
[[nodiscard]] bool HasPath(const PartForm& part, std::string_view path);

/// "/versions/" of "/versions/*": the part of each path before the first variable.
[[nodiscard]] std::string_view GetPathBegin(const PartForm& part);

}  // namespace bindery::google::conditions
