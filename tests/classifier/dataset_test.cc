// Data sets as they lie on a disk: MNIST's format, CIFAR-10's, folders.

#include "systems/classifier/data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "systems/classifier/data/fashion_data.h"
#include "systems/classifier/data/gzip.h"
#include "systems/classifier/data/idx.h"
#include "tests/classifier/folder.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Big32(int64_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

std::string IdxBytes(const std::vector<int64_t>& shape,
                     const std::string& values) {
  std::string bytes = {0, 0, 8, static_cast<char>(shape.size())};
  for (const int64_t length : shape) bytes += Big32(length);
  return bytes + values;
}

std::string Gzipped(const std::string& content) {
  const fs::path path = TemporaryPath("gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  std::string bytes = ReadFile(path);
  fs::remove(path);
  return bytes;
}

// Picture i is full of the byte i.
std::string Pictures(int64_t count, int64_t rows, int64_t cols) {
  std::string values;
  for (int64_t i = 0; i < count; ++i)
    values += std::string(rows * cols, static_cast<char>(i));
  return IdxBytes({count, rows, cols}, values);
}

void Ignore(const std::string&) {}

struct Seen {
  std::vector<Image> images;
  std::vector<int> labels;
};

Seen VisitAll(const Dataset& dataset, Split split,
              const NoteSink& note = Ignore) {
  Seen seen;
  dataset.Visit(
      split,
      [&](Image image, int32_t label) {
        seen.images.push_back(std::move(image));
        seen.labels.push_back(label);
      },
      note);
  return seen;
}

TEST(IdxTest, RefusesWhatIsNotWhole) {
  const std::string good = IdxBytes({2, 3}, "abcdef");
  EXPECT_EQ(IdxArray::Parse(good, "x", 2).shape(),
            (std::vector<int64_t>{2, 3}));
  const std::vector<std::string> bad = {
      "",
      good.substr(0, 11),               // half a header
      good.substr(0, good.size() - 1),  // a byte too few
      good + "g",                       // and one too many
      IdxBytes({0, 3}, ""),
      IdxBytes({6}, "abcdef"),                         // another rank
      IdxBytes({0xFFFFFFFF, 0xFFFFFFFF}, "abcdef"),    // would overflow
      std::string("\0\0\x0D\2", 4) + good.substr(4)};  // floats
  for (const std::string& bytes : bad) {
    EXPECT_THAT(Refusal([&] { IdxArray::Parse(bytes, "x.idx", 2); }),
                HasSubstr("x.idx: "));
  }
}

TEST(GzipTest, ReadsWholeFilesOnly) {
  const std::string content(100000, 'k');
  const std::string bytes = Gzipped(content);
  EXPECT_EQ(Gunzip(bytes, "x", 1 << 20), content);
  EXPECT_THAT(Refusal([&] { Gunzip(bytes, "x", 99999); }), HasSubstr("more"));
  EXPECT_THAT(Refusal([&] { Gunzip(bytes.substr(0, 60), "x", 1 << 20); }),
              HasSubstr("cut short"));
  EXPECT_THAT(Refusal([&] { Gunzip("no gzip", "x", 1 << 20); }),
              HasSubstr("no gzip"));
}

TEST(IdxDatasetTest, ReadsPlainAndCompressedFiles) {
  const Folder folder;
  folder.Write("train-images-idx3-ubyte", Pictures(3, 28, 20));
  folder.Write("train-labels-idx1-ubyte", IdxBytes({3}, {2, 0, 1}));
  folder.Write("t10k-images-idx3-ubyte.gz", Gzipped(Pictures(1, 28, 20)));
  folder.Write("t10k-labels-idx1-ubyte.gz", Gzipped(IdxBytes({1}, {2})));
  const auto numbered = OpenDataset(folder.path());
  EXPECT_THAT(numbered->classes(), ElementsAre("0", "1", "2"));
  EXPECT_EQ(numbered->traits().size, 28);
  EXPECT_EQ(numbered->traits().channels, 1);
  EXPECT_EQ(numbered->traits().ground, Ground::kDark);

  folder.Write("classes.txt", "Shoe\r\nBag \n\nHat\n");
  const auto named = OpenDataset(folder.path());
  EXPECT_THAT(named->classes(), ElementsAre("Shoe", "Bag", "Hat"));
  const Seen train = VisitAll(*named, Split::kTrain);
  EXPECT_THAT(train.labels, ElementsAre(2, 0, 1));
  EXPECT_EQ(train.images[2].width, 20);
  EXPECT_EQ(train.images[2].height, 28);
  EXPECT_EQ(train.images[2].pixels, std::vector<uint8_t>(28 * 20, 2));
  EXPECT_THAT(VisitAll(*named, Split::kTest).labels, ElementsAre(2));
}

TEST(IdxDatasetTest, RefusesFilesThatDoNotFitEachOther) {
  const Folder folder;
  folder.Write("train-images-idx3-ubyte", Pictures(3, 4, 4));
  EXPECT_THAT(Refusal([&] { OpenDataset(folder.path()); }),
              HasSubstr("train-labels-idx1-ubyte is missing"));
  folder.Write("train-labels-idx1-ubyte", IdxBytes({2}, {0, 1}));
  const auto fewer = OpenDataset(folder.path());
  EXPECT_THAT(Refusal([&] { VisitAll(*fewer, Split::kTrain); }),
              HasSubstr("3 pictures; there are 2 labels"));
  folder.Write("train-labels-idx1-ubyte", IdxBytes({3}, {0, 1, 5}));
  folder.Write("classes.txt", "a\nb\n");
  const auto unnamed = OpenDataset(folder.path());
  EXPECT_THAT(Refusal([&] { VisitAll(*unnamed, Split::kTrain); }),
              HasSubstr("label 5"));
  EXPECT_THAT(Refusal([&] { VisitAll(*unnamed, Split::kTest); }),
              HasSubstr("t10k-images-idx3-ubyte is missing"));
}

// A record whose planes are full of r, g and b.
std::string CifarRecord(char label, char r, char g, char b) {
  return std::string(1, label) + std::string(1024, r) + std::string(1024, g) +
         std::string(1024, b);
}

TEST(CifarDatasetTest, ReadsBatchesInOrder) {
  const Folder folder;
  folder.Write("batches.meta.txt", "airplane\nautomobile\n\n");
  for (int i = 1; i <= 5; ++i) {
    folder.Write(
        "data_batch_" + std::to_string(i) + ".bin",
        CifarRecord(static_cast<char>(i % 2), static_cast<char>(i), 20, 30));
  }
  folder.Write("test_batch.bin",
               CifarRecord(1, 1, 2, 3) + CifarRecord(0, 4, 5, 6));
  const auto dataset = OpenDataset(folder.path());
  EXPECT_THAT(dataset->classes(), ElementsAre("airplane", "automobile"));
  EXPECT_EQ(dataset->traits().size, 32);
  EXPECT_EQ(dataset->traits().channels, 3);
  const Seen train = VisitAll(*dataset, Split::kTrain);
  EXPECT_THAT(train.labels, ElementsAre(1, 0, 1, 0, 1));
  const std::vector<uint8_t>& pixels = train.images[3].pixels;
  EXPECT_THAT(std::vector<int>(pixels.end() - 3, pixels.end()),
              ElementsAre(4, 20, 30));
  EXPECT_THAT(VisitAll(*dataset, Split::kTest).labels, ElementsAre(1, 0));
}

TEST(CifarDatasetTest, RefusesBrokenRecords) {
  const Folder folder;
  folder.Write("test_batch.bin", CifarRecord(1, 1, 2, 3) + "x");
  EXPECT_THAT(Refusal([&] { OpenDataset(folder.path()); }),
              HasSubstr("batches.meta.txt"));
  folder.Write("batches.meta.txt", "airplane\n");
  const auto dataset = OpenDataset(folder.path());
  EXPECT_THAT(Refusal([&] { VisitAll(*dataset, Split::kTest); }),
              HasSubstr("3074 bytes"));
  folder.Write("test_batch.bin", CifarRecord(1, 1, 2, 3));
  EXPECT_THAT(Refusal([&] { VisitAll(*dataset, Split::kTest); }),
              HasSubstr("label 1"));
  EXPECT_THAT(Refusal([&] { VisitAll(*dataset, Split::kTrain); }),
              HasSubstr("data_batch_1.bin"));
}

void WritePicture(const Folder& folder, const std::string& name, int size) {
  MakeFolder((folder / name).parent_path());
  WritePng(folder / name,
           {size, size, 1, std::vector<uint8_t>(size * size, 9)});
}

TEST(ClassFoldersTest, TakesOneFolderAClass) {
  const Folder folder;
  WritePicture(folder, "dog/b.png", 8);
  WritePicture(folder, "dog/a.png", 3);
  WritePicture(folder, "cat/x.png", 5);
  folder.Write("dog/notes.txt", "no picture");
  folder.Write(".hidden/y.png", "no class");
  const auto dataset = OpenDataset(folder.path());
  EXPECT_THAT(dataset->classes(), ElementsAre("cat", "dog"));
  std::vector<std::string> notes;
  const Seen seen =
      VisitAll(*dataset, Split::kTrain,
               [&](const std::string& line) { notes.push_back(line); });
  EXPECT_THAT(seen.labels, ElementsAre(0, 1, 1));
  EXPECT_EQ(seen.images[1].width, 3);  // by name
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("notes.txt"));
}

TEST(ClassFoldersTest, TakesFoldersOfTrainAndTest) {
  const Folder folder;
  WritePicture(folder, "train/cat/1.png", 4);
  WritePicture(folder, "train/dog/2.png", 4);
  const auto dataset = OpenDataset(folder.path());
  EXPECT_THAT(VisitAll(*dataset, Split::kTrain).labels, ElementsAre(0, 1));
  EXPECT_THAT(Refusal([&] { VisitAll(*dataset, Split::kTest); }),
              HasSubstr("test: no such folder"));
  WritePicture(folder, "test/dog/3.png", 4);
  EXPECT_THAT(VisitAll(*dataset, Split::kTest).labels, ElementsAre(1));
  WritePicture(folder, "test/horse/4.png", 4);
  EXPECT_THAT(Refusal([&] { VisitAll(*dataset, Split::kTest); }),
              HasSubstr("horse: is no class"));
}

// What unzipping leaves, a class that was emptied, one of broken pictures.
TEST(ClassFoldersTest, AFolderWithoutAPictureIsNoClass) {
  const Folder folder;
  WritePicture(folder, "cat/1.png", 4);
  WritePicture(folder, "dog/2.png", 4);
  MakeFolder(folder / "__MACOSX");
  MakeFolder(folder / "empty");
  folder.Write("blue/1.png", "no picture");
  folder.Write("blue/readme.txt", "nor this");
  const auto dataset = OpenDataset(folder.path());
  EXPECT_THAT(dataset->classes(), ElementsAre("cat", "dog"));
  for (const Split split : {Split::kTrain, Split::kTest}) {
    std::vector<std::string> notes;
    const Seen seen = VisitAll(*dataset, split, [&](const std::string& line) {
      notes.push_back(line);
    });
    EXPECT_THAT(seen.labels, ElementsAre(0, 1));
    EXPECT_THAT(notes, ElementsAre(HasSubstr("__MACOSX: has no picture"),
                                   HasSubstr("blue: has no picture"),
                                   HasSubstr("empty: has no picture")));
  }
}

TEST(ClassFoldersTest, ATestFolderMayHaveOneWithoutPictures) {
  const Folder folder;
  WritePicture(folder, "train/cat/1.png", 4);
  WritePicture(folder, "train/dog/2.png", 4);
  WritePicture(folder, "test/cat/3.png", 4);
  MakeFolder(folder / "test/dog");
  MakeFolder(folder / "test/__MACOSX");
  std::vector<std::string> notes;
  const Seen seen =
      VisitAll(*OpenDataset(folder.path()), Split::kTest,
               [&](const std::string& line) { notes.push_back(line); });
  EXPECT_THAT(seen.labels, ElementsAre(0));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("it is no class"),
                                 HasSubstr("adds nothing to its class")));
}

TEST(DatasetTest, SaysWhatADataSetIs) {
  const Folder folder;
  EXPECT_THAT(Refusal([&] { OpenDataset(folder.path()); }),
              HasSubstr("a sub-folder of pictures for each class"));
  EXPECT_THAT(Refusal([&] { OpenDataset(folder / "none"); }),
              HasSubstr("no such folder"));
}

TEST(DatasetTest, FramesPicturesAndRefusesNone) {
  const Folder folder;
  WritePicture(folder, "cat/1.png", 8);
  folder.Write("dog/2.png", "damaged");
  const auto dataset = OpenDataset(folder.path());
  const LabelledPictures all =
      ReadPictures(*dataset, Split::kTrain, {16, 16, 3, Ground::kAny}, Ignore);
  ASSERT_EQ(all.pictures.size(), 1u);
  EXPECT_EQ(all.pictures[0].width, 16);
  EXPECT_EQ(all.pictures[0].channels, 3);
  folder.Write("cat/1.png", "damaged too");
  EXPECT_THAT(
      Refusal([&] { ReadPictures(*dataset, Split::kTrain, {}, Ignore); }),
      HasSubstr("no picture that can be read"));
}

// The package in small: what WriteFashionData asks of it.
void WritePackage(const Folder& folder, int64_t side, char largest_label) {
  for (const std::string split : {"train", "t10k"}) {
    folder.Write("package/" + split + "-images-idx3-ubyte.gz",
                 Gzipped(Pictures(2, side, side)));
    folder.Write("package/" + split + "-labels-idx1-ubyte.gz",
                 Gzipped(IdxBytes({2}, {0, largest_label})));
  }
}

TEST(FashionDataTest, WritesWhatOpenDatasetReads) {
  const Folder folder;
  WritePackage(folder, 28, 9);
  const FashionSummary summary =
      WriteFashionData(folder / "package", folder / "out");
  EXPECT_EQ(summary.train, 2);
  EXPECT_EQ(summary.test, 2);
  const auto dataset = OpenDataset(folder / "out");
  EXPECT_EQ(dataset->classes().size(), 10u);
  EXPECT_EQ(dataset->classes()[9], "Ankle boot");
  EXPECT_THAT(VisitAll(*dataset, Split::kTest).labels, ElementsAre(0, 9));
}

TEST(FashionDataTest, RefusesAnythingElseAndWritesNothing) {
  const Folder folder;
  EXPECT_THAT(
      Refusal([&] { WriteFashionData(folder / "package", folder / "out"); }),
      HasSubstr("dataset-fashion-mnist"));
  WritePackage(folder, 27, 9);
  EXPECT_THAT(
      Refusal([&] { WriteFashionData(folder / "package", folder / "out"); }),
      HasSubstr("is not Fashion-MNIST's"));
  WritePackage(folder, 28, 10);
  EXPECT_THAT(
      Refusal([&] { WriteFashionData(folder / "package", folder / "out"); }),
      HasSubstr("is not Fashion-MNIST's"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace
}  // namespace keylens::classifier
