# Runs the stages of .ci/run and scripts/nightly; sourced by both, which define a function stage_NAME for each and then
# call `run_stages NAME...`. All stages run; each prints one line, its name, whether it passed and how long it took. What
# it printed itself is build/stages/NAME.log, shown where it failed. At the end stands what was skipped, by name, and the
# count of tests. The status is that no stage failed.

logs=$PWD/build/stages
jobs=${JOBS:-$(nproc)}
failed=()
# The preset of each stage that builds one.
declare -A preset_of=()

# build_and_test STAGE [CTEST OPTION...]: its preset, all of it.
build_and_test() {
  local preset=${preset_of[$1]}
  shift
  cmake --preset "$preset" --log-level=NOTICE &&
    cmake --build --preset "$preset" -j "$jobs" &&
    ctest --preset "$preset" -j "$jobs" --no-tests=error "$@"
}

run_stage() {
  local name=$1 log=$logs/$1.log start=$SECONDS status=0
  # Every GoogleTest program says there which of its tests it skipped.
  rm -rf "${logs:?}/$name"
  GTEST_OUTPUT=xml:$logs/$name/ "stage_$name" >"$log" 2>&1 </dev/null || status=$?
  if [ $status -eq 0 ]; then
    printf 'stage %-12s ok      %5d s\n' "$name" $((SECONDS - start))
    return
  fi
  printf 'stage %-12s FAILED  %5d s: the end of %s:\n' "$name" $((SECONDS - start)) "$log"
  tail -n 150 "$log" | sed 's/^/    /'
  failed+=("$name")
}

# What CTest did not run, what a program skipped among its tests, and what a test says that it left out.
skipped_in() {
  local name=$1 outputs=build/${preset_of[$1]:-}/Testing/Temporary/LastTest.log
  sed -nE 's/^[[:space:]]*[0-9]+ - ([^ ]+) \((Skipped|Disabled|Not Run)\).*/\1/p' "$logs/$name.log"
  if [ -d "$logs/$name" ]; then
    find "$logs/$name" -name '*.xml' -exec sed -nE \
      's/.*<testcase name="([^"]*)".* result="skipped".* classname="([^"]*)".*/\2.\1/p' {} +
  fi
  if [ -f "$outputs" ]; then sed -nE 's/^skipped: //p' "$outputs"; fi
}

# count WHAT: of all stages' lines `N% tests passed, N tests failed out of N`, the sum of the failed or of all.
count() {
  cat "$logs"/*.log | awk -v what="$1" '/% tests passed, [0-9]+ tests failed out of [0-9]+/ {
    failed += $4
    all += $NF
  }
  END { print what == "failed" ? failed + 0 : all + 0 }'
}

run_stages() {
  local stages=("$@") name skipped=0 line
  for name in "${stages[@]}"; do
    declare -F "stage_$name" >/dev/null || { echo "$0: no such stage: $name" >&2; exit 2; }
  done
  mkdir -p "$logs" && rm -f "$logs"/*.log || exit 1
  for name in "${stages[@]}"; do run_stage "$name"; done
  for name in "${stages[@]}"; do
    while read -r line; do
      echo "skipped in $name: $line"
      skipped=$((skipped + 1))
    done < <(skipped_in "$name" | LC_ALL=C sort -u)
  done
  printf 'stages: %d passed, %d failed%s; in all %d s\n' $((${#stages[@]} - ${#failed[@]})) ${#failed[@]} \
    "${failed[*]:+ (${failed[*]})}" $SECONDS
  echo "$(($(count all) - $(count failed))) passed, $(count failed) failed, $skipped skipped"
  [ ${#failed[@]} -eq 0 ]
}
