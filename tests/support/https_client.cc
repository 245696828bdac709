#include "support/https_client.h"

#include <memory>
#include <string_view>

namespace bindery::testing {
namespace {

std::size_t TakeBody(char* data, std::size_t one, std::size_t size, void* to) {
  static_cast<std::string*>(to)->append(data, one * size);
  return one * size;
}

std::size_t TakeHeader(char* data, std::size_t one, std::size_t size, void* to) {
  const std::string_view line(data, one * size);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return one * size;
  std::string name(line.substr(0, colon));
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string_view value = line.substr(colon + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  while (value.ends_with('\n') || value.ends_with('\r')) value.remove_suffix(1);
  static_cast<HttpsResult*>(to)->headers.emplace_back(name, value);
  return one * size;
}

std::string SubjectOf(CURL* handle) {
  constexpr std::string_view kHeading = "Subject:";
  curl_certinfo* chain = nullptr;
  curl_easy_getinfo(handle, CURLINFO_CERTINFO, &chain);
  if (chain == nullptr || chain->num_of_certs == 0) return {};
  for (const curl_slist* field = chain->certinfo[0]; field != nullptr; field = field->next) {
    const std::string_view text(field->data);
    if (text.starts_with(kHeading)) return std::string(text.substr(kHeading.size()));
  }
  return {};
}

}  // namespace

HttpsResult FetchSecurely(const std::string& url, const HttpsRequest& request) {
  HttpsResult result;
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(),
                                                                   curl_easy_cleanup);
  CURL* const raw = handle.get();
  curl_easy_setopt(raw, CURLOPT_URL, url.c_str());
  curl_easy_setopt(raw, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(raw, CURLOPT_TIMEOUT, 20L);
  curl_easy_setopt(raw, CURLOPT_CERTINFO, 1L);
  curl_easy_setopt(raw, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(raw, CURLOPT_SSLVERSION, request.most_version);
  if (!request.authority.empty()) {
    curl_easy_setopt(raw, CURLOPT_CAINFO, request.authority.c_str());
  }
  if (!request.certificate.certificate.empty()) {
    curl_easy_setopt(raw, CURLOPT_SSLCERT, request.certificate.certificate.c_str());
    curl_easy_setopt(raw, CURLOPT_SSLKEY, request.certificate.key.c_str());
  }
  if (!request.user.empty()) curl_easy_setopt(raw, CURLOPT_USERPWD, request.user.c_str());
  if (!request.body.empty()) {
    curl_easy_setopt(raw, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
  }
  curl_slist* headers = nullptr;
  for (const std::string& header : request.headers) {
    headers = curl_slist_append(headers, header.c_str());
  }
  curl_easy_setopt(raw, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(raw, CURLOPT_WRITEFUNCTION, TakeBody);
  curl_easy_setopt(raw, CURLOPT_WRITEDATA, &result.body);
  curl_easy_setopt(raw, CURLOPT_HEADERFUNCTION, TakeHeader);
  curl_easy_setopt(raw, CURLOPT_HEADERDATA, &result);
  result.error = curl_easy_perform(raw);
  curl_easy_getinfo(raw, CURLINFO_RESPONSE_CODE, &result.status);
  result.issued_to = SubjectOf(raw);
  curl_slist_free_all(headers);
  return result;
}

}  // namespace bindery::testing
