// Reads the texts of states as trees, on sight, and compares two of them.
"use strict";

/** The largest text that is read at once. Larger ones are read in slices of time. */
const shortText = 200_000;

/**
 * Splits the text of a value from `start` to `end` into its parts, as Swift's descriptions and JSON write them:
 * `Type(label: value, …)`, `[value, …]`, `["key": value, …]`, `{"key": value, …}`.
 *
 * Returns `{ head, open, parts }`, where `parts` has four numbers for each part: the label's start and end, and the
 * value's start and end. Returns `null` for a text that has no parts, or whose brackets or quotes do not match, as in a
 * description of someone's own. Reads the text once, without recursion, so deep nesting costs nothing.
 */
function* partsOf(text, start, end) {
  const opening = openingOf(text, start, end);
  if (!opening) return null;
  return (yield* split(text, opening, end, true)) ?? (yield* split(text, opening, end, false));
}

function openingOf(text, start, end) {
  const last = text.charCodeAt(end - 1);
  const first = text.charCodeAt(start);
  if (end - start < 2) return null;
  if (first === 91) return last === 93 ? { head: "", open: start, symbol: "[" } : null;
  if (first === 123) return last === 125 ? { head: "", open: start, symbol: "{" } : null;
  if (last !== 41) return null;
  const match = /^[\w.$]*(?:<[^()"]{0,200}>)?\(/.exec(text.slice(start, Math.min(end, start + 400)));
  return match ? { head: match[0].slice(0, -1), open: start + match[0].length - 1, symbol: "(" } : null;
}

/** Splits what is between the opening bracket and the closing one, which is the last character before `end`. */
function* split(text, { head, open, symbol }, end, countsAngles) {
  const parts = [];
  let depth = 0;
  let angles = 0;
  let begin = open + 1;
  let colon = -1;
  const finish = (stop) => {
    let [from, to] = [begin, stop];
    while (from < to && text.charCodeAt(from) <= 32) from += 1;
    while (to > from && text.charCodeAt(to - 1) <= 32) to -= 1;
    if (from === to) return;
    if (colon >= from && (symbol !== "(" || isLabel(text, from, colon))) {
      let value = colon + 1;
      while (value < to && text.charCodeAt(value) === 32) value += 1;
      parts.push(from, colon, value, to);
    } else {
      parts.push(from, from, from, to);
    }
  };
  const last = end - 1;
  for (let index = open + 1; index < last; index += 1) {
    if ((index & 0x3ffff) === 0) yield;
    switch (text.charCodeAt(index)) {
    case 34: {
      const close = closingQuote(text, index, last);
      if (close < 0) return null;
      index = close;
      break;
    }
    case 40: case 91: case 123: depth += 1; break;
    case 41: case 93: case 125:
      depth -= 1;
      if (depth < 0) return null;
      break;
    case 60:
      if (countsAngles && isWord(text.charCodeAt(index - 1))) angles += 1;
      break;
    case 62:
      if (angles > 0 && text.charCodeAt(index - 1) !== 45) angles -= 1;
      break;
    case 58:
      if (depth === 0 && angles === 0 && colon < 0) colon = index;
      break;
    case 44:
      if (depth === 0 && angles === 0) {
        finish(index);
        begin = index + 1;
        colon = -1;
      }
      break;
    }
  }
  if (depth !== 0 || angles !== 0) return null;
  finish(last);
  if (symbol === "[" && parts.length === 4 && parts[2] >= parts[3]) parts.length = 0;
  return { head, symbol, parts };
}

function closingQuote(text, open, end) {
  let index = open;
  for (;;) {
    index = text.indexOf('"', index + 1);
    if (index < 0 || index >= end) return -1;
    let backslashes = 0;
    while (text.charCodeAt(index - 1 - backslashes) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return index;
  }
}

const isWord = (code) => (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  || code === 95;

function isLabel(text, from, to) {
  if (to - from > 200 || to === from) return false;
  for (let index = from; index < to; index += 1) if (!isWord(text.charCodeAt(index))) return false;
  return true;
}

/** A value in the text of a state. */
class Value {
  constructor(text, start, end, label = "") {
    this.text = text;
    // An optional is shown as its value.
    while (text.startsWith("Optional(", start) && text.charCodeAt(end - 1) === 41) [start, end] = [start + 9, end - 1];
    this.start = start;
    this.end = end;
    this.label = label;
    this.content = undefined;
  }

  /** Whether the value may have parts. Only reading them tells. */
  get mayHaveParts() { return this.content ? true : this.content === undefined && this.looksComposite; }

  get looksComposite() {
    const last = this.text.charCodeAt(this.end - 1);
    return this.end - this.start >= 2 && (last === 41 || last === 93 || last === 125)
      && openingOf(this.text, this.start, this.end) !== null;
  }

  *read() {
    if (this.content === undefined) this.content = yield* partsOf(this.text, this.start, this.end);
    return this.content;
  }

  get count() { return this.content ? this.content.parts.length / 4 : 0; }

  part(index) {
    const parts = this.content.parts;
    let label = this.text.slice(parts[index * 4], Math.min(parts[index * 4 + 1], parts[index * 4] + 200));
    if (label === "" && this.content.symbol !== "(") label = `[${index}]`;
    return new Value(this.text, parts[index * 4 + 2], parts[index * 4 + 3], label);
  }

  /** Whether two values have the same text. Compares what differs in the texts of the states first. */
  equals(other, difference) {
    const length = this.end - this.start;
    if (length !== other.end - other.start) return false;
    if (difference) {
      if (this.start === other.start && this.end <= difference.head) return true;
      const shift = this.text.length - other.text.length;
      if (this.start - other.start === shift && this.start >= this.text.length - difference.tail) return true;
    }
    return this.text.slice(this.start, this.end) === other.text.slice(other.start, other.end);
  }

  shortText(length) { return short(this.text.slice(this.start, Math.min(this.end, this.start + length + 1)), length); }
}

/** How many code units two texts have in common at their beginnings and at their ends. */
function commonEnds(before, after) {
  const shorter = Math.min(before.length, after.length);
  const search = (limit, agrees) => {
    let [low, high] = [0, limit];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (agrees(low, middle)) low = middle; else high = middle - 1;
    }
    return low;
  };
  const head = search(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const tail = search(shorter - head, (from, to) =>
    before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from));
  return { head, tail };
}

/** How many elements of two arrays are compared with each other. More are compared by their places. */
const maximumMatches = 100_000;

/**
 * Pairs the parts of a value with those of the value before: an array of `[index before, index after]`, in the order of
 * the value after, with -1 for a part that one of them does not have. Pairs of equal parts at both ends are given by
 * numbers alone: `{ head, tail, pairs }`.
 */
function* matchParts(before, after, difference) {
  const [m, n] = [before.count, after.count];
  const keyed = before.content.symbol !== "[" || hasLabels(before) || hasLabels(after);
  let head = 0;
  const limit = Math.min(m, n);
  while (head < limit && samePart(before, head, after, head, difference)) {
    head += 1;
    if (head % 4096 === 0) yield;
  }
  let tail = 0;
  while (tail < limit - head && samePart(before, m - 1 - tail, after, n - 1 - tail, difference)) {
    tail += 1;
    if (tail % 4096 === 0) yield;
  }
  const [lefts, rights] = [m - head - tail, n - head - tail];
  const pairs = [];
  if (lefts > maximumMatches || rights > maximumMatches) {
    for (let i = 0; i < Math.max(lefts, rights); i += 1) {
      pairs.push([i < lefts ? head + i : -1, i < rights ? head + i : -1]);
    }
    return { head, tail, pairs };
  }
  const keyOf = (value, index) => {
    const part = value.part(index);
    if (keyed && part.label) return part.label;
    const id = /^[\w.]*\((?:[\w]+: )?id: ([^,)]{1,100})|^[\w.]*\(id: ([^,)]{1,100})|"id":\s?([^,}]{1,100})/
      .exec(part.text.slice(part.start, Math.min(part.end, part.start + 160)));
    return id ? `id ${id[1] ?? id[2] ?? id[3]}` : part.text.slice(part.start, Math.min(part.end, part.start + 500));
  };
  const indices = new Map();
  for (let i = lefts - 1; i >= 0; i -= 1) {
    const key = keyOf(before, head + i);
    const same = indices.get(key);
    if (same) same.push(i); else indices.set(key, [i]);
    if (i % 256 === 0) yield;
  }
  const [partners, isTaken] = [new Int32Array(rights).fill(-1), new Uint8Array(lefts)];
  for (let i = 0; i < rights; i += 1) {
    const partner = indices.get(keyOf(after, head + i))?.pop() ?? -1;
    partners[i] = partner;
    if (partner >= 0) isTaken[partner] = 1;
    if (i % 256 === 0) yield;
  }
  // Parts without a partner that are at the same place are one that changed.
  for (let i = 0; i < rights && lefts === rights; i += 1) {
    if (partners[i] >= 0 || isTaken[i] || (keyed && after.part(head + i).label !== "")) continue;
    [partners[i], isTaken[i]] = [i, 1];
  }
  let next = 0;
  const removeUntil = (end) => {
    for (; next < end; next += 1) if (!isTaken[next]) pairs.push([head + next, -1]);
  };
  for (let i = 0; i < rights; i += 1) {
    removeUntil(partners[i]);
    pairs.push([partners[i] >= 0 ? head + partners[i] : -1, head + i]);
    if (i % 1024 === 0) yield;
  }
  removeUntil(lefts);
  return { head, tail, pairs };
}

function hasLabels(value) { return value.count > 0 && value.content.parts[1] > value.content.parts[0]; }

function samePart(before, i, after, j, difference) {
  const [left, right] = [before.part(i), after.part(j)];
  return (before.content.symbol === "[" && !hasLabels(before) || left.label === right.label)
    && right.equals(left, difference);
}
