#include "notify/endpoint.h"

#include <utility>

#include "cloud/secret_text.h"
#include "notify/signature.h"

namespace bindery::notify {
namespace {

Expected<std::string> ReadUrl(const config::WebhookConfig& webhook) {
  if (webhook.url_file.empty()) return webhook.url;
  auto url = cloud::ReadSecretText(webhook.url_file.string());
  if (!url) return Fail(url.error().Wrap("urlFile"));
  if (auto checked = config::CheckWebhookUrl(*url, webhook.insecure); !checked) {
    return Fail(checked.error().Wrap("urlFile: what \"" + webhook.url_file.string() + "\" holds"));
  }
  return url;
}

}  // namespace

Expected<Endpoint> ReadEndpoint(const config::WebhookConfig& webhook) {
  Expected<std::string> url = ReadUrl(webhook);
  if (!url) return Fail(url.error());
  Endpoint endpoint{std::move(*url), {}};
  if (webhook.secret_file.empty()) return endpoint;
  auto text = cloud::ReadSecretText(webhook.secret_file.string());
  if (!text) return Fail(text.error().Wrap("secretFile"));
  auto keys = ParseSecrets(*text);
  if (!keys) {
    return Fail(keys.error().Wrap("secretFile: \"" + webhook.secret_file.string() + "\""));
  }
  endpoint.keys = std::move(*keys);
  return endpoint;
}

}  // namespace bindery::notify
