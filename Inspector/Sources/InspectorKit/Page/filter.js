// Filters and searches rows: the typed arrays first, and then the raw text of each chunk, in slices of time.
"use strict";

/** The groups of kinds that the buttons switch. */
const kindGroups = [
  { name: "Messages", kinds: ["received", "created", "closed"], isOn: true },
  { name: "Changes", kinds: ["changed"], isOn: true },
  { name: "Work", kinds: ["started", "ended", "cancelled", "recovered"], isOn: true },
  { name: "Policies", kinds: ["decided"], isOn: true },
  { name: "Problems", kinds: ["failed", "dropped", "endlessChain", "gap", "other"], isOn: true },
  { name: "Steps", kinds: ["handled", "suspended"], isOn: false },
];

class Filter {
  constructor() {
    this.query = "";
    this.owner = none;
    this.head = 0;
    this.root = none;
    this.flag = 0;
    this.groups = kindGroups.map((group) => group.isOn);
  }

  get isDefault() {
    return this.query === "" && this.owner < 0 && this.head === 0 && this.root < 0 && this.flag === 0
      && this.groups.every((isOn, index) => isOn === kindGroups[index].isOn);
  }

  /** How many entries are missing only because steps are not shown. */
  hiddenSteps(store) {
    // Which steps a search would find is not known. Other filters hide steps, too.
    if (this.query !== "" || this.owner >= 0 || this.head !== 0 || this.root >= 0 || this.flag !== 0) return 0;
    return kindGroups.reduce((sum, { name, kinds }, index) => (name !== "Steps" || this.groups[index] ? sum
      : sum + kinds.reduce((count, kind) => count + store.kindCounts[Kind[kind]], 0)), 0);
  }

  /** Whether a row passes everything but the search. */
  get test() {
    const { owner, head, root, flag } = this;
    const isShown = new Uint8Array(kindNames.length);
    kindGroups.forEach((group, index) => {
      for (const kind of group.kinds) isShown[Kind[kind]] = this.groups[index] ? 1 : 0;
    });
    return (store, row) =>
      isShown[store.kind[row]] === 1 && (owner < 0 || store.owner[row] === owner)
      && (head === 0 || store.head[row] === head) && (root < 0 || store.root[row] === root)
      && (flag === 0 || (store.flags[row] & flag) !== 0);
  }

  /**
   * Appends the rows from `first` on that pass to `result`, a list with the rows and their number. Calls `progress`
   * after each chunk.
   */
  *run(store, result, first, progress) {
    const test = this.test;
    const pattern = this.query === "" ? null : rawPattern(this.query);
    for (let number = store.chunks.length ? store.chunkOf(first) : 0; number < store.chunks.length; number += 1) {
      const chunk = store.chunks[number];
      const end = number + 1 < store.chunks.length ? store.chunks[number + 1].first : store.count;
      const begin = Math.max(first, chunk.first);
      if (pattern) yield* this.search(store, chunk, begin, end, pattern, test, result);
      else for (let row = begin; row < end; row += 1) if (test(store, row)) result.push(row);
      progress();
      yield;
    }
  }

  *search(store, chunk, begin, end, pattern, test, result) {
    const text = chunk.text();
    const needle = this.query.toLowerCase();
    let row = begin;
    let steps = 0;
    pattern.lastIndex = begin < end ? store.offset[begin] : text.length;
    for (;;) {
      const match = pattern.exec(text);
      if (!match) return;
      // The last row that begins at or before the match.
      let [low, high] = [row, end - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (store.offset[middle] <= match.index) low = middle; else high = middle - 1;
      }
      row = low;
      const next = row + 1 < end ? store.offset[row + 1] : text.length;
      if (test(store, row) && this.isText(store, row, match.index, needle)) result.push(row);
      row += 1;
      if (row >= end) return;
      pattern.lastIndex = next;
      steps += 1;
      if (steps % 64 === 0) yield;
    }
  }

  /** Whether a match is in a text of the row, and not among its numbers or in the escape of a character. */
  isText(store, row, index, needle) {
    const line = store.line(row);
    const firstText = line.indexOf('"');
    if (firstText < 0) return false;
    // Changes have names and numbers of their format.
    if (index - store.offset[row] > firstText && !line.includes("\\") && !line.endsWith("]]")) return true;
    return textsIn(store.parse(line)).some((text) => text.toLowerCase().includes(needle));
  }
}

/** A pattern that finds a text in the raw JSON of the rows, which escapes some characters. */
function rawPattern(query) {
  const raw = JSON.stringify(query).slice(1, -1).replaceAll("<", "\\u003c");
  return new RegExp(raw.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), /[^\0-\x7f]/.test(query) ? "giu" : "gi");
}

/** A growing list of rows in a typed array. */
class RowList {
  constructor() {
    this.rows = new Int32Array(1024);
    this.length = 0;
  }

  push(row) {
    if (this.length === this.rows.length) {
      const rows = new Int32Array(this.length * 2);
      rows.set(this.rows);
      this.rows = rows;
    }
    this.rows[this.length] = row;
    this.length += 1;
  }

  at(index) { return this.rows[index]; }

  /** Returns the index of the last row at or before `row`, or -1. */
  indexAt(row) {
    let [low, high] = [-1, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle] <= row) low = middle; else high = middle - 1;
    }
    return low;
  }
}
