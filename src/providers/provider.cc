#include "providers/provider.h"

namespace bindery {

Provider::~Provider() = default;

}  // namespace bindery
