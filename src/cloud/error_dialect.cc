#include "cloud/error_dialect.h"

namespace bindery::cloud {

Code CodeFromHttpStatus(int status) {
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 414:
    case 415:
    case 422:
      return Code::kInvalidArgument;
    case 401:
      return Code::kUnauthenticated;
    case 403:
      return Code::kPermissionDenied;
    case 404:
    case 410:
      return Code::kNotFound;
    case 408:
    case 504:
      return Code::kDeadlineExceeded;
    case 409:
    case 412:
      return Code::kAborted;
    case 429:
      return Code::kResourceExhausted;
    case 501:
      return Code::kUnimplemented;
    case 500:
      return Code::kInternal;
    default:
      return status > 500 ? Code::kUnavailable : Code::kInternal;
  }
}

Code CodeOfForeignAnswer(int status) {
  switch (status) {
    case 401:
    case 408:
    case 409:
    case 412:
    case 429:
      return CodeFromHttpStatus(status);
    default:
      return status >= 500 ? Code::kUnavailable : Code::kInternal;
  }
}

}  // namespace bindery::cloud
