#ifndef KEYLENS_SRC_CHECKPOINT_CONFIG_READER_H_
#define KEYLENS_SRC_CHECKPOINT_CONFIG_READER_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace keylens {

// The entries of a model's config.json, each checked against the range that a
// model can have, so that a damaged file cannot ask for any amount of memory.
// Everything throws Error, naming the file and the entry.
class ConfigReader {
 public:
  explicit ConfigReader(const std::filesystem::path& path);
  ~ConfigReader();

  // An entry that is there, and not null.
  bool Has(const char* key) const;

  void Read(const char* key, int64_t low, int64_t high, int64_t& value) const;
  void Read(const char* key, double low, double high, double& value) const;
  void Read(const char* key, bool& value) const;

  // As Read where Has(key); else the value stays what it is.
  template <typename T>
  void ReadOptional(const char* key, T low, T high, T& value) const {
    if (Has(key)) Read(key, low, high, value);
  }
  void ReadOptional(const char* key, bool& value) const {
    if (Has(key)) Read(key, value);
  }

  // Lists of at least one entry and at most `most`.
  void Read(const char* key, int64_t low, int64_t high, std::size_t most,
            std::vector<int64_t>& values) const;
  void Read(const char* key, std::size_t most, std::vector<bool>& values) const;

  std::string Text(const char* key) const;
  // The same, of an entry that may be missing.
  std::string TextOr(const char* key, const std::string& otherwise) const;
  // A list of 1 to `most` strings.
  std::vector<std::string> Texts(const char* key, std::size_t most) const;

  // "FILE: entry KEY must be EXPECTED".
  [[noreturn]] void Fail(const char* key, const std::string& expected) const;

 private:
  const nlohmann::json& At(const char* key) const;
  const nlohmann::json& List(const char* key, std::size_t most) const;
  int64_t Checked(const char* key, const nlohmann::json& item, int64_t low,
                  int64_t high) const;

  std::string name_;
  std::unique_ptr<nlohmann::json> json_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_CONFIG_READER_H_
