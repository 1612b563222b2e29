#pragma once

// Reads a stream that may be compressed by gzip.

#include <istream>
#include <memory>
#include <string>
#include <string_view>

namespace hearsay {

// The bytes of `source`, decompressed if they begin as a gzip file does, and as they are otherwise.
// Several gzip files one after the other read as one. Bytes that are compressed wrongly or end too
// early throw Error at `name`, by the operation that reads. A failure to read `source` is thrown
// as `source` throws it.
class UnzippedStream : public std::istream {
 public:
  // `source` must outlive the stream.
  UnzippedStream(std::istream& source, const std::string& name);
  ~UnzippedStream() override;
  UnzippedStream(const UnzippedStream&) = delete;
  UnzippedStream& operator=(const UnzippedStream&) = delete;

  // The next bytes, as many as are there without waiting for more, which are still to be read; none
  // at the end.
  std::string_view ahead();

  // Whether the bytes are decompressed.
  bool is_zipped() const;

 private:
  class Buffer;

  std::unique_ptr<Buffer> buffer_;
};

}  // namespace hearsay
