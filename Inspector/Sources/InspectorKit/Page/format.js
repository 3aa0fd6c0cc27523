// Reads the format of the embedded rows from `rowFormat`, which the program writes before this script. See RowFormat.swift.
"use strict";

/** The names of the kinds, and their numbers. */
const kindNames = rowFormat.kinds;
const Kind = Object.freeze(Object.fromEntries(kindNames.map((name, number) => [name, number])));

/** The positions of the values in a row. */
const Field = Object.freeze(Object.fromEntries(rowFormat.fields.map((name, place) => [name, place])));

/** What `detail` stands for: the source of a message or a work, a decision, and the reason of a drop. 0 is none of them. */
const [sources, decisions, reasons] = [rowFormat.sources, rowFormat.decisions, rowFormat.reasons].map((names) => ["", ...names]);

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
 * surrounds it. Line breaks and tabs are kept if `keepsLines` is true. The joiners of emoji and scripts stay.
 */
function visible(text, keepsLines = false) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code === 10) return keepsLines ? "\n" : "\\n";
    if (code === 9) return keepsLines ? "\t" : "\\t";
    return `\\u{${code.toString(16)}}`;
  });
}

/** The texts in a value of a row, also those of changes. */
function textsIn(value) {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/** The first `length` characters of a text, made visible. */
function short(text, length) {
  return text.length > length ? `${visible(text.slice(0, length))}…` : visible(text);
}
