#include "httpd/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <utility>

#include "httpd/tls_parts.h"

namespace bindery::httpd {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

tl::unexpected<Error> Bad(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Expected<void> UseCertificates(ssl::context& context, const TlsOptions& options) {
  error_code failed;
  context.use_certificate_chain(boost::asio::buffer(options.certificates), failed);
  if (failed) return Bad("the certificate is none, in PEM: " + failed.message());
  // Never asks for a passphrase on the terminal.
  context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return ""; },
                                failed);
  context.use_private_key(boost::asio::buffer(options.key), ssl::context::pem, failed);
  if (failed) {
    const bool mismatch =
        ERR_GET_REASON(static_cast<unsigned long>(failed.value())) == X509_R_KEY_VALUES_MISMATCH;
    return Bad(mismatch ? "the key belongs to another certificate"
                        : "the key is none, in PEM and without a passphrase");
  }
  if (SSL_CTX_check_private_key(context.native_handle()) != 1) {
    ERR_clear_error();
    return Bad("the key belongs to another certificate");
  }
  return {};
}

Expected<void> UseVersions(ssl::context& context, const TlsOptions& options) {
  constexpr std::array kVersions = {TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, TLS1_3_VERSION};
  const auto version = [&](int number) {
    return kVersions.at(static_cast<std::size_t>(std::clamp(number, 10, 13) - 10));
  };
  SSL_CTX* const native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, version(options.least_version));
  SSL_CTX_set_max_proto_version(native, version(options.most_version));
  return {};
}

/// OpenSSL has names of its own for the ciphers up to TLS 1.2; those of TLS 1.3 are never chosen by
/// the list, here as in Go.
Expected<void> UseCiphers(ssl::context& context, const TlsOptions& options) {
  SSL_CTX* const native = context.native_handle();
  if (options.prefer_own_ciphers) SSL_CTX_set_options(native, SSL_OP_CIPHER_SERVER_PREFERENCE);
  std::string list;
  for (const std::string& name : options.ciphers) {
    const std::string own = OPENSSL_cipher_name(name.c_str());
    if (own == "(NONE)") return Bad("\"" + name + "\" is no cipher suite that this machine knows");
    if (own != name) list += (list.empty() ? "" : ":") + own;
  }
  if (!list.empty() && SSL_CTX_set_cipher_list(native, list.c_str()) != 1) {
    ERR_clear_error();
    return Bad("this machine permits none of the cipher suites");
  }
  return {};
}

Expected<void> UseCurves(ssl::context& context, const TlsOptions& options) {
  std::string list;
  for (const std::string& name : options.curves) {
    std::string own = name;
    if (own.starts_with("CurveP")) own = "P-" + own.substr(6);
    list += (list.empty() ? "" : ":") + own;
  }
  if (list.empty() || SSL_CTX_set1_curves_list(context.native_handle(), list.data()) == 1) {
    return {};
  }
  ERR_clear_error();
  return Bad("\"" + list + "\" holds a curve that this machine does not know");
}

bool HoldsName(X509* certificate, const std::string& name) {
  if (X509_check_ip_asc(certificate, name.c_str(), 0) == 1) return true;
  constexpr unsigned kExact = X509_CHECK_FLAG_NO_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT;
  if (X509_check_host(certificate, name.data(), name.size(), kExact, nullptr) == 1) return true;
  if (X509_check_email(certificate, name.data(), name.size(), kExact) == 1) return true;
  // OpenSSL has no check of URIs.
  auto* names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  bool found = false;
  for (int i = 0; i < sk_GENERAL_NAME_num(names) && !found; ++i) {
    const GENERAL_NAME* entry = sk_GENERAL_NAME_value(names, i);
    if (entry->type != GEN_URI) continue;
    const ASN1_IA5STRING* uri = entry->d.uniformResourceIdentifier;
    const auto* data = ASN1_STRING_get0_data(uri);
    found = std::equal(name.begin(), name.end(), data, data + ASN1_STRING_length(uri),
                       [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
  }
  GENERAL_NAMES_free(names);
  return found;
}

/// Called for each certificate of the client's chain, from the root to its own.
bool Accept(bool verified, const TlsOptions& options, X509_STORE_CTX* chain) {
  const bool verifies = options.clients == ClientCertificates::kVerifyIfGiven ||
                        options.clients == ClientCertificates::kRequireAndVerify;
  if (verifies && !verified) return false;
  if (X509_STORE_CTX_get_error_depth(chain) != 0 || options.client_names.empty()) return true;
  X509* const own = X509_STORE_CTX_get_current_cert(chain);
  return std::ranges::any_of(options.client_names,
                             [own](const std::string& name) { return HoldsName(own, name); });
}

Expected<void> UseClients(ssl::context& context, const TlsOptions& options) {
  error_code failed;
  if (options.clients == ClientCertificates::kNone) {
    context.set_verify_mode(ssl::verify_none, failed);
    return {};
  }
  if (!options.client_authorities.empty()) {
    context.add_certificate_authority(boost::asio::buffer(options.client_authorities), failed);
    if (failed) return Bad("the clients' authority is no certificate in PEM: " + failed.message());
  }
  ssl::verify_mode mode = ssl::verify_peer;
  if (options.clients == ClientCertificates::kRequireAny ||
      options.clients == ClientCertificates::kRequireAndVerify) {
    mode |= ssl::verify_fail_if_no_peer_cert;
  }
  context.set_verify_mode(mode, failed);
  // Without the key and the certificates, which a check does not need.
  TlsOptions checked;
  checked.clients = options.clients;
  checked.client_names = options.client_names;
  context.set_verify_callback(
      [checked](bool verified, ssl::verify_context& chain) {
        return Accept(verified, checked, chain.native_handle());
      },
      failed);
  return {};
}

}  // namespace

TlsContext::TlsContext(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

TlsContext::~TlsContext() = default;

Expected<std::shared_ptr<const TlsContext>> TlsContext::Make(const TlsOptions& options) {
  auto parts = std::make_unique<Parts>();
  for (const auto use : {UseCertificates, UseVersions, UseCiphers, UseCurves, UseClients}) {
    if (auto used = use(parts->context, options); !used) return Fail(used.error());
  }
  SSL_CTX* const native = parts->context.native_handle();
  // A resumed session would be judged by the certificates of the time when it began.
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(native, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(native, 0);
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(parts)));
}

std::string VerifiedSubject(SSL* session) {
  X509* const certificate = SSL_get0_peer_certificate(session);
  if (certificate == nullptr || SSL_get_verify_result(session) != X509_V_OK) return {};
  BIO* const text = BIO_new(BIO_s_mem());
  X509_NAME_print_ex(text, X509_get_subject_name(certificate), 0,
                     XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB));
  char* data = nullptr;
  const long size = BIO_get_mem_data(text, &data);
  std::string subject(data, static_cast<std::size_t>(std::max(size, 0L)));
  BIO_free(text);
  return subject;
}

}  // namespace bindery::httpd
