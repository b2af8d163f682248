#include "src/text/tokenizer.h"

#include <utility>

#include "src/base/file.h"
#include "src/text/subword_library.h"

namespace keylens {

namespace {

constexpr int64_t kMaxModelBytes = int64_t{64}
                                   << 20;  // the largest in use have some 5 MB

}  // namespace

struct Tokenizer::Impl {
  std::unique_ptr<SubwordModel> model;
};

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::Load(const std::filesystem::path& path) {
  return Parse(ReadFile(path, kMaxModelBytes), path.string());
}

Tokenizer Tokenizer::Parse(std::string_view bytes, const std::string& name) {
  auto impl = std::make_unique<Impl>();
  impl->model = LoadedSubwordLibrary().Parse(bytes, name);
  return Tokenizer(std::move(impl));
}

std::vector<TextPiece> Tokenizer::Encode(std::string_view text) const {
  return impl_->model->Encode(text);
}

std::string Tokenizer::Decode(std::span<const int32_t> ids) const {
  return impl_->model->Decode(ids);
}

int32_t Tokenizer::vocab_size() const { return impl_->model->vocab_size(); }
int32_t Tokenizer::start_id() const { return impl_->model->start_id(); }
int32_t Tokenizer::end_id() const { return impl_->model->end_id(); }
int32_t Tokenizer::pad_id() const { return impl_->model->pad_id(); }
int32_t Tokenizer::unknown_id() const { return impl_->model->unknown_id(); }

}  // namespace keylens
