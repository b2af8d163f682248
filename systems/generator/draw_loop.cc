#include "systems/generator/draw_loop.h"

#include <algorithm>
#include <utility>

namespace keylens::generator {

struct DrawLoop::Picture {
  enum class State { kBeginning, kSampling, kDone };

  std::size_t index = 0;
  State state = State::kBeginning;
  int passes = 0;     // of a step
  int next_pass = 0;  // to hand out
  int running = 0;
  DrawingInProgress progress;
  Drawing drawing;  // once done
};

DrawLoop::DrawLoop(std::size_t count, std::size_t side_by_side,
                   int64_t total_steps, const DrawEnds& ends,
                   const DrawingSink& sink, const DrawControl& control)
    : count_(count),
      side_by_side_(side_by_side),
      total_steps_(total_steps),
      ends_(ends),
      sink_(sink),
      control_(control) {}

DrawLoop::~DrawLoop() = default;

void DrawLoop::Work() {
  const bool owner = std::this_thread::get_id() == owner_;
  try {
    while (true) {
      const Task task = Await(owner);
      if (task.kind == Kind::kEnd) return;
      Do(task);
      const std::lock_guard lock(mutex_);
      --busy_;
      changed_.notify_all();
    }
  } catch (...) {
    Fail();
    throw;
  }
}

void DrawLoop::Fail() {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  --busy_;
  changed_.notify_all();
}

bool DrawLoop::Stopping() const {
  return stopped_ || control_.stop.stop_requested();
}

// Waits for something to do. A thread that is not the owner ends when nothing
// can come any more; the owner once the others' last tasks are done as well,
// since a picture may come of them.
DrawLoop::Task DrawLoop::Await(bool owner) {
  std::unique_lock lock(mutex_);
  while (true) {
    Task task;
    if (failed_) return task;
    if ((owner && FindForOwner(task)) || FindForAny(task)) {
      ++busy_;
      return task;
    }
    const bool nothing_left = pictures_.empty() && next_ == count_;
    if (nothing_left || (Stopping() && (!owner || busy_ == 0))) return task;
    changed_.wait(lock);
  }
}

bool DrawLoop::FindForOwner(Task& task) {
  if (steps_reported_ < steps_done_ && control_.observer && !Stopping()) {
    task = {Kind::kReport};
    return true;
  }
  // In order, but for what is left when it is stopped.
  for (const auto& picture : pictures_) {
    if (picture->state == Picture::State::kDone) {
      task = {Kind::kDeliver, picture.get()};
      return true;
    }
    if (!Stopping()) return false;
  }
  return false;
}

bool DrawLoop::FindForAny(Task& task) {
  if (Stopping()) return false;
  for (const auto& picture : pictures_) {
    if (picture->state != Picture::State::kSampling ||
        picture->next_pass == picture->passes)
      continue;
    task = {Kind::kPass, picture.get(), picture->next_pass++};
    ++picture->running;
    return true;
  }
  if (next_ == count_ || pictures_.size() == side_by_side_) return false;
  pictures_.push_back(std::make_unique<Picture>());
  pictures_.back()->index = next_++;
  task = {Kind::kBegin, pictures_.back().get()};
  return true;
}

void DrawLoop::Do(const Task& task) {
  switch (task.kind) {
    case Kind::kBegin:
      return Begin(*task.picture);
    case Kind::kPass:
      return RunPass(*task.picture, task.pass);
    case Kind::kDeliver:
      return Deliver(*task.picture);
    case Kind::kReport:
      return Report();
    case Kind::kEnd:
      return;
  }
}

void DrawLoop::Begin(Picture& picture) {
  picture.progress = ends_.begin(picture.index);
  picture.passes = picture.progress.sampling->passes();
  const std::lock_guard lock(mutex_);
  picture.state = Picture::State::kSampling;
}

// The last pass of a step to end takes the step.
void DrawLoop::RunPass(Picture& picture, int pass) {
  Sampling& sampling = *picture.progress.sampling;
  sampling.Run(pass);
  {
    const std::lock_guard lock(mutex_);
    if (--picture.running > 0 || picture.next_pass < picture.passes) return;
  }
  sampling.Advance();
  const bool done = sampling.done();
  if (done) picture.drawing = ends_.finish(std::move(picture.progress));
  const std::lock_guard lock(mutex_);
  ++steps_done_;
  picture.next_pass = 0;
  if (done) picture.state = Picture::State::kDone;
}

void DrawLoop::Deliver(Picture& picture) {
  sink_(picture.index, std::move(picture.drawing));
  const std::lock_guard lock(mutex_);
  std::erase_if(pictures_,
                [&](const auto& other) { return other.get() == &picture; });
  ++drawn_;
}

void DrawLoop::Report() {
  int64_t done = 0;
  {
    const std::lock_guard lock(mutex_);
    done = steps_reported_ = steps_done_;
  }
  if (control_.observer(done, total_steps_)) return;
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

}  // namespace keylens::generator
