#include "src/weights/shards.h"

#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/header_text.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxIndexBytes = int64_t{64} << 20;

using Shard = std::shared_ptr<const WeightSource>;
using Index = std::map<std::string, std::string, std::less<>>;

class ShardedSource : public WeightSource {
 public:
  ShardedSource(std::string index,
                std::map<std::string, Shard, std::less<>> by_name)
      : index_(std::move(index)), by_name_(std::move(by_name)) {}

  std::vector<std::string> Names() const override {
    std::vector<std::string> names;
    for (const auto& [name, shard] : by_name_) names.push_back(name);
    return names;
  }
  std::optional<WeightView> Find(std::string_view name) const override {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    return found->second->Find(name);
  }
  std::string Where(std::string_view name) const override {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? index_ : found->second->Where(name);
  }

 private:
  std::string index_;
  std::map<std::string, Shard, std::less<>> by_name_;
};

class Problems {
 public:
  void Add(const std::string& what) {
    text_ += (text_.empty() ? "" : "; ") + what;
  }
  void ThrowIfAny(const std::string& index) const {
    if (!text_.empty()) throw Error(index + ": " + text_);
  }

 private:
  std::string text_;
};

std::string WeightsIn(const Index& index, const std::string& file) {
  std::string names;
  for (const auto& [name, in] : index) {
    if (in == file) names += (names.empty() ? "" : ", ") + QuotedName(name);
  }
  return names;
}

// One shard a file; a file that is missing is a problem, one that is damaged an
// Error of its own.
std::map<std::string, Shard> OpenFiles(const fs::path& folder,
                                       const Index& index, Problems& problems) {
  std::map<std::string, Shard> shards;
  for (const auto& [name, file] : index) {
    if (shards.contains(file)) continue;
    const bool there = fs::exists(folder / file);
    shards[file] = there ? OpenSafetensors(folder / file) : nullptr;
    if (!there) {
      problems.Add("the shard " + QuotedName(file) +
                   " is missing, and with it " + WeightsIn(index, file));
    }
  }
  return shards;
}

// Each weight that a shard holds, with its file; two that have the same name
// would depend on which is asked first.
std::map<std::string, std::string> Holders(
    const std::map<std::string, Shard>& shards, Problems& problems) {
  std::map<std::string, std::string> holders;
  for (const auto& [file, shard] : shards) {
    if (shard == nullptr) continue;
    for (const std::string& name : shard->Names()) {
      const auto [held, fresh] = holders.emplace(name, file);
      if (!fresh) {
        problems.Add("weight " + QuotedName(name) + " is in two shards, " +
                     QuotedName(held->second) + " and " + QuotedName(file));
      }
    }
  }
  return holders;
}

void CheckPlaces(const Index& index, const std::map<std::string, Shard>& shards,
                 const std::map<std::string, std::string>& holders,
                 Problems& problems) {
  for (const auto& [name, file] : index) {
    const auto held = holders.find(name);
    const bool found = held != holders.end();
    if (shards.at(file) == nullptr || (found && shards.at(file)->Find(name)))
      continue;
    problems.Add("weight " + QuotedName(name) + " is not in " +
                 QuotedName(file) +
                 (found ? " but in " + QuotedName(held->second) : ""));
  }
  for (const auto& [name, file] : holders) {
    if (!index.contains(name)) {
      problems.Add("weight " + QuotedName(name) + " of " + QuotedName(file) +
                   " is not listed");
    }
  }
}

}  // namespace

std::shared_ptr<const WeightSource> OpenShards(const fs::path& index_file) {
  const std::string where = index_file.string();
  const Index index =
      ParseShardIndex(ReadFile(index_file, kMaxIndexBytes), where);
  Problems problems;
  const auto shards = OpenFiles(index_file.parent_path(), index, problems);
  CheckPlaces(index, shards, Holders(shards, problems), problems);
  problems.ThrowIfAny(where);
  std::map<std::string, Shard, std::less<>> by_name;
  for (const auto& [name, file] : index) by_name[name] = shards.at(file);
  return std::make_shared<ShardedSource>(where, std::move(by_name));
}

}  // namespace keylens
