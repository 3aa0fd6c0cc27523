// Explains what the index has found suspicious: with what a row was compared, and what has led to it.
"use strict";

/**
 * Returns the explanation of a finding for one of its rows, as texts and rows. A row stands for its number and its name.
 * An empty list means that the title says everything.
 */
function explanationOf(store, { title, facts }, row) {
  const { other, work, answer } = facts.get(row) ?? {};
  const explain = {
    [Hint.late]: () => explainLate(store, row, work, other, answer),
    [Hint.twice]: () => explainTwice(store, row, other),
    [Hint.again]: () => [other, ` had started ${later(store, other, row)} before, and has not ended. ${policyText(store, [other, row])}`],
    [Hint.replaced]: () => ["The work ", work, " was replaced by ", other, ", and has not stopped."],
    [Hint.answerAfterClose]: () => [`The owner was closed ${later(store, other, row)} before the answer of `, work, "."],
    [Hint.afterClose]: () => [`The owner was closed ${later(store, other, row)} before.`],
  }[title];
  return explain && other >= 0 ? explain() : [];
}

function explainLate(store, row, work, newer, answer) {
  const { name, owner } = store.heads[store.head[work]];
  return ["The answer of ", work, ` came ${later(store, answer, row)} after that of `, newer, ", which started later; "
    + `no policy cancels the older one. Compared are the works for ${visible(name)} of ${store.owners[owner].shortLabel
    } that started without a policy.`];
}

function explainTwice(store, row, other) {
  const copies = registrations(store, row);
  const parts = [other, " and ", row, " were both started by ", store.cause[row], `. ${policyText(store, [other, row])}`];
  if (copies.length < 2) return parts;
  const times = copies.length === 2 ? "twice" : `${grouped(copies.length)} times`;
  parts.push(` The effect ${nameOf(store, copies[0])} itself was started ${times} when ${
    store.owners[store.owner[row]].shortLabel} was created: `);
  copies.slice(0, 8).forEach((copy, index) => parts.push(...(index > 0 ? [", ", { number: copy }] : [{ number: copy }])));
  return [...parts, "."];
}

/** The works that listen for the life of the owner and whose effect has started a work. */
function registrations(store, row) {
  const place = /^\w+ of (.*)$/.exec(store.text(row))?.[1];
  if (!place) return [];
  return store.owners[store.owner[row]].works.filter((work) => work < row && store.cause[work] === none
    && (store.end[work] < 0 || store.end[work] > row) && store.text(work) === place);
}

/** What policies have to do with works. */
function policyText(store, works) {
  if (works.every((work) => store.isWithoutPolicy(work))) return "They started without a policy.";
  const decided = works.filter((work) => store.policy[work] >= 0);
  if (decided.length < works.length) return "";
  return `A policy decided about each of them: ${decided.map((work) => `#${store.id[store.policy[work]]}`).join(", ")}.`;
}

const later = (store, first, second) => durationText(Math.max(0, store.time[second] - store.time[first]));

/** An explanation as one text. */
function explanationText(store, finding, row) {
  return explanationOf(store, finding, row).map((part) => (typeof part === "string" ? part
    : typeof part === "number" ? `#${store.id[part]} ${nameOf(store, part)}` : `#${store.id[part.number]}`)).join("");
}
