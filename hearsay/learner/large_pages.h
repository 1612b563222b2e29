#pragma once

// An allocator that asks the system for large pages, for arrays of millions of elements that are
// read at random. With ordinary pages, translating an address would take as long as reading the
// memory.

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace hearsay {

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
#ifdef __linux__
    if (bytes >= kPage) {
      madvise(memory, bytes, MADV_HUGEPAGE);  // a hint, which the system may ignore
    }
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }
  bool operator==(const LargePages&) const = default;

 private:
#ifdef __linux__
  static constexpr std::size_t kPage = std::size_t{1} << 21U;
#else
  static constexpr std::size_t kPage = std::numeric_limits<std::size_t>::max();  // never
#endif
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kPage ? kPage : alignof(T)};
  }
};

template <class T>
using LargeArray = std::vector<T, LargePages<T>>;

}  // namespace hearsay
