// What a kernel's parameters are called in the source; PTX does not keep their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The names of the parameters of the __global__ function `kernel`, in order; "" for one without a
/// name. Of overloads the first with `count` parameters. Empty where there is none.
std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel,
                                         std::size_t count);

}  // namespace tessera
