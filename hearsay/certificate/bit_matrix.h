#pragma once

// An undirected graph as a matrix of bits: bit j of row i is set if vertices i and j are joined.

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearsay {

class BitMatrix {
 public:
  explicit BitMatrix(std::size_t size)
      : size_(size), words_((size + 63) / 64), bits_(size * words_) {}

  std::size_t size() const { return size_; }
  std::size_t words() const { return words_; }

  std::span<std::uint64_t> row(std::size_t i) {
    return std::span(bits_).subspan(i * words_, words_);
  }
  std::span<const std::uint64_t> row(std::size_t i) const {
    return std::span(bits_).subspan(i * words_, words_);
  }

  bool joined(std::size_t i, std::size_t j) const {
    return ((bits_[i * words_ + j / 64] >> (j % 64)) & 1U) != 0;
  }
  void join(std::size_t i, std::size_t j) {
    assert(i != j);
    bits_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
    bits_[j * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
  }

 private:
  std::size_t size_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// Calls visit(index) for every bit that is set, in increasing order.
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> bits, Visit&& visit) {
  for (std::size_t word = 0; word < bits.size(); ++word) {
    for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
      visit(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

inline std::size_t count_bits(std::span<const std::uint64_t> bits) {
  std::size_t sum = 0;
  for (const std::uint64_t word : bits) {
    sum += static_cast<std::size_t>(std::popcount(word));
  }
  return sum;
}

// Words in which the first `bits` bits are set and the rest of the last word is clear.
inline std::vector<std::uint64_t> all_bits(std::size_t bits) {
  std::vector<std::uint64_t> words((bits + 63) / 64, ~std::uint64_t{0});
  if (bits % 64 != 0) {
    words.back() = (std::uint64_t{1} << (bits % 64)) - 1;
  }
  return words;
}

}  // namespace hearsay
