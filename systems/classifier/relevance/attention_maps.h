#ifndef KEYLENS_SYSTEMS_CLASSIFIER_RELEVANCE_ATTENTION_MAPS_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_RELEVANCE_ATTENTION_MAPS_H_

#include <filesystem>
#include <functional>
#include <string>

#include "src/image/image.h"
#include "src/models/vit/model.h"
#include "src/render/report/attention_report.h"

namespace keylens::classifier {

// What the class token looks at in `image`: in every layer and head, and, as
// named maps, by attention rollout and by relevance for the predicted class
// (trace.h). The picture beneath is what the network sees, in more detail, and
// on white where the network sees it on black.
render::AttentionReport AttentionMaps(ClassifierModelImpl& model,
                                      const Image& image,
                                      const std::string& name);

// The same for the model of a folder, which is read once. Throws Error, naming
// the file that cannot be used.
std::function<render::AttentionReport(const Image& image,
                                      const std::string& name)>
OpenAttentionMaps(const std::filesystem::path& model_folder);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_RELEVANCE_ATTENTION_MAPS_H_
