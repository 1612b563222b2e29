#include "hearsay/simd/product.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/random/stream.h"
#include "tests/simd_targets.h"

namespace hearsay {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 7, 8, 9, 25, 64, 130};

std::vector<double> uniforms(std::uint64_t round, std::size_t count) {
  std::vector<double> values(count);
  Stream(2, Purpose::test).fill_uniform(round, values);
  return values;
}

// The definition of the product: summed in increasing row, with every product and sum rounded.
std::vector<double> plain_product(std::span<const double> matrix, std::span<const double> vector) {
  std::vector<double> out(vector.size(), 0.0);
  for (std::size_t i = 0; i < vector.size(); ++i) {
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double term = vector[i] * matrix[i * out.size() + j];
      out[j] += term;
    }
  }
  return out;
}

TEST(Product, HasTheSameBitsAsThePlainLoopWithEveryTarget) {
  with_every_target([] {
    for (const std::size_t n : kSizes) {
      const std::vector<double> matrix = uniforms(1, n * n);
      const std::vector<double> vector = uniforms(2, n);
      std::vector<double> out(n, -1.0);
      multiply_dense(matrix, vector, out);
      EXPECT_EQ(out, plain_product(matrix, vector)) << n;
    }
  });
}

TEST(SmallMatrix, HasTheSameBitsAsThePlainLoopWithEveryTarget) {
  with_every_target([] {
    for (std::size_t n = 1; n <= SmallMatrix::kLargest; ++n) {
      const std::vector<double> matrix = uniforms(1, n * n);
      const std::vector<double> vector = uniforms(2, n);
      std::vector<double> out(n, -1.0);
      SmallMatrix(n, matrix).left_multiply(vector, out);
      EXPECT_EQ(out, plain_product(matrix, vector)) << n;
    }
  });
}

TEST(PanelMatrix, EveryLaneHasTheSameBitsAsThePlainLoopWithEveryTarget) {
  constexpr std::size_t kProducts = 3;
  with_every_target([] {
    for (const std::size_t n : kSizes) {
      const std::vector<double> matrix = uniforms(1, n * n);
      std::vector<std::vector<Lanes>> vectors(kProducts, std::vector<Lanes>(n));
      std::vector<std::vector<Lanes>> outs = vectors;
      std::vector<PanelMatrix::Product> products;
      for (std::size_t k = 0; k < kProducts; ++k) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const std::vector<double> vector = uniforms(10 + k * kLanes + lane, n);
          for (std::size_t i = 0; i < n; ++i) {
            vectors[k][i][lane] = vector[i];
          }
        }
        products.push_back({vectors[k].data(), outs[k].data()});
      }
      std::vector<std::size_t> columns_ready(kProducts);
      PanelMatrix(n, matrix).left_multiply(
          products, kLanes, [&](std::size_t product, std::size_t first, std::size_t count) {
            ASSERT_EQ(first, columns_ready[product]);
            ASSERT_LE(first + count, n);
            ASSERT_EQ(outs[product][first + count - 1][0],
                      plain_product(matrix, uniforms(10 + product * kLanes, n))[first + count - 1]);
            columns_ready[product] += count;
          });
      EXPECT_EQ(columns_ready, std::vector<std::size_t>(kProducts, n));
      for (std::size_t k = 0; k < kProducts; ++k) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const std::vector<double> expected =
              plain_product(matrix, uniforms(10 + k * kLanes + lane, n));
          for (std::size_t j = 0; j < n; ++j) {
            ASSERT_EQ(outs[k][j][lane], expected[j]) << n << " " << k << " " << lane << " " << j;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace hearsay
