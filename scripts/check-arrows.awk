# The work of scripts/check-arrows, which says what is checked.

function complain(text) { print text; failures++ }

# The room of a file: the longest folder of the map that it lies in.
function room_of(path,   folder) {
  folder = path
  while (sub(/\/[^\/]*$/, "", folder)) {
    if (folder in row) return folder
  }
  return ""
}

# The library whose header `path` is, as the map names it; "" for one that the map does not care about.
function library_of(path) {
  if (path ~ /^(torch|ATen|c10|caffe2)\//) return "<torch>"
  if (path ~ /^hwy\//) return "<hwy>"
  if (path ~ /^omp\.h$/) return "<openmp>"
  if (path ~ /^(cairo|pango)/) return "<cairo>"
  if (path ~ /^CLI\//) return "<cli11>"
  return ""
}

# An include's text to the file of this tree, or to a library, or to "" (the standard's, and whatever no arrow is about).
function resolve(text) {
  sub(/^[^"<]*/, "", text)
  if (text ~ /^<keylens\//) {
    sub(/^</, "include/", text)
    sub(/>.*/, "", text)
    return text
  }
  if (text ~ /^</) {
    sub(/^</, "", text)
    sub(/>.*/, "", text)
    return library_of(text)
  }
  sub(/^"/, "", text)
  sub(/".*/, "", text)
  return text
}

# Whether an arrow goes from `room` to `target`, a file or a library; the arrow is marked as used.
function allowed(room, target,   goal) {
  goal = target ~ /^</ ? target : room_of(target)
  if (goal == room) return 1
  if ((room, target) in arrow) goal = target
  if (!((room, goal) in arrow)) return 0
  used[room, goal] = 1
  return 1
}

# Follows arrows from `room` depth first; a room that is met on its own way closes a circle.
function walk(room, trail,   i, n, goals, goal) {
  if (state[room] == "done") return
  if (state[room] == "open") {
    complain("ARCHITECTURE.md: a circle: " trail)
    return
  }
  state[room] = "open"
  n = split(row[room], goals, " ")
  for (i = 1; i <= n; i++) {
    goal = goals[i]
    if (goal ~ /^</) continue
    if (!(goal in row)) goal = room_of(goal)
    if (goal != "") walk(goal, trail " -> " goal)
  }
  state[room] = "done"
}

# Marks that `file`, and whoever includes it, reaches `library`; `way` is the file that it is reached through.
function spread(file, library, way,   i, n, users) {
  if ((file, library) in reached) return
  reached[file, library] = way
  n = split(included_by[file], users, " ")
  for (i = 1; i <= n; i++) spread(users[i], library, file)
}

part == "map" && /^```arrows$/ { inside = 1; next }
part == "map" && /^```/ { inside = 0 }
# A row that goes on is indented.
part == "map" && inside && NF > 0 && !/^#/ {
  goals_text = $0
  if (!/^[ \t]/) {
    room = $1
    sub(/:$/, "", room)
    sub(/^[^:]*:/, "", goals_text)
    if (room in row) complain("ARCHITECTURE.md:" FNR ": " room " has two rows")
    rooms[++num_rooms] = room
  }
  row[room] = row[room] " " goals_text
  n = split(goals_text, goals, " ")
  for (i = 1; i <= n; i++) arrow[room, goals[i]] = FNR
}

part == "exceptions" && NF > 0 && !/^#/ { exception[$1, $3] = FNR }

part == "sources" {
  exists[$0] = 1
  room = room_of($0)
  if (room == "") complain($0 ": in no room of ARCHITECTURE.md")
  inhabited[room] = 1
}

part == "includes" {
  split($0, fields, ":")
  file = fields[1]
  place = file ":" fields[2]
  target = resolve(substr($0, length(place) + 2))
  if (target == "") next
  if (target !~ /^</ && !(target in exists)) {
    complain(place ": " target " is not there")
    next
  }
  edges++
  room = room_of(file)
  if (room != "" && !allowed(room, target)) {
    if ((file, target) in exception) met[file, target] = 1
    else complain(place ": " room " has no arrow to " target)
  }
  # What a header of one room brings in arrives in the room that includes it.
  if (target ~ /^</) users[target] = users[target] " " file
  else included_by[target] = included_by[target] " " file
}

END {
  if (num_rooms == 0) complain("ARCHITECTURE.md: no block ```arrows")
  for (i = 1; i <= num_rooms; i++) {
    if (!(rooms[i] in inhabited)) complain("ARCHITECTURE.md: " rooms[i] " has no source")
    walk(rooms[i], rooms[i])
  }
  for (library in users) {
    n = split(users[library], files, " ")
    for (i = 1; i <= n; i++) spread(files[i], library, library)
  }
  for (key in reached) {
    split(key, pair, SUBSEP)
    room = room_of(pair[1])
    if (room == "" || ((room, pair[2]) in arrow)) { used[room, pair[2]] = 1; continue }
    if (reached[key] == pair[2]) continue  # said above: it includes the library itself
    if ((pair[1], reached[key]) in exception) continue
    complain(pair[1] ": reaches " pair[2] " through " reached[key] ", and " room " has no arrow to it")
  }
  for (key in arrow) {
    split(key, pair, SUBSEP)
    if (!(key in used)) complain("ARCHITECTURE.md:" arrow[key] ": nothing in " pair[1] " includes " pair[2])
  }
  for (key in exception) {
    split(key, pair, SUBSEP)
    if (!(key in met)) complain("scripts/arrow-exceptions:" exception[key] ": " pair[1] " no longer includes " pair[2] ": delete the line")
  }
  if (failures > 0) {
    print failures " wrong"
    exit 1
  }
  print edges " includes follow the arrows of " num_rooms " rooms"
}
