#pragma once

// Messages on standard error, and the standard descriptors. A message that cannot be written is
// dropped: the program does not fail because of it.

#include <string>
#include <string_view>

namespace hearsay::cli {

// Opens descriptors 0 to 2 if the caller closed them, so that no file of the program gets their
// numbers and is overwritten by messages. What is written to a closed standard output still fails.
void secure_standard_descriptors();

// From now on, a write to a pipe that nobody reads fails instead of ending the program, so that
// files are completed even if nobody reads messages or results.
void ignore_broken_pipes();

// Whether standard output is a pipe that nobody reads any more, as in `hearsay list | head -1`.
bool is_output_pipe_broken();

// One line, "hearsay: TEXT". Control characters, which may come from a file, are shown as '?'.
void print_message(std::string_view text);

// The same for "hearsay: warning: TEXT", and for an error, which ends the program.
void print_warning(std::string_view text);
void print_error(std::string_view text);

// The text as it is, for progress bars.
void print_progress(std::string_view text);

// A word of a command to copy into a shell: in quotes if it has characters that a shell interprets.
std::string shell_word(std::string_view word);

// The same for the name of a file or directory: "./-a" for "-a", which would be an option. "-"
// alone, standard input, stays.
std::string shell_path(std::string_view path);

// What messages and reports call a file that may be "-", standard input.
std::string name_of_input(const std::string& file);

}  // namespace hearsay::cli
