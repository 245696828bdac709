#include "providers/provider.h"

namespace bindery::providers {

Provider::~Provider() = default;

}  // namespace bindery::providers
