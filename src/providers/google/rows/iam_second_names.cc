#include "providers/google/rows/iam_second_names.h"

#include <cctype>
#include <utility>

#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

/// "p" of "a@p.iam.gserviceaccount.com", "123" of "123-compute@developer.gserviceaccount.com";
/// empty where the address does not tell the project.
std::string ProjectOfAddress(std::string_view address) {
  constexpr std::string_view kEnd = ".iam.gserviceaccount.com";
  constexpr std::string_view kCompute = "-compute@developer.gserviceaccount.com";
  constexpr std::string_view kAppEngine = "@appspot.gserviceaccount.com";
  for (const std::string_view end : {kCompute, kAppEngine}) {
    if (address.ends_with(end)) return std::string(address.substr(0, address.size() - end.size()));
  }
  const auto at = address.find('@');
  if (at == std::string_view::npos || !address.ends_with(kEnd)) return "";
  return std::string(address.substr(at + 1, address.size() - at - 1 - kEnd.size()));
}

/// "projects/-/serviceAccounts/a@p.iam.gserviceaccount.com": the address tells the project.
std::string WithProjectOfAddress(std::string name) {
  constexpr std::string_view kAnyProject = "projects/-/serviceAccounts/";
  if (!name.starts_with(kAnyProject)) return name;
  const std::string address = name.substr(kAnyProject.size());
  std::string project = ProjectOfAddress(address);
  if (project.empty()) return name;
  // "name.example.com" is the project example.com:name.
  if (const auto dot = project.find('.'); dot != std::string::npos) {
    project = project.substr(dot + 1) + ":" + project.substr(0, dot);
  }
  return "projects/" + project + "/serviceAccounts/" + address;
}

/// "01ab23-45cd67-89ef01", in letters of either case.
bool IsBillingId(std::string_view text) {
  constexpr std::size_t kSize = 20;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i % 7 == 6;
    if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  return text.size() == kSize;
}

/// The last segment as its service spells it: case is no part of the addresses of service accounts,
/// nor of the ids of billing accounts.
std::string WithOwnCase(const IamRow& row, std::string name) {
  const std::size_t begin = name.rfind('/') + 1;
  const std::string_view last = std::string_view(name).substr(begin);
  const bool address =
      row.id == "iam/v1:ServiceAccount" && last.find('@') != std::string_view::npos;
  const bool billing = row.id == "cloudbilling/v1:BillingAccount" && IsBillingId(last);
  for (std::size_t i = begin; i < name.size() && (address || billing); ++i) {
    const int letter = static_cast<unsigned char>(name[i]);
    name[i] = static_cast<char>(address ? std::tolower(letter) : std::toupper(letter));
  }
  return name;
}

}  // namespace

bool IsSecondName(const IamRow& row, std::string_view name) {
  const bool number = manifests::IsDecimal(name.substr(name.rfind('/') + 1));
  if (row.id == "iam/v1:ServiceAccount" && number) return false;  // The service tells the first.
  if (name.starts_with("projects/-/")) return true;
  return number && row.service == "compute" && name.starts_with("projects/");
}

std::string InOneSpelling(const IamRow& row, std::string name) {
  return WithProjectOfAddress(WithOwnCase(row, std::move(name)));
}

}  // namespace bindery::google
