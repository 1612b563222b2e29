#pragma once

// Reads a stream that may be compressed by gzip.

#include <istream>
#include <memory>
#include <string>
#include <string_view>

namespace hearsay {

// The bytes of `source`, decompressed if they begin like a gzip file, otherwise unchanged. Several
// gzip files one after the other are read as one. If the compressed data is damaged or truncated,
// the read operation throws Error at `name`. Exceptions of `source` are passed on.
class UnzippedStream : public std::istream {
 public:
  // `source` must outlive the stream.
  UnzippedStream(std::istream& source, const std::string& name);
  ~UnzippedStream() override;
  UnzippedStream(const UnzippedStream&) = delete;
  UnzippedStream& operator=(const UnzippedStream&) = delete;

  // Returns the next bytes without consuming them: those that are available without waiting for
  // more, at least one unless the stream has ended.
  std::string_view peek_available();

  // Whether `source` is compressed.
  bool is_zipped() const;

 private:
  class Buffer;

  std::unique_ptr<Buffer> buffer_;
};

}  // namespace hearsay
