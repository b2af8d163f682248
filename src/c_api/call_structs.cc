#include "src/c_api/call_structs.h"

namespace keylens::c_api {

static_assert(KEYLENS_TO_THE_END == IndexRange::kToTheEnd);

Inspection ToInspection(const keylens_inspection& from) {
  Inspection to;
  to.query_rows = {from.first_query_row, from.end_query_row};
  to.weights = ToOptionalView<float, 4>("weights", from.weights);
  to.entropy = ToOptionalView<float, 3>("entropy", from.entropy);
  to.key_mass = ToOptionalView<float, 3>("key_mass", from.key_mass);
  to.top_keys = ToOptionalView<int64_t, 4>("top_keys", from.top_keys);
  to.top_weights = ToOptionalView<float, 4>("top_weights", from.top_weights);
  to.query_group =
      Array("query_group", from.query_group, from.query_group_size);
  to.key_group = Array("key_group", from.key_group, from.key_group_size);
  to.pooled = ToOptionalView<float, 4>("pooled", from.pooled);
  to.offset_mass = ToOptionalView<float, 3>("offset_mass", from.offset_mass);
  return to;
}

}  // namespace keylens::c_api

extern "C" keylens_inspection keylens_inspection_of_nothing(void) {
  keylens_inspection inspection = {};
  inspection.end_query_row = KEYLENS_TO_THE_END;
  return inspection;
}
