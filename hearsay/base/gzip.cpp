#include "hearsay/base/gzip.h"

#include <algorithm>
#include <new>
#include <streambuf>
#include <utility>
#include <vector>

#include <zlib.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {

class UnzippedStream::Buffer final : public std::streambuf {
 public:
  Buffer(std::istream& source, std::string name) : source_(source), name_(std::move(name)) {
    fill();
    constexpr unsigned char kFirst = 0x1f;
    constexpr unsigned char kSecond = 0x8b;
    // A pipe may deliver the first byte alone, but no line of text begins with this one.
    if (filled_ == 1 && static_cast<unsigned char>(bytes_[0]) == kFirst) {
      fill_after(1);
    }
    is_zipped_ = filled_ >= 2 && static_cast<unsigned char>(bytes_[0]) == kFirst &&
                 static_cast<unsigned char>(bytes_[1]) == kSecond;
    if (is_zipped_) {
      constexpr int kGzipOnly = 16;  // added to the size of the window, by zlib's convention
      if (::inflateInit2(&inflation_, MAX_WBITS + kGzipOnly) != Z_OK) {
        throw std::bad_alloc();
      }
      unzipped_.resize(kBufferSize);
    } else {
      setg(bytes_.data(), bytes_.data(), bytes_.data() + filled_);
    }
  }

  ~Buffer() override {
    if (is_zipped_) {
      ::inflateEnd(&inflation_);
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  bool is_zipped() const { return is_zipped_; }

  std::string_view peek_available() {
    sgetc();
    return {gptr(), static_cast<std::size_t>(egptr() - gptr())};
  }

 private:
  static constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

  // Reads the next bytes of the source into bytes_; filled_ is 0 at its end.
  void fill() { fill_after(0); }

  // The same, after the first `kept` bytes of bytes_, which count as filled.
  void fill_after(std::size_t kept) {
    filled_ = kept;
    // Takes what is available without waiting for more, because a pipe may deliver one line at a
    // time.
    if (source_.good() && source_.peek() != traits_type::eof()) {
      const std::streamsize there = std::max<std::streamsize>(source_.rdbuf()->in_avail(), 1);
      const auto room = static_cast<std::streamsize>(bytes_.size() - kept);
      source_.read(bytes_.data() + kept, std::min(there, room));
      filled_ += static_cast<std::size_t>(source_.gcount());
    }
    if (source_.bad()) {
      throw std::ios_base::failure(name_ + ": could not be read");
    }
    inflation_.next_in = reinterpret_cast<Bytef*>(bytes_.data());
    inflation_.avail_in = static_cast<uInt>(filled_);
  }

  int_type underflow() override {
    if (!is_zipped_) {
      fill();
      setg(bytes_.data(), bytes_.data(), bytes_.data() + filled_);
    } else {
      const std::size_t got = inflate_some();
      setg(unzipped_.data(), unzipped_.data(), unzipped_.data() + got);
    }
    return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

  // Returns 0 only where the source ends after a complete gzip file.
  std::size_t inflate_some() {
    inflation_.next_out = reinterpret_cast<Bytef*>(unzipped_.data());
    inflation_.avail_out = static_cast<uInt>(unzipped_.size());
    while (inflation_.avail_out == unzipped_.size()) {
      if (inflation_.avail_in == 0) {
        fill();
        if (filled_ == 0) {
          if (!at_end_of_member_) {
            throw Error(name_, "ends in the middle of compressed data, expected a complete file");
          }
          return 0;
        }
      }
      if (at_end_of_member_) {
        ::inflateReset(&inflation_);
        at_end_of_member_ = false;
      }
      const int code = ::inflate(&inflation_, Z_NO_FLUSH);
      if (code == Z_MEM_ERROR) {
        throw std::bad_alloc();
      }
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
        throw Error(name_, "is damaged, expected data compressed by gzip");
      }
      at_end_of_member_ = code == Z_STREAM_END;
    }
    const std::size_t got = unzipped_.size() - inflation_.avail_out;
    note_work(got);
    return got;
  }

  std::istream& source_;
  std::string name_;
  std::vector<char> bytes_ = std::vector<char>(kBufferSize);
  std::size_t filled_ = 0;
  bool is_zipped_ = false;
  bool at_end_of_member_ = false;  // of one of the gzip files that follow each other
  z_stream inflation_ = {};
  std::vector<char> unzipped_;
};

UnzippedStream::UnzippedStream(std::istream& source, const std::string& name)
    : std::istream(nullptr), buffer_(std::make_unique<Buffer>(source, name)) {
  rdbuf(buffer_.get());
  exceptions(badbit);  // so that exceptions of the buffer reach the caller
}

UnzippedStream::~UnzippedStream() = default;

std::string_view UnzippedStream::peek_available() {
  return buffer_->peek_available();
}

bool UnzippedStream::is_zipped() const {
  return buffer_->is_zipped();
}

}  // namespace hearsay
