#ifndef KEYLENS_SYSTEMS_GENERATOR_DRAW_LOOP_H_
#define KEYLENS_SYSTEMS_GENERATOR_DRAW_LOOP_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "systems/generator/pipeline.h"
#include "systems/generator/sampler.h"

namespace keylens::generator {

// A request on its way to a drawing.
struct DrawingInProgress {
  std::unique_ptr<CrossAttentionMaps> maps;
  std::unique_ptr<Sampling> sampling;
  Drawing drawing;
};

// The two ends of a drawing's way; each is the work of one thread.
struct DrawEnds {
  std::function<DrawingInProgress(std::size_t index)> begin;
  std::function<Drawing(DrawingInProgress)> finish;
};

// Shares the forward passes of several pictures among threads. Nobody waits for
// a step of all pictures to end: a thread takes the next pass there is, of the
// oldest picture first, so that pictures get done one after the other. A new
// one is begun when a finished one has gone to the sink.
class DrawLoop {
 public:
  // Of `count` pictures, `side_by_side` are on their way at once. `total_steps`
  // is what the observer is told.
  DrawLoop(std::size_t count, std::size_t side_by_side, int64_t total_steps,
           const DrawEnds& ends, const DrawingSink& sink,
           const DrawControl& control);
  ~DrawLoop();
  DrawLoop(const DrawLoop&) = delete;
  DrawLoop& operator=(const DrawLoop&) = delete;

  // The work of one thread, until all is drawn or it was stopped. The thread
  // that made the loop has to be one of them: it calls sink and observer.
  // What anything throws ends the loop for all threads.
  void Work();

  std::size_t drawn() const { return drawn_; }

 private:
  struct Picture;
  enum class Kind { kBegin, kPass, kDeliver, kReport, kEnd };
  struct Task {
    Kind kind = Kind::kEnd;
    Picture* picture = nullptr;
    int pass = 0;
  };

  Task Await(bool owner);
  bool FindForOwner(Task& task);
  bool FindForAny(Task& task);
  bool Stopping() const;
  void Do(const Task& task);
  void Begin(Picture& picture);
  void RunPass(Picture& picture, int pass);
  void Deliver(Picture& picture);
  void Report();
  void Fail();

  const std::size_t count_, side_by_side_;
  const int64_t total_steps_;
  const DrawEnds& ends_;
  const DrawingSink& sink_;
  const DrawControl& control_;
  const std::thread::id owner_ = std::this_thread::get_id();

  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Picture>> pictures_;  // the oldest first
  std::size_t next_ = 0;                           // to begin
  std::size_t drawn_ = 0;
  int busy_ = 0;  // threads within a task
  int64_t steps_done_ = 0, steps_reported_ = 0;
  bool stopped_ = false, failed_ = false;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_DRAW_LOOP_H_
