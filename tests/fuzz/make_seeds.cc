// Writes small valid files of each kind below the folder that is its argument,
// for the fuzzers to start from.
#include <webp/encode.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/npy.h"
#include "src/checkpoint/safetensors.h"
#include "src/image/image.h"
#include "src/text/tokenizer.h"
#include "tests/german_english/mo_maker.h"
#include "tests/image/jpeg_maker.h"
#include "tests/image/png_maker.h"
#include "tests/text/model_maker.h"

namespace {

namespace fs = std::filesystem;

std::vector<uint8_t> Ramp(std::size_t count) {
  std::vector<uint8_t> bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(i * 31));
  return bytes;
}

void WriteSeed(const fs::path& folder, const std::string& name,
               const std::string& bytes) {
  keylens::MakeFolder(folder);
  keylens::WriteFileAtomically(folder / name, bytes);
}

// Every colour type and depth, plain and interlaced, with text and with
// transparency.
void WritePngSeeds(const fs::path& folder) {
  constexpr int kSide = 9;
  const auto channels_of = [](int type) {
    return type == PNG_COLOR_TYPE_RGBA         ? 4
           : type == PNG_COLOR_TYPE_RGB        ? 3
           : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                               : 1;
  };
  for (const int type :
       {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_PALETTE,
        PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGBA}) {
    for (const int depth : {1, 2, 4, 8, 16}) {
      const bool small =
          type == PNG_COLOR_TYPE_GRAY || type == PNG_COLOR_TYPE_PALETTE;
      if ((depth < 8 && !small) ||
          (depth == 16 && type == PNG_COLOR_TYPE_PALETTE))
        continue;
      keylens::PngRecipe recipe{.width = kSide,
                                .height = kSide,
                                .bit_depth = depth,
                                .color_type = type};
      const bool palette = type == PNG_COLOR_TYPE_PALETTE;
      const std::size_t row_bytes =
          (std::size_t{kSide} * depth * channels_of(type) + 7) / 8;
      recipe.rows.assign(kSide, palette ? std::vector<uint8_t>(row_bytes, 0)
                                        : Ramp(row_bytes));
      if (palette) recipe.palette = {{1, 2, 3}, {4, 5, 6}};
      if (palette) recipe.palette_alpha = {0, 128};
      recipe.has_key_color =
          type == PNG_COLOR_TYPE_GRAY || type == PNG_COLOR_TYPE_RGB;
      recipe.compressed_text = depth >= 8 ? "a note" : "";
      for (const bool interlaced : {false, true}) {
        recipe.interlaced = interlaced;
        WriteSeed(folder,
                  std::to_string(type) + "-" + std::to_string(depth) +
                      (interlaced ? "i" : ""),
                  MakePng(recipe));
      }
    }
  }
  WriteSeed(folder, "text",
            keylens::EncodePng({1, 1, 4, {1, 2, 3, 4}},
                               {{"parameters", "♥"}, {"k", "v"}}));
}

void WriteJpegSeeds(const fs::path& folder) {
  for (const int channels : {1, 3, 4}) {
    for (const bool progressive : {false, true}) {
      keylens::JpegRecipe recipe{.width = 9,
                                 .height = 9,
                                 .channels = channels,
                                 .pixels = Ramp(81 * channels)};
      recipe.progressive = progressive;
      recipe.adobe = channels == 4 && progressive;
      recipe.exif = keylens::ExifWithOrientation(
          static_cast<uint16_t>(channels + 4), progressive);
      WriteSeed(folder, std::to_string(channels) + (progressive ? "p" : ""),
                MakeJpeg(recipe));
    }
  }
  WriteSeed(folder, "exif", keylens::ExifWithOrientation(6, true));
}

void WriteWebpSeeds(const fs::path& folder) {
  const std::vector<uint8_t> pixels = Ramp(9 * 9 * 4);
  const auto write = [&](const std::string& name, std::size_t size,
                         uint8_t* bytes) {
    WriteSeed(folder, name, {reinterpret_cast<char*>(bytes), size});
    WebPFree(bytes);
  };
  uint8_t* bytes = nullptr;
  std::size_t size = WebPEncodeLosslessRGBA(pixels.data(), 9, 9, 36, &bytes);
  write("lossless", size, bytes);
  size = WebPEncodeRGBA(pixels.data(), 9, 9, 36, 50, &bytes);
  write("alpha", size, bytes);
  size = WebPEncodeRGB(pixels.data(), 9, 9, 27, 50, &bytes);
  write("lossy", size, bytes);
}

void WriteSafetensorsSeeds(const fs::path& folder) {
  keylens::MakeFolder(folder);
  const std::vector<uint8_t> ones(8, 1);
  const auto bytes = std::as_bytes(std::span(ones));
  using keylens::ElementType;
  std::vector<keylens::NamedTensor> tensors;
  for (const auto type :
       {ElementType::kFloat64, ElementType::kFloat32, ElementType::kFloat16,
        ElementType::kBFloat16, ElementType::kInt64, ElementType::kInt32,
        ElementType::kUInt8, ElementType::kBool}) {
    tensors.push_back({"layer." + std::string(NameOf(type)),
                       type,
                       {1, 8 / keylens::SizeOf(type)},
                       bytes});
  }
  keylens::WriteSafetensors(folder / "all", tensors, {{"format", "pt"}});
  keylens::WriteSafetensors(folder / "one", std::vector{tensors[1]});
  keylens::WriteSafetensors(folder / "none", {});
}

// WriteNpy's own, and headers of every type in both orders.
void WriteNpySeeds(const fs::path& folder) {
  keylens::MakeFolder(folder);
  const std::vector<float> values(6, 1.5f);
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{6}, {3, 2}, {1, 2, 3, 1}})
    keylens::WriteNpy(folder / std::to_string(shape.size()), shape, values);
  for (const char* descr :
       {"<f8", "<f4", "<f2", "<V2", "<i8", "<i4", "|u1", "|b1", ">f4"}) {
    for (const char* fortran : {"True", "False"}) {
      const std::string header = std::string("{'descr': '") + descr +
                                 "', 'fortran_order': " + fortran +
                                 ", 'shape': (1, 1), }\n";
      const std::size_t bytes = static_cast<std::size_t>(descr[2] - '0');
      WriteSeed(folder, std::string(descr + 1) + fortran,
                header + std::string(bytes, '\1'));
    }
  }
}

void WriteTextSeeds(const fs::path& models, const fs::path& texts) {
  const std::vector<std::string> sentences = {
      "a red heart", "das Mädchen läuft", "a blue star"};
  keylens::MakeFolder(models);
  keylens::TrainTokenizer(sentences, {.vocab_size = 300}, models / "bytes");
  keylens::TrainTokenizer(sentences, {.vocab_size = 60, .byte_fallback = false},
                          models / "characters");
  WriteSeed(models, "small",
            keylens::SmallPieces() +
                keylens::NormalizerField(keylens::CompiledMap({})));
  for (std::size_t i = 0; i < sentences.size(); ++i)
    WriteSeed(texts, std::to_string(i), sentences[i]);
  WriteSeed(texts, "odd", "\xFF \u2581\uFB01 e\u0301 \u00A0 日本 😀\t\n");
}

void WriteGeneratorSeeds(const fs::path& captions, const fs::path& configs) {
  WriteSeed(
      captions, "two",
      R"({"file_name": "a.png", "text": "red heart", "keywords": ["love", "♥"], "split": "held_out"})"
      "\n\n"
      R"({"file_name": "missing.png", "text": ""})"
      "\n");
  WriteSeed(
      configs, "text",
      R"({"vocab_size": 2000, "max_tokens": 32, "hidden_size": 128, "num_layers": 3, "num_heads": 4})");
  WriteSeed(
      configs, "unet",
      R"({"sample_size": 64, "channels": 4, "patch": 2, "block_channels": [48, 96], "blocks": [1, 2],)"
      R"( "attention": [false, true], "num_heads": 4, "head_dim": 32, "condition_size": 256,)"
      R"( "norm_groups": 8, "context_size": 128})");
  WriteSeed(configs, "scheduler", R"({"prediction_type": "v_prediction"})");
}

void WriteClassifierSeeds(const fs::path& root) {
  using namespace std::string_literals;
  WriteSeed(root / "idx", "labels", "\0\0\x8\1\0\0\0\3\1\2\3"s);
  WriteSeed(root / "idx", "images",
            "\0\0\x8\3\0\0\0\2\0\0\0\1\0\0\0\3"s + "abcdef");
  // The labels, compressed.
  WriteSeed(root / "idx", "gzip",
            "\x1F\x8B\x08\0\0\0\0\0\x02\x03\x63\x60\xE0\x60\x64\x60\x60\x60"
            "\x66\x64\x62\x06\0\x8B\xE5\xBD\xA4\x0B\0\0\0"s);
  WriteSeed(root / "idx", "cifar", "\5"s + std::string(3072, 'c'));
  WriteSeed(
      root / "config", "classifier",
      R"({"_class_name": "KeylensClassifier", "image_size": 32, "patch_size": 4, "num_channels": 1,)"
      R"( "hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 192,)"
      R"( "content_size": 28, "ground": "dark", "image_mean": 0.2, "image_std": 0.3, "num_views": 2, "labels": ["a", "b"]})");
}

// What the translator's data set is read from.
void WriteTranslatorSeeds(const fs::path& root) {
  using namespace std::string_literals;
  const std::vector<std::pair<std::string, std::string>> messages = {
      {"", "Language: de\n"},
      {"Stop! Who is <b>there</b>?", "Halt! Wer ist da?"},
      {"menu\4one bear\0bears"s, "ein Bär\0Bären"s}};
  for (const bool big_endian : {false, true}) {
    WriteSeed(root / "mo", big_endian ? "big" : "little",
              keylens::german_english::MakeMo(messages, big_endian));
  }
  WriteSeed(root / "translation_text", "line",
            "Dr. Meier (a@b.de) zahlt 1.250,50 Euro. Wann? Am 3. Mai!\n");
  WriteSeed(root / "ding", "entries",
            "# Ding\n"
            "Haus {n}; Heim {n} /H./ [constr.] | Häuser {pl} | Daheim. :: "
            "house; home (place) | houses | At home.\n"
            "jdm. viel/wenig geben {vt} <gebn> :: to give sb. much/little\n");
  WriteSeed(root / "parallel_tsv", "rows",
            "\xEF\xBB\xBFHi.\tGrüß Gott!\tCC-BY\r\n\nIt’s “so”…\t„So“\n");
  WriteSeed(root / "cldr", "names",
            "<ldml><localeDisplayNames><territories><territory type='DE'>"
            "Deutschland</territory></territories></localeDisplayNames>"
            "<annotations><annotation cp='x' type='tts'>Herz</annotation>"
            "</annotations></ldml>");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_fuzz_seeds FOLDER\n";
    return 2;
  }
  try {
    const fs::path root = argv[1];
    WritePngSeeds(root / "png");
    WriteJpegSeeds(root / "jpeg");
    WriteWebpSeeds(root / "webp");
    WriteSafetensorsSeeds(root / "safetensors");
    WriteNpySeeds(root / "npy");
    WriteTextSeeds(root / "tokenizer", root / "text");
    WriteGeneratorSeeds(root / "captions", root / "config");
    WriteClassifierSeeds(root);
    WriteTranslatorSeeds(root);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
