#include "src/inspect/head_survey.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace keylens::inspect {
namespace {

using render::HeadStatistics;

constexpr float HeadStatistics::*kMembers[] = {
    &HeadStatistics::entropy,       &HeadStatistics::even_entropy,
    &HeadStatistics::first_key,     &HeadStatistics::top_key,
    &HeadStatistics::mean_distance, &HeadStatistics::self,
    &HeadStatistics::previous,      &HeadStatistics::next};

// Another member is another line above.
static_assert(sizeof(HeadStatistics) == std::size(kMembers) * sizeof(float));

}  // namespace

HeadSurvey::Sums& HeadSurvey::PlaceOf(const render::AttentionPanel& panel) {
  const auto found = std::ranges::find_if(
      places_, [&](const Sums& sums) { return sums.place.name == panel.name; });
  if (found == places_.end()) {
    Sums sums;
    sums.place.name = panel.name;
    sums.place.self_attention = panel.self_attention;
    sums.place.layers = panel.layers;
    sums.place.heads = panel.heads;
    sums.heads.resize(static_cast<std::size_t>(panel.layers) * panel.heads);
    places_.push_back(std::move(sums));
    return places_.back();
  }
  if (found->place.layers != panel.layers || found->place.heads != panel.heads)
    throw std::invalid_argument("HeadSurvey: \"" + panel.name +
                                "\" had other layers or heads before");
  return *found;
}

void HeadSurvey::Add(const render::AttentionPanel& panel) {
  static_assert(std::size(kMembers) == kFields);
  const std::vector<HeadStatistics> statistics = render::StatisticsOf(panel);
  Sums& sums = PlaceOf(panel);
  const auto queries = static_cast<int64_t>(panel.queries.size()) * panel.steps;
  sums.place.queries += queries;
  for (std::size_t head = 0; head < statistics.size(); ++head) {
    for (std::size_t field = 0; field < kFields; ++field) {
      sums.heads[head][field] +=
          static_cast<double>(queries) * statistics[head].*kMembers[field];
    }
  }
}

std::vector<SurveyedPlace> HeadSurvey::Places() const {
  std::vector<SurveyedPlace> places;
  for (const Sums& sums : places_) {
    SurveyedPlace place = sums.place;
    for (const auto& head : sums.heads) {
      HeadStatistics mean;
      for (std::size_t field = 0; field < kFields; ++field) {
        mean.*kMembers[field] = static_cast<float>(
            head[field] / static_cast<double>(place.queries));
      }
      place.statistics.push_back(mean);
    }
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace keylens::inspect
