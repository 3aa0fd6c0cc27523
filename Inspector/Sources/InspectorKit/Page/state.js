// States as trees of values, changes of them, and what differs between two.
"use strict";

/*
 * A value without parts is a string, its text. Another is an object, as in a trace: `{ type, parts }` of fields and
 * `{ case, parts }` of a case with pairs of a label and a value, `{ entries }` with pairs of a key and a value,
 * `{ elements }` or `{ members }` of a set. `more` is the number of parts that the trace leaves out.
 *
 * No value is ever altered. A value after a change shares what the change leaves alone, so equal parts are identical.
 */

const listKey = (value) => ["parts", "entries", "members", "elements"].find((key) => value[key]);
const hasPairs = (value) => Boolean(value.parts ?? value.entries);

/** How many parts a value has, and how many of them a trace leaves out. */
const countOf = (value) => value[listKey(value)]?.length ?? 0;
const moreOf = (value) => value.more ?? 0;

function partOf(value, index) {
  const part = value[listKey(value)][index];
  return hasPairs(value) ? part[1] : part;
}

/** The texts of members that have parts. They are their labels. */
const memberTexts = new WeakMap();

/** The label of a part in a path. An element has none. */
function labelOf(value, index) {
  if (hasPairs(value)) return value[listKey(value)][index][0];
  if (!value.members) return "";
  const member = value.members[index];
  if (typeof member === "string") return member;
  if (!memberTexts.has(member)) memberTexts.set(member, describe(member));
  return memberTexts.get(member);
}

/** The label that is shown before a part, which a text leaves out if it is a place or the name of the case. */
function shownLabel(value, index) {
  const label = hasPairs(value) ? labelOf(value, index) : "";
  return value.entries || (label !== value.case && !/^\d*$/.test(label)) ? label : "";
}

/** The name of a type or of a case. */
const headOf = (value) => value.type ?? `.${value.case}`;

/** The text of a value, which resembles source code. It ends early if it is longer than `limit`. */
function describe(value, limit = Infinity) {
  if (typeof value === "string") return value;
  let text = value.parts ? `${headOf(value)}(` : "[";
  const count = countOf(value);
  for (let i = 0; i < count && text.length <= limit; i += 1) {
    const label = shownLabel(value, i);
    text += `${i > 0 ? ", " : ""}${label || value.entries ? `${label}: ` : ""}${describe(partOf(value, i), limit - text.length)}`;
  }
  if (moreOf(value) > 0) text += count > 0 ? ", …" : "…";
  else if (count === 0 && value.entries) text += ":";
  return text + (value.parts ? ")" : "]");
}

function isSameKind(left, right) {
  return typeof left === "object" && typeof right === "object" && listKey(left) === listKey(right)
    && left.type === right.type && left.case === right.case;
}

function isEqual(left, right) {
  if (left === right) return true;
  if (!isSameKind(left, right) || countOf(left) !== countOf(right) || moreOf(left) !== moreOf(right)) return false;
  for (let i = 0; i < countOf(left); i += 1) if (!isEqualPart(left, i, right, i)) return false;
  return true;
}

const isEqualPart = (left, i, right, j) => (!hasPairs(left) || labelOf(left, i) === labelOf(right, j))
  && isEqual(partOf(left, i), partOf(right, j));

// MARK: Changes

/** Returns a value after a change, or `null` if it does not have the part. A part that is left out is only counted. */
function valueAfter(value, change, depth = 0) {
  const [path, from, to] = change;
  if (depth === path.length) return to;
  const list = value[listKey(value)];
  const step = path[depth];
  const isLast = depth === path.length - 1;
  const more = moreOf(value);
  const isElement = typeof step === "number";
  if (!list || isElement !== Boolean(value.elements)) return null;
  let place = isElement ? step : list.findIndex((_, index) => labelOf(value, index) === step);
  if (isElement && !(place >= 0 && place <= list.length + more)) return null;
  const changed = (parts, rest = more) => ({ ...value, [listKey(value)]: parts, more: rest });
  if (isLast && (from === null || to === null) && value.parts) return null;
  if (isLast && from === null) {
    if (to === null || (!isElement && place >= 0)) return null;
    if (!isElement) place = list.findIndex((_, index) => labelOf(value, index) > step);
    if (place < 0) place = list.length;
    if (place >= list.length && more > 0) return changed(list, more + 1);
    return changed(list.toSpliced(place, 0, value.entries ? [step, to] : to));
  }
  if (!(place >= 0 && place < list.length)) {
    if (more === 0 || value.parts) return null;
    return isLast && to === null ? changed(list, more - 1) : value;
  }
  if (isLast && to === null) return changed(list.toSpliced(place, 1));
  const part = valueAfter(partOf(value, place), change, depth + 1);
  return part === null ? null : changed(list.with(place, hasPairs(value) ? [step, part] : part));
}

/** The text of a path: `posts[3].title`. The value of a part that was inserted or removed says which one it is. */
function pathText([path, from, to]) {
  const last = path.at(-1);
  const isNamed = from !== null && to !== null || (typeof last !== "number" && last !== describe(from ?? to ?? ""));
  return (isNamed ? path : path.slice(0, -1)).reduce((text, step) => (/^[\p{L}_][\p{L}\d_]*$/u.test(step)
    ? `${text}${text && "."}${step}` : `${text}[${step}]`), "");
}

// MARK: Comparing

/** How many elements of two arrays are compared with each other. More are compared by their places. */
const maximumMatches = 100_000;

/**
 * Pairs the parts of a value with those of the value before: an array of `[index before, index after]`, in the order of
 * the value after, with -1 for a part that one of them does not have. Pairs of equal parts at both ends are given by
 * numbers alone: `{ head, tail, pairs }`.
 */
function* matchParts(before, after) {
  const [m, n] = [countOf(before), countOf(after)];
  let head = 0;
  const limit = Math.min(m, n);
  while (head < limit && isEqualPart(before, head, after, head)) {
    head += 1;
    if (head % 4096 === 0) yield;
  }
  let tail = 0;
  while (tail < limit - head && isEqualPart(before, m - 1 - tail, after, n - 1 - tail)) {
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
  const isKeyed = !after.elements;
  const keyOf = (value, index) => {
    if (isKeyed) return labelOf(value, index);
    const part = partOf(value, index);
    const id = part.parts?.find(([label]) => label === "id");
    return id ? `id ${describe(id[1], 100)}` : describe(part, 500);
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
  // Elements without a partner that are at the same place are one that changed.
  for (let i = 0; i < rights && lefts === rights && !isKeyed; i += 1) {
    if (partners[i] < 0 && !isTaken[i]) [partners[i], isTaken[i]] = [i, 1];
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
