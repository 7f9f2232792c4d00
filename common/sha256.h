// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

/// Lower-case hexadecimal SHA-256 of `bytes`.
std::string sha256(std::string_view bytes);

/// Lower-case hexadecimal HMAC-SHA-256 of `bytes`, which cannot be computed without `key`.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// The first eight bytes of the SHA-256 of `bytes`, as a big-endian number: it gives nothing away
/// of `bytes`, nor of the numbers of other texts.
std::uint64_t hashed_number(std::string_view bytes);

}  // namespace tessera
