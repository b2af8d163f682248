#!/usr/bin/env bash
# scripts/check-arrows on a small tree of its own: what follows the map passes, and each way to break it is told.
#
#   check_arrows_test.sh SCRIPT SCRATCH
set -euo pipefail
script=$1
scratch=$2
failures=0

# A tree in which every arrow is drawn and used.
fresh_tree() {
  rm -rf "$scratch"
  mkdir -p "$scratch"/{include/keylens,src/{base,engine,layers},app/cli,scripts}
  cd "$scratch"
  printf '%s\n' '# A map' '```arrows' 'include/keylens:' 'src/base:' 'src/engine: include/keylens <hwy>' \
    'src/layers: src/base' '  src/engine <torch> <hwy>' 'app/cli: src/layers/door.h <torch> <hwy>' '```' >ARCHITECTURE.md
  echo '#include <vector>' >include/keylens/api.h
  echo '#include <string>' >src/base/error.h
  printf '%s\n' '#include <hwy/highway.h>' '#include <keylens/api.h>' >src/engine/run.h
  printf '%s\n' '#include <torch/torch.h>' '#include "src/base/error.h"' '#include "src/engine/run.h"' >src/layers/door.h
  echo '#include "src/layers/door.h"' >app/cli/main.cc
}

# expect STATUS TEXT: what the script says of the tree as it is.
expect() {
  local status=0 said
  said=$("$script" "$scratch" 2>&1) || status=$?
  if [ "$status" -ne "$1" ] || [[ "$said" != *"$2"* ]]; then
    printf 'expected status %s and "%s", got status %s and:\n%s\n' "$1" "$2" "$status" "$said" >&2
    failures=$((failures + 1))
  fi
  fresh_tree
}

fresh_tree
expect 0 'includes follow the arrows of 5 rooms'

echo '#include "src/layers/door.h"' >src/engine/run.cc
expect 1 'src/engine/run.cc:1: src/engine has no arrow to src/layers/door.h'

echo ' # include "src/engine/run.h"' >>app/cli/main.cc
expect 1 'app/cli/main.cc:2: app/cli has no arrow to src/engine/run.h'

echo '#include <torch/torch.h>' >>src/engine/run.h
expect 1 'src/engine/run.h:3: src/engine has no arrow to <torch>'

# A library that comes in through a room that may have it.
mkdir src/report && echo '#include "src/engine/run.h"' >src/report/page.cc
sed -i 's|^src/base:|&\nsrc/report: src/engine|' ARCHITECTURE.md
expect 1 'src/report/page.cc: reaches <hwy> through src/engine/run.h'

mkdir src/nowhere && touch src/nowhere/file.cc
expect 1 'src/nowhere/file.cc: in no room'

echo '#include "src/base/gone.h"' >>src/layers/door.h
expect 1 'src/base/gone.h is not there'

sed -i 's|^src/base:|& src/layers|' ARCHITECTURE.md
echo '#include "src/layers/door.h"' >>src/base/error.h
expect 1 'a circle: src/base -> src/layers -> src/base'

sed -i 's|^src/base:|& include/keylens|' ARCHITECTURE.md
expect 1 'nothing in src/base includes include/keylens'

sed -i 's|^src/base:|&\nsrc/empty:|' ARCHITECTURE.md
expect 1 'src/empty has no source'

sed -i '/^```arrows/,/^```$/d' ARCHITECTURE.md
expect 1 'no block ```arrows'

echo '#include "src/base/error.h"' >src/engine/run.cc
echo 'src/engine/run.cc -> src/base/error.h' >scripts/arrow-exceptions
expect 0 'includes follow the arrows'

echo 'src/engine/run.cc -> src/base/error.h' >scripts/arrow-exceptions
expect 1 'src/engine/run.cc no longer includes src/base/error.h'

rm -rf "$scratch"
exit $((failures > 0))
