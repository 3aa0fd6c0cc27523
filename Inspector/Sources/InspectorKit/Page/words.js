// What a row says, in words.
"use strict";

const sourceTexts = {
  caller: "outside", observer: "an observer", action: "an action", subscription: "a subscription",
  effect: "an effect", eventSource: "an event source", middleware: "a middleware", transition: "a transition",
  elsewhere: "elsewhere",
};

const workTexts = {
  action: "an action", subscription: "a subscription", effect: "an effect", eventSource: "an event source",
  middleware: "a middleware", caller: "work from outside", observer: "work of an observer",
  transition: "work of a transition", elsewhere: "work of elsewhere",
};

const decisionTexts = {
  starts: "starts", waits: "waits for earlier work", delayed: "is delayed", dropped: "is dropped, and never starts",
  replaced: "is cancelled for newer work",
};

const reasonTexts = {
  ended: ", whose owner or sender had ended", cancelled: ", which was cancelled", endlessChain: ", whose chain was stopped",
  absent: ", whose child was absent",
};

const decisionExplanations = {
  starts: "The policy starts this work.",
  waits: "The policy lets this work wait until earlier work has ended.",
  delayed: "The policy lets this work wait for its clock, as in a debounce or a throttle.",
  dropped: "The policy drops this work, because other work is under way or newer. It never starts.",
  replaced: "The policy cancels this work, which had started, because newer work replaces it.",
};

/** The short name of a kind, with which a row of the list begins. */
const kindLabels = {
  created: "created", received: "message", handled: "done", changed: "change", started: "work", suspended: "later",
  ended: "ended", cancelled: "cancelled", failed: "failed", decided: "policy", dropped: "dropped",
  endlessChain: "endless", closed: "closed", gap: "gap", recovered: "recovered", other: "other",
};

const kindPlurals = { received: "messages", changed: "changes", started: "works", decided: "policies", gap: "gaps" };

/** What the short names mean, for pointing at them. */
const kindTitles = {
  created: "The owner was created", received: "The processing of a message begins. “From outside” is code that is neither an effect nor an observer, such as a view.",
  handled: "The processing of a message has ended", changed: "The state was replaced", started: "A work was started: an action, an effect or a subscription",
  suspended: "A work goes on later, when what it waits for has come", ended: "A work has ended by itself", cancelled: "A work was cancelled",
  failed: "A work has failed", decided: "A policy has decided about a work", dropped: "A message was not processed",
  endlessChain: "A chain of messages grows without an end", closed: "The owner has ended", gap: "Events are missing here",
  recovered: "A failure was handled, and has become something else", other: "An entry of a kind that this page does not know",
};

/** The name of a message or a work as one text. */
function nameOf(store, row, length = 80) { return short(store.text(row), length); }

/** Returns the words of a row: what comes before its text, its text, and what comes after it. */
function wordsOf(store, row, length = 300) {
  const kind = kindNames[store.kind[row]];
  const detail = store.detail[row];
  const text = store.text(row);
  const ref = store.ref[row];
  const end = store.end[row];
  const words = (before, code = "", after = "") => ({ before, code: short(code, length), after });
  const work = (after) => (ref < 0 ? words("work outside of this page", "", after) : words("", store.text(ref), after));
  switch (kind) {
  case "created": return words("was created");
  case "received": {
    const cost = end >= 0 ? `, ${durationText(store.time[end] - store.time[row])}` : "";
    return words("", text, ` from ${sourceTexts[sources[detail]] ?? "an unknown source"}${cost}`);
  }
  case "handled": return words("processed ", ref >= 0 ? store.text(ref) : "a message outside of this page");
  case "changed": {
    if (store.isEqualState(row)) return words("an equal state");
    const observers = detail > 0 ? `, for ${counted(detail, "observer")}` : "";
    // The program has written what changed if the trace has both states.
    return text ? words("", text, observers) : words(`the state changed${observers}`);
  }
  case "started": {
    const last = end >= 0 ? `, ${kindNames[store.kind[end]]} after ${durationText(store.time[end] - store.time[row])}`
      : store.isForLife(row) ? `, for the life of ${store.owners[store.owner[row]].shortLabel}` : ", without an end in this trace";
    return words(`${workTexts[sources[detail]] ?? "work"} for `, text, last);
  }
  case "suspended": return work(" goes on later");
  case "ended": case "cancelled": return work(ref >= 0 ? ` after ${durationText(store.time[row] - store.time[ref])}` : "");
  case "failed": return words("", text, ref >= 0 ? ` in ${nameOf(store, ref)}` : " outside of all works");
  case "decided": {
    const others = decisionsLike(store, row);
    const number = others.length > 1 && others.includes(row) ? ` (decision ${others.indexOf(row) + 1} of ${others.length})` : "";
    return words("", text, ` ${decisionTexts[decisions[detail]] ?? "is decided"}${number}`);
  }
  case "dropped": return words("", text, reasonTexts[reasons[detail]] ?? "");
  case "recovered": return words("", text);
  case "endlessChain": return words("grows too fast: ", text);
  case "closed": return words("was closed");
  case "gap": return words(`${counted(store.row(row)[Field.detail] || 0, "event")} missing before this place`);
  default: return words("", text);
  }
}

/** The words of a row as one text. */
function sentence(store, row, length = 120) {
  const { before, code, after } = wordsOf(store, row, length);
  return `${kindLabels[kindNames[store.kind[row]]]}: ${before}${code}${after}`;
}

/**
 * The decisions about works with the cause and the subject of a decision. There are several if policies are nested or
 * stand beside each other, because each of them decides, and if a work waits before it starts.
 */
function decisionsLike(store, row) {
  const [text, result] = [store.text(row), []];
  for (let each = store.firstEffect[store.cause[row]] ?? none; each >= 0 && result.length < 100; each = store.nextEffect[each]) {
    if (store.kind[each] === Kind.decided && store.owner[each] === store.owner[row] && store.text(each) === text
      && decisions[store.detail[each]] !== "replaced") result.push(each);
  }
  return result;
}
