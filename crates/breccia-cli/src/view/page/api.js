import { Frame } from "./frame.js";

/** Frames are kept up to about so many bytes. */
const MOST_BYTES = 400e6;

async function ask(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("The viewer has ended: start “breccia view” again and reload this page.");
  }
  if (answer.ok) return answer;
  let words = `${answer.status} for ${path}`;
  try {
    const body = await answer.json();
    words = body.error ?? body.words ?? words;
  } catch {
    // No words came: the status has to do.
  }
  throw new Error(words);
}

export const fetchOverview = async () => (await ask("/api/runs")).json();
export const fetchRun = async (run) => (await ask(`/api/runs/${run}`)).json();
export const fetchTable = async (run) => (await ask(`/api/runs/${run}/table`)).text();

/** Frames of all runs, fetched once and forgotten when there are too many. */
export class FrameStore {
  constructor() {
    this.entries = new Map();
    this.bytes = 0;
  }

  /** The frame number `index` of a kind, which the run says is at `time`. */
  get(run, kind, index, time) {
    const key = `${run}/${kind}/${index}/${time}`;
    const known = this.entries.get(key);
    if (known) {
      // The map's order is the order of last use.
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.promise;
    }
    const entry = { bytes: 0, promise: this.load(run, kind, index) };
    this.entries.set(key, entry);
    entry.promise.then(
      (frame) => {
        entry.bytes = frame.bytes;
        this.bytes += frame.bytes;
        this.trim();
      },
      () => this.entries.delete(key),
    );
    return entry.promise;
  }

  async load(run, kind, index) {
    const answer = await ask(`/api/runs/${run}/frames/${kind}/${index}`);
    return new Frame(kind, await answer.arrayBuffer());
  }

  trim() {
    for (const [key, entry] of this.entries) {
      if (this.bytes <= MOST_BYTES || this.entries.size <= 8) return;
      this.bytes -= entry.bytes;
      this.entries.delete(key);
    }
  }
}
