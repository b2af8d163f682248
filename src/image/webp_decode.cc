#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/image/codecs.h"

namespace keylens {
namespace {

WebPBitstreamFeatures ReadFeatures(const uint8_t* data, std::size_t size,
                                   const std::string& name) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, size, &features) != VP8_STATUS_OK) {
    throw Error(
        name +
        ": not a readable WebP picture (its header is damaged or cut short)");
  }
  if (features.has_animation != 0) {
    throw Error(name +
                ": an animated WebP; save one of its frames as a picture");
  }
  CheckPictureSize(features.width, features.height, name);
  return features;
}

// 1 where there is no such chunk, or where what lies around it is damaged: the
// picture itself has been read by then.
int OrientationOf(const uint8_t* data, std::size_t size) {
  const WebPData file = {data, size};
  const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> demuxer(
      WebPDemux(&file), WebPDemuxDelete);
  WebPChunkIterator chunk{};
  if (demuxer == nullptr ||
      WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk) == 0)
    return 1;
  const int orientation = ExifOrientation(
      {reinterpret_cast<const char*>(chunk.chunk.bytes), chunk.chunk.size});
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

}  // namespace

Image DecodeWebp(std::string_view bytes, const std::string& name) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  const WebPBitstreamFeatures features = ReadFeatures(data, bytes.size(), name);
  Image image;
  image.width = features.width;
  image.height = features.height;
  image.channels = features.has_alpha != 0 ? 4 : 3;
  const std::size_t stride = std::size_t{1} * image.width * image.channels;
  image.pixels.resize(stride * image.height);
  const auto decode =
      image.channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (decode(data, bytes.size(), image.pixels.data(), image.pixels.size(),
             static_cast<int>(stride)) == nullptr) {
    throw Error(
        name +
        ": not a readable WebP picture (its data is damaged or cut short)");
  }
  return ApplyOrientation(std::move(image), OrientationOf(data, bytes.size()));
}

}  // namespace keylens
