// The format of the embedded rows, as RowEncoder.swift writes it.
"use strict";

const Kind = Object.freeze({
  created: 0, received: 1, handled: 2, changed: 3, started: 4, suspended: 5, ended: 6, cancelled: 7, failed: 8,
  decided: 9, dropped: 10, endlessChain: 11, closed: 12, gap: 13, recovered: 14, other: 15,
});

const kindNames = Object.keys(Kind);

/**
 * The positions of the values in a row. The later ones may be missing. The text of a change is its summary. The difference
 * of a change is empty, and not missing, if both states have the same text.
 */
const Field = Object.freeze({
  id: 0, cause: 1, root: 2, time: 3, thread: 4, owner: 5, kind: 6, detail: 7, ref: 8, text: 9, difference: 10,
});

/** `detail` of a message or a work: its source. */
const sources = [
  "", "caller", "observer", "action", "subscription", "effect", "eventSource", "middleware", "transition", "elsewhere",
];

/** `detail` of a decision. */
const decisions = ["", "starts", "waits", "delayed", "dropped", "replaced"];

const isEndOfWork = (kind) => kind === Kind.ended || kind === Kind.cancelled || kind === Kind.failed;

/** A whole number with its digits in groups. A formatter of the browser would load the data of its locales. */
const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");

function counted(number, one, many = one + "s") {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** The text of a moment, in seconds. */
const momentText = (seconds) => `${seconds.toFixed(3)} s`;

/** The text of a duration, with three digits. */
function durationText(seconds) {
  if (!(seconds >= 0)) return "–";
  if (seconds < 0.000_001) return `${Math.round(seconds * 1e9)}\u00a0ns`;
  if (seconds < 0.001) return `${(seconds * 1e6).toPrecision(3)}\u00a0µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)}\u00a0ms`;
  if (seconds < 100) return `${seconds.toPrecision(3)}\u00a0s`;
  return `${grouped(Math.round(seconds))}\u00a0s`;
}

/**
 * A text with its control characters made visible, so that a text of a trace can neither reorder nor hide what
 * surrounds it. Line breaks and tabs are kept if `keepsLines` is true.
 */
function visible(text, keepsLines = false) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code === 10) return keepsLines ? "\n" : "\\n";
    if (code === 9) return keepsLines ? "\t" : "\\t";
    return `\\u{${code.toString(16)}}`;
  });
}

/** The first `length` characters of a text, made visible. */
function short(text, length) {
  return text.length > length ? `${visible(text.slice(0, length))}…` : visible(text);
}
