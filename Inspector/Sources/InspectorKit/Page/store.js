// The rows of the trace, which stay text until they are seen, and an index over them in typed arrays.
"use strict";

/** Marks of a row. A problem is a fact of the trace. A hint is what the index has found suspicious. */
const Flag = Object.freeze({ problem: 1, hint: 2 });

/** What the index looks for. `hints.js` explains each finding. */
const Hint = Object.freeze({
  slow: "Processing took longer than 50 ms", again: "The same work is already under way",
  twice: "Started twice by the same cause", afterClose: "Started after its owner was closed",
  replaced: "An answer of work that a policy had replaced", answerAfterClose: "An answer after the owner was closed",
  late: "An older work answers after a newer one",
});

/** The columns of the index: their names, and the types of their arrays. */
const columnTypes = {
  id: Float64Array, time: Float64Array, cause: Int32Array, root: Int32Array, ref: Int32Array, end: Int32Array,
  policy: Int32Array, firstEffect: Int32Array, lastEffect: Int32Array, nextEffect: Int32Array, offset: Uint32Array,
  owner: Uint32Array, thread: Uint16Array, head: Uint16Array, lane: Uint16Array, kind: Uint8Array, detail: Uint8Array, flags: Uint8Array,
};

/** No row, and a row that the page does not contain. */
const none = -1;
const missing = -2;

/** The largest number of names of messages and works that are counted apart. The rest are counted together. */
const maximumHeads = 60_000;

class Store {
  constructor(meta) {
    this.meta = meta;
    this.total = meta.rows ?? 0;
    this.count = 0;
    this.owners = [];
    this.chunks = [];
    this.heads = [];
    this.problems = [];
    /** Failures that were handled, and decisions that drop a work. They are facts of the trace, and no problems. */
    [this.recovered, this.droppedWorks] = [[], []];
    this.findings = new Map();
    this.notes = [...(meta.notes ?? [])];
    this.starts = [];
    this.kindCounts = new Array(kindNames.length).fill(0);
    [this.firstTime, this.lastTime] = [0, 0];
    this.headNumbers = new Map();
    this.activeSubjects = new Map();
    this.activeKeys = new Map();
    this.startedByCause = new Map();
    this.lastDelivery = new Map();
    this.decided = new Map();
    this.equalStates = 0;
    this.replaced = new Map();
    this.reported = new Set();
    this.rowCache = new Map();
    this.grow(Math.max(1024, this.total));
    for (const owner of meta.owners ?? []) this.addOwner(owner);
  }

  addOwner([name, number]) {
    const label = `${short(String(name), 80)} #${number}`;
    this.owners.push({
      label, shortLabel: `${short(shortOwner(String(name)), 40)} #${number}`, states: [], closed: none, works: [], firstFreeLane: 0, busyLanes: [],
    });
  }

  grow(capacity) {
    for (const [name, Type] of Object.entries(columnTypes)) {
      const column = new Type(capacity);
      if (this[name]) column.set(this[name]);
      this[name] = column;
    }
    this.capacity = capacity;
  }

  // MARK: Reading rows

  /** Returns the number of the chunk that contains a row. */
  chunkOf(row) {
    let [low, high] = [0, this.chunks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[middle].first <= row) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** Returns the text of a row, without the comma at its end. */
  line(row) {
    const chunk = this.chunks[this.chunkOf(row)];
    const text = chunk.text();
    const start = this.offset[row];
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    if (text.charCodeAt(end - 1) === 44) end -= 1;
    return text.slice(start, end);
  }

  /** Returns the values of a row. */
  row(row) {
    let values = this.rowCache.get(row);
    if (values) return values;
    try {
      values = JSON.parse(this.line(row));
    } catch {
      values = null;
    }
    if (!Array.isArray(values)) values = [this.id[row], 0, 0, 0, 0, 0, Kind.other, 0, 0, "unreadable"];
    if (this.rowCache.size > 4_000) this.rowCache.clear();
    this.rowCache.set(row, values);
    return values;
  }

  /** The text of a row: its message, its subject or its error. */
  text(row) {
    const text = this.row(row)[Field.text];
    return typeof text === "string" ? text : Array.isArray(text) ? text.join(" → ") : "";
  }

  /** Returns the row with a number, or `missing`. */
  rowOf(id) {
    if (this.count === 0) return missing;
    const guess = id - this.id[0];
    if (guess >= 0 && guess < this.count && this.id[guess] === id) return guess;
    let [low, high] = [0, this.count - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.id[middle] === id) return middle;
      if (this.id[middle] < id) low = middle + 1; else high = middle - 1;
    }
    return missing;
  }

  /** Returns the last row whose time is at most `time`. Times of neighbours may be out of order by little. */
  rowAt(time) {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }

  // MARK: Indexing

  /**
   * Adds a chunk of rows. `text` returns the rows as a JSON array, one to a line. `states` returns the states of the
   * chunk in the same way, or `null`.
   */
  *addChunk(text, states) {
    const chunk = { text, states, first: this.count, number: this.chunks.length };
    const places = states ? this.placesOfStates(chunk) : new Map();
    this.chunks.push(chunk);
    const content = text();
    let rows = null;
    try {
      rows = JSON.parse(content);
    } catch {
      this.note(`Chunk ${chunk.number + 1} is damaged. Its readable rows are shown.`);
    }
    let start = content.indexOf("\n") + 1;
    let index = 0;
    while (start > 0 && start < content.length) {
      const next = content.indexOf("\n", start);
      const end = next < 0 ? content.length : next;
      if (content.charCodeAt(start) === 91) {
        const values = rows ? rows[index++] : this.parse(content.slice(start, end));
        if (Array.isArray(values)) this.addRow(values, start, places.get(this.count));
        else this.note(`A row of chunk ${chunk.number + 1} cannot be read, and is left out.`);
        if (this.count % 128 === 0) yield;
      }
      if (next < 0) break;
      start = next + 1;
    }
  }

  parse(line) {
    try {
      return JSON.parse(line.endsWith(",") ? line.slice(0, -1) : line);
    } catch {
      return null;
    }
  }

  note(text) {
    if (this.notes.length < 100 && !this.notes.includes(text)) this.notes.push(text);
  }

  /** `state` is where the state after the row is, if it does not follow from the changes of the row. */
  addRow(values, offset, state = null) {
    const row = this.count;
    if (row === this.capacity) this.grow(this.capacity * 2);
    const whole = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);
    const kind = Number.isInteger(values[Field.kind]) && kindNames[values[Field.kind]] ? values[Field.kind] : Kind.other;
    const time = Number.isFinite(values[Field.time]) ? values[Field.time] : this.lastTime;
    let owner = whole(values[Field.owner] + 1) - 1;
    if (!this.owners[owner]) {
      if (this.owners.length === 0) this.addOwner(["unknown owner", 0]);
      owner = 0;
    }
    const text = typeof values[Field.text] === "string" ? values[Field.text] : "";
    this.id[row] = whole(values[Field.id]);
    this.time[row] = time;
    this.firstTime = row === 0 ? time : Math.min(this.firstTime, time);
    this.lastTime = row === 0 ? time : Math.max(this.lastTime, time);
    this.thread[row] = whole(values[Field.thread]);
    this.owner[row] = owner;
    this.kind[row] = kind;
    this.detail[row] = whole(values[Field.detail]) & 255;
    this.offset[row] = offset;
    this.firstEffect[row] = this.lastEffect[row] = this.nextEffect[row] = this.end[row] = none;
    this.policy[row] = none;
    this.count += 1;
    this.kindCounts[kind] += 1;

    const ref = whole(values[Field.ref]);
    this.ref[row] = ref ? this.earlier(ref, row) : none;
    const cause = whole(values[Field.cause]);
    this.cause[row] = cause ? this.earlier(cause, row) : none;
    // The root is that of the cause, which also holds if the trace states another one.
    this.root[row] = this.cause[row] >= 0 ? this.root[this.cause[row]] : row;
    if (this.cause[row] >= 0) this.link(row, this.cause[row]);
    this.head[row] = this.headOf(row, kind, owner, text);
    if (kind === Kind.changed) this.countChange(row, values[Field.changes]);
    if (state || Array.isArray(values[Field.changes])) this.owners[owner].states.push({ row, ...state });
    this.follow(row, kind, this.owners[owner], text);
  }

  /** Returns the row with a number if it is before `row`. A cause never has a higher number than its effect. */
  earlier(id, row) {
    const found = this.rowOf(id);
    return found >= 0 && found < row ? found : missing;
  }

  link(row, cause) {
    if (this.firstEffect[cause] < 0) this.firstEffect[cause] = row;
    else this.nextEffect[this.lastEffect[cause]] = row;
    this.lastEffect[cause] = row;
  }

  /** Returns the number of the name under which a row is counted: 0 for rows that are not. */
  headOf(row, kind, owner, text) {
    if (kind === Kind.received || kind === Kind.dropped) return this.headNumber("message", owner, headText(text));
    if (kind === Kind.started) return this.headNumber("work", owner, headText(text));
    const ref = this.ref[row];
    if (ref >= 0) return this.head[ref];
    const cause = this.cause[row];
    return kind === Kind.changed && cause >= 0 ? this.head[cause] : 0;
  }

  headNumber(category, owner, name) {
    const key = `${category} ${owner} ${name}`;
    let number = this.headNumbers.get(key);
    if (number !== undefined) return number;
    if (this.heads.length === 0) this.heads.push(null);
    if (this.heads.length >= maximumHeads) return 0;
    number = this.heads.length;
    this.headNumbers.set(key, number);
    this.heads.push({
      category, owner, name, number, count: 0, changes: 0, equal: 0, seconds: 0, measured: 0, longest: 0, longestRow: none,
      ended: 0, failed: 0, cancelled: 0, dropped: 0,
    });
    return number;
  }

  /** Follows what a row does to messages and works, and counts. */
  follow(row, kind, owner, text) {
    const head = this.heads[this.head[row]];
    const ref = this.ref[row];
    switch (kind) {
    case Kind.received:
      if (head) head.count += 1;
      this.deliver(row, owner);
      break;
    case Kind.handled:
      if (ref < 0 || this.kind[ref] !== Kind.received || this.end[ref] >= 0) break;
      this.end[ref] = row;
      this.cost(head, ref, this.time[row] - this.time[ref]);
      if (this.time[row] - this.time[ref] > 0.05) this.hint(ref, Hint.slow);
      break;
    case Kind.changed:
      this.deliver(row, owner);
      break;
    case Kind.started:
      if (head) head.count += 1;
      this.start(row, owner, text);
      break;
    case Kind.decided: this.decide(row, text); break;
    case Kind.dropped:
      if (head) head.dropped += 1;
      this.problem(row, "Dropped messages");
      break;
    case Kind.recovered: this.recovered.push(row); break;
    case Kind.endlessChain: this.problem(row, "Endless chains"); break;
    case Kind.gap: this.problem(row, "Missing events"); break;
    case Kind.closed: owner.closed = row; break;
    case Kind.created: owner.closed = none; break;
    }
    if (isEndOfWork(kind)) {
      if (ref >= 0 && this.kind[ref] === Kind.started && this.end[ref] < 0) {
        this.end[ref] = row;
        this.endWork(ref);
        this.cost(head, ref, this.time[row] - this.time[ref]);
        if (head) head[kindNames[kind]] += 1;
      }
      if (kind === Kind.failed) this.problem(row, "Failures");
    }
  }

  cost(head, row, seconds) {
    if (!head || !(seconds >= 0)) return;
    head.seconds += seconds;
    head.measured += 1;
    if (seconds > head.longest || head.longestRow < 0) [head.longest, head.longestRow] = [seconds, row];
  }

  countChange(row, changes) {
    const head = this.heads[this.head[row]];
    const isEqual = isEmpty(changes);
    if (isEqual) this.equalStates += 1;
    if (head) head[isEqual ? "equal" : "changes"] += 1;
  }

  /** Whether the state that a change commits looks like the state before it. */
  isEqualState(row) { return this.kind[row] === Kind.changed && isEmpty(this.changes(row)); }

  /** The changes of a row: `[path, from, to]` with `null` for none. The last one is a number if further ones are left out. */
  changes(row) { return this.row(row)[Field.changes]; }

  /**
   * Whether the processing of a message has changed no state of its owner, and has left no work under way. `false` if
   * that is unknown, because its end or other events are missing.
   */
  isWithoutEffect(row) {
    if (this.kind[row] !== Kind.received || this.end[row] < 0) return false;
    for (let each = row + 1; each < this.end[row]; each += 1) {
      const kind = this.kind[each];
      if (kind === Kind.gap) return false;
      if (this.owner[each] !== this.owner[row]) continue;
      const isOver = this.end[each] >= 0 && this.end[each] < this.end[row];
      if (kind === Kind.changed || kind === Kind.decided || (kind === Kind.started && !isOver)) return false;
    }
    return true;
  }

  /** Follows a decision of a policy, which manages the work that is started next with the same cause and subject. */
  decide(row, text) {
    const decision = decisions[this.detail[row]];
    if (decision === "replaced") {
      const works = this.activeSubjects.get(`${this.owner[row]} ${text}`);
      if (works?.length) this.replaced.set(works[0], row);
    }
    if (decision === "dropped") this.droppedWorks.push(row);
    if (decision === "replaced" || decision === "dropped" || this.cause[row] < 0) return;
    const decided = this.decided.get(this.cause[row]) ?? [];
    const earlier = decided.findIndex((each) => each.text === text && !each.starts);
    const entry = { row, text, starts: decision === "starts" };
    if (entry.starts && earlier >= 0) decided[earlier] = entry; else decided.push(entry);
    this.decided.set(this.cause[row], decided);
    if (this.decided.size > 20_000) this.decided.clear();
  }

  /** Returns the decision with which a policy lets a work start, or `none`. The subject of a store's work is a place. */
  policyOf(row, text) {
    const decided = this.decided.get(this.cause[row]);
    const index = decided ? decided.findIndex((each) => this.owner[each.row] === this.owner[row]
      && (each.text === text || each.row === row - 1 || (each.starts && isPlace(text)))) : -1;
    if (index < 0) return none;
    const [{ row: decision }] = decided.splice(index, 1);
    if (decided.length === 0) this.decided.delete(this.cause[row]);
    return decision;
  }

  /** Whether a work was started without a policy. Unknown for a work whose cause is not on the page. */
  isWithoutPolicy(work) {
    return this.policy[work] < 0 && this.cause[work] >= 0 && deliveringSources.has(sources[this.detail[work]]);
  }

  /** Whether a work listens or sends as long as its owner exists, such as a subscription or an effect of a store. */
  isForLife(work) {
    if (this.kind[work] !== Kind.started) return false;
    const source = sources[this.detail[work]];
    if (source === "subscription" || source === "eventSource") return true;
    if (source !== "effect") return false;
    const text = this.text(work);
    if (isPlace(text)) return !/^\w+ of /.test(text);
    const cause = this.cause[work];
    return (cause === none || this.kind[cause] === Kind.created) && /^[A-Z][\w.<>, ]*$/.test(text);
  }

  start(row, owner, text) {
    this.starts.push(row);
    this.policy[row] = this.policyOf(row, text);
    owner.works.push(row);
    let lane = owner.firstFreeLane;
    while (owner.busyLanes[lane] && lane < 65_535) lane += 1;
    owner.busyLanes[lane] = true;
    owner.firstFreeLane = lane;
    this.lane[row] = lane;
    const key = `${this.owner[row]} ${text}`;
    this.activeKeys.set(row, key);
    const works = this.activeSubjects.get(key);
    // The subject of a store's work is a place in the code, where several may be under way.
    const hasHint = works?.length > 0 && !isPlace(text);
    if (works) works.push(row); else this.activeSubjects.set(key, [row]);
    if (hasHint) this.hint(row, Hint.again, { other: works[0], marks: [works[0]] });
    if (this.cause[row] >= 0) {
      const causeKey = `${this.cause[row]} ${key}`;
      const other = this.startedByCause.get(causeKey);
      if (other !== undefined && !hasHint) this.hint(row, Hint.twice, { other, marks: [other, this.cause[row]] });
      this.startedByCause.set(causeKey, row);
      if (this.startedByCause.size > 20_000) this.startedByCause.clear();
    }
    if (owner.closed >= 0) this.hint(row, Hint.afterClose, { other: owner.closed });
  }

  endWork(row) {
    const owner = this.owners[this.owner[row]];
    owner.busyLanes[this.lane[row]] = false;
    owner.firstFreeLane = Math.min(owner.firstFreeLane, this.lane[row]);
    const key = this.activeKeys.get(row);
    this.activeKeys.delete(row);
    const works = this.activeSubjects.get(key);
    const index = works ? works.indexOf(row) : -1;
    if (index >= 0) works.splice(index, 1);
    if (works?.length === 0) this.activeSubjects.delete(key);
  }

  /** Follows a message or a change that a work has caused. */
  deliver(row, owner) {
    const work = this.cause[row];
    if (work < 0 || this.kind[work] !== Kind.started) return;
    if (!deliveringSources.has(sources[this.detail[work]])) return;
    const decision = this.replaced.get(work);
    if (decision !== undefined) this.hint(row, Hint.replaced, { once: work, work, other: decision, marks: [work] });
    if (owner.closed >= 0) this.hint(row, Hint.answerAfterClose, { once: work, work, other: owner.closed, marks: [work] });
    // Works that a policy manages are as late as the policy allows, and works without a name may be of several kinds.
    if (!this.isWithoutPolicy(work) || this.heads[this.head[work]]?.name.startsWith("(") !== false) return;
    const newest = this.lastDelivery.get(this.head[work]);
    if (newest && work < newest.work) {
      this.hint(row, Hint.late, { once: work, work, other: newest.work, answer: newest.row, marks: [work, newest.work] });
    } else if (newest) {
      [newest.work, newest.row] = [work, row];
    } else {
      this.lastDelivery.set(this.head[work], { work, row });
    }
  }

  problem(row, title) {
    this.flags[row] |= Flag.problem;
    this.problems.push(row);
    this.find(row, title, true);
  }

  /**
   * Marks a row as suspicious. If `once` is a row, only the first hint of this title for that row counts. `other` is
   * the row that the hint refers to, and `marks` are further rows that carry the mark.
   */
  hint(row, title, { once = none, marks = [], ...facts } = {}) {
    if (once >= 0) {
      const key = `${once} ${title}`;
      if (this.reported.has(key)) return;
      this.reported.add(key);
    }
    this.flags[row] |= Flag.hint;
    for (const each of marks) this.flags[each] |= Flag.hint;
    this.find(row, title, false, { marks, ...facts });
  }

  find(row, title, isProblem, facts = null) {
    let finding = this.findings.get(title);
    if (!finding) this.findings.set(title, (finding = { title, isProblem, rows: [], facts: new Map() }));
    finding.rows.push(row);
    if (facts) finding.facts.set(row, facts);
  }

  /** Returns the findings that mark a row, as `{ finding, row }` with the row that each of them is about. */
  findingsOf(row) {
    if (this.flags[row] === 0) return [];
    return [...this.findings.values()].flatMap((finding) => finding.rows
      .filter((each) => each === row || finding.facts.get(each)?.marks.includes(row)).map((each) => ({ finding, row: each })));
  }

  // MARK: States

  /** Returns where the states of a chunk are, by their rows. */
  placesOfStates(chunk) {
    const text = chunk.states();
    const places = new Map();
    let start = text.indexOf("\n") + 1;
    while (start > 0 && start < text.length) {
      const next = text.indexOf("\n", start);
      const end = next < 0 ? text.length : next;
      // A line is `[row, changes]`, or `[row, state]` for a whole state, or for `null` if it is unknown.
      const match = /^\[(\d+),(.)/.exec(text.slice(start, Math.min(end, start + 24)));
      if (match) places.set(chunk.first + Number(match[1]), { chunk: chunk.number, start, end, isWhole: match[2] !== "[" });
      if (next < 0) break;
      start = next + 1;
    }
    return places;
  }

  /** Returns the index of the last state of an owner at or before a row, or -1. */
  stateIndex(owner, row) {
    const states = this.owners[owner].states;
    let [low, high] = [-1, states.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (states[middle].row <= row) low = middle; else high = middle - 1;
    }
    return low;
  }

  /**
   * Returns the states of an owner by their indices, which ascend. A state is `null` if its index is negative, or if it
   * is unknown. Begins at the last whole state before them, and applies the changes since then.
   */
  *states(owner, indices) {
    const { states } = this.owners[owner];
    let next = Math.max(0, indices.find((index) => index >= 0) ?? 0);
    while (next > 0 && !states[next].isWhole) next -= 1;
    let state = null;
    const result = [];
    for (const index of indices) {
      for (; next <= index; next += 1) {
        const value = this.stateOrChanges(states[next]);
        state = Array.isArray(value) ? value.reduce((before, change) => before === null ? null : valueAfter(before, change), state) : value;
        yield;
      }
      result.push(index < 0 ? null : state);
    }
    return result;
  }

  stateOrChanges({ row, chunk, start, end }) {
    // A thousand rows would take the place of those that are shown.
    if (chunk === undefined) return this.parse(this.line(row))?.[Field.changes] ?? null;
    return this.parse(this.chunks[chunk].states().slice(start, end))?.[1] ?? null;
  }
}

/** The sources of works that answer. */
const deliveringSources = new Set(["action", "effect", "middleware"]);

/** Whether changes are known, and there are none. */
const isEmpty = (changes) => Array.isArray(changes) && changes.length === 0;

/** The part of an owner's type that tells owners apart: `Feed` of `Component<Feed, Input>`. */
function shortOwner(name) {
  const match = /^\w+<([\w.]+)(?:<.*>)?[,>]/.exec(name);
  return match ? match[1] : name;
}

/**
 * The name under which a message or a work is counted: a beginning of its text, without the payload. The case of an input
 * that another input contains belongs to the name: `feed(App.Feed.Input.load…)` for `feed(App.Feed.Input.load(5))`.
 */
function headText(text) {
  if (isPlace(text)) return text.slice(0, 200);
  const match = /^([A-Za-z_]\w*)(\((?:[A-Z]\w*\.)+[a-z_]\w*)?([^(])?/.exec(text);
  if (!match) return text === "" ? "(no text)" : /^[-+]?[\d.]/.test(text) ? "(number)" : "(value)";
  const [, name, payload, next] = match;
  return payload ? `${name}${payload}…)` : next ? `${name}…` : name;
}

/** Whether the subject of a work is the place where an effect was created, as in `request of App/Posts.swift:12`. */
const isPlace = (text) => text.length < 400 && /^(?:\w+ of )?[^\s/]+\/[^/]+\.swift:\d+$/.test(text);
