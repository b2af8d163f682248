#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/text/subword_library.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "keylens_sentencepiece.so";

// Where the module may be: from an installed program, and from a program in the
// build tree, whose root is some folders further up.
std::vector<fs::path> Places() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  std::vector<fs::path> places = {program / kFileName,
                                  program / KEYLENS_MODULE_FOLDER / kFileName};
  for (fs::path folder = program; folder != folder.root_path();
       folder = folder.parent_path()) {
    places.push_back(folder / "src/text" / kFileName);
  }
  return places;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEYLENS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KEYLENS_SANITIZED 1
#endif
#endif

// Sanitizers end a program that asks for RTLD_DEEPBIND.
#ifdef KEYLENS_SANITIZED
constexpr int kMode = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int kMode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

const SubwordLibrary& Load(const fs::path& path) {
  void* module = dlopen(path.c_str(), kMode);
  if (module == nullptr) throw Error(dlerror());
  void* entry = dlsym(module, "KeylensSubwordLibrary");
  if (entry == nullptr) throw Error(dlerror());
  const auto function = reinterpret_cast<const void* (*)()>(entry);
  return *static_cast<const SubwordLibrary*>(function());
}

const SubwordLibrary& FindAndLoad() {
  for (const fs::path& path : Places()) {
    if (fs::exists(path)) return Load(path);
  }
  throw Error(std::string(kFileName) +
              ": not found beside the program, nor where it is installed");
}

}  // namespace

const SubwordLibrary& LoadedSubwordLibrary() {
  static const SubwordLibrary& library = FindAndLoad();
  return library;
}

}  // namespace keylens
