// Playback: play, pause, step, scrub.

export const SPEEDS = [2, 5, 10, 15, 25, 50];
const USUAL = 15;

export class Player {
  /**
   * @param {(number: number) => Promise<void>} show
   * @param {() => void} changed
   */
  constructor(trajectory, show, changed) {
    Object.assign(this, { trajectory, show, changed });
    this.number = 0;
    this.playing = false;
    this.speed = USUAL;
    /** In live mode: new frames are shown as soon as they are written. */
    this.following = false;
    this.wanted = null;
    this.busy = null;
  }

  get count() {
    return this.trajectory.frames.length;
  }

  /** Shows a frame; of several requests in the meantime only the last is served. */
  go(number) {
    this.wanted = Math.min(this.count - 1, Math.max(0, number));
    this.busy ??= this.work().finally(() => (this.busy = null));
    return this.busy;
  }

  async work() {
    while (this.wanted !== null) {
      const number = this.wanted;
      this.wanted = null;
      await this.show(number);
      this.number = number;
      this.changed();
    }
  }

  /** A manual step ends playing and following. */
  step(by) {
    this.pause();
    this.following = false;
    return this.go((this.wanted ?? this.number) + by);
  }

  jump(number) {
    this.pause();
    this.following = false;
    return this.go(number);
  }

  play() {
    if (this.playing || this.count < 2) return;
    this.playing = true;
    this.following = false;
    this.changed();
    this.run(this.number >= this.count - 1 ? 0 : this.number);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Plays frames at the chosen rate, or as fast as they load. */
  async run(from) {
    for (let number = from; this.playing && number < this.count; number++) {
      const due = performance.now() + 1000 / this.speed;
      await this.go(number);
      // Prefetch.
      for (const next of [number + 1, number + 2]) if (next < this.count) this.trajectory.frame(next).catch(() => {});
      await until(due);
    }
    if (this.playing && this.number >= this.count - 1) this.pause();
  }

  /** The frame nearest to a time. */
  at(time) {
    const { frames } = this.trajectory;
    let best = 0;
    frames.forEach((frame, i) => {
      if (Math.abs(frame.time - time) < Math.abs(frames[best].time - time)) best = i;
    });
    return best;
  }
}

async function until(due) {
  do {
    await new Promise((done) => requestAnimationFrame(done));
  } while (performance.now() < due);
}
