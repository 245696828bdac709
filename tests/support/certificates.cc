#include "support/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <stdexcept>
#include <utility>

namespace bindery::testing {

// Not in the anonymous namespace: TestAuthority::Keys holds them.
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Certificate = std::unique_ptr<X509, FreeCertificate>;

namespace {

void Require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("OpenSSL refused: ") + what);
}

Key NewKey() {
  Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  Require(key != nullptr, "a key");
  return key;
}

void AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  Require(extension != nullptr, value.c_str());
  Require(X509_add_ext(certificate, extension, -1) == 1, value.c_str());
  X509_EXTENSION_free(extension);
}

/// An unsigned certificate for `key` with that common name.
Certificate Draft(EVP_PKEY* key, const std::string& name, const CertificateWish& wish) {
  Certificate certificate(X509_new());
  X509* raw = certificate.get();
  X509_set_version(raw, X509_VERSION_3);
  static long serial = 0;
  ASN1_INTEGER_set(X509_get_serialNumber(raw), ++serial);
  X509_time_adj_ex(X509_getm_notBefore(raw), wish.valid_from_days, 0, nullptr);
  X509_time_adj_ex(X509_getm_notAfter(raw), wish.valid_to_days, 0, nullptr);
  X509_set_pubkey(raw, key);
  Require(X509_NAME_add_entry_by_txt(X509_get_subject_name(raw), "CN", MBSTRING_UTF8,
                                     reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                                     0) == 1,
          "a name");
  return certificate;
}

std::string Pem(X509* certificate, EVP_PKEY* key) {
  const std::unique_ptr<BIO, FreeBio> bio(BIO_new(BIO_s_mem()));
  const bool written =
      certificate != nullptr
          ? PEM_write_bio_X509(bio.get(), certificate) == 1
          : PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  Require(written, "to write PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

struct TestAuthority::Keys {
  Key key = NewKey();
  Certificate certificate;
};

TestAuthority::TestAuthority(const TempDir& dir, std::string name)
    : dir_(dir), name_(std::move(name)), keys_(std::make_unique<Keys>()) {
  keys_->certificate = Draft(keys_->key.get(), "Authority " + name_, {});
  X509* raw = keys_->certificate.get();
  X509_set_issuer_name(raw, X509_get_subject_name(raw));
  AddExtension(raw, raw, NID_basic_constraints, "critical,CA:TRUE");
  Require(X509_sign(raw, keys_->key.get(), EVP_sha256()) > 0, "to sign");
  dir_.Write(name_ + ".pem", Pem(raw, nullptr));
  dir_.Write(name_ + ".key", Pem(nullptr, keys_->key.get()));
}

TestAuthority::~TestAuthority() = default;

std::string TestAuthority::file() const { return dir_ / (name_ + ".pem"); }

CertificateFiles TestAuthority::SelfSigned() const { return {file(), dir_ / (name_ + ".key")}; }

CertificateFiles TestAuthority::Issue(const std::string& file, const CertificateWish& wish) const {
  const Key key = NewKey();
  const Certificate certificate = Draft(key.get(), file, wish);
  X509* raw = certificate.get();
  X509_set_issuer_name(raw, X509_get_subject_name(keys_->certificate.get()));
  AddExtension(raw, keys_->certificate.get(), NID_subject_alt_name, wish.names);
  Require(X509_sign(raw, keys_->key.get(), EVP_sha256()) > 0, "to sign");
  dir_.Write(file + ".pem", Pem(raw, nullptr));
  dir_.Write(file + ".key", Pem(nullptr, key.get()));
  return {dir_ / (file + ".pem"), dir_ / (file + ".key")};
}

}  // namespace bindery::testing
