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

/**
 * A text without the modules and types before the names in it: `.done` for `App.Episode.Status.done`, and `Order(1)` for
 * `App.Order(1)`. Strings in it are kept, and so are places such as `Basket.swift:32`.
 */
function plain(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"?|\w+\.swift:\d+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g, (part) => {
    const names = /^"|:\d+$/.test(part) ? [] : part.split(".");
    const last = names.at(-1);
    if (last === undefined || (!isUpper(last) && !names.some(isUpper))) return part;
    return isUpper(last) ? last : `.${last}`;
  });
}

const isUpper = (name) => /^[A-Z]/.test(name);

/** The words for the subject of a work: a place in the code names an effect of a store. */
function subjectOf(text) {
  const place = text.length < 400 ? /^(?:(\w+) of )?(?:[^"]*\/)?([^/"]+\.swift:\d+)$/.exec(text) : null;
  if (!place) return { before: "", code: text };
  return { before: place[1] ? `${place[1]} of the effect at ` : "the effect at ", code: place[2] };
}

/** The name of a message or a work as one text. */
function nameOf(store, row, length = 80) {
  const { before, code } = subjectOf(store.text(row));
  return before + short(plain(code.slice(0, length * 4)), length);
}

/** Returns the words of a row: what comes before its text, its text, and what comes after it. */
function wordsOf(store, row, length = 300) {
  const kind = kindNames[store.kind[row]];
  const detail = store.detail[row];
  const text = store.text(row);
  const ref = store.ref[row];
  const end = store.end[row];
  const words = (before, code = "", after = "") => ({ before, code: short(plain(code.slice(0, length * 4)), length), after });
  const work = (after) => {
    if (ref < 0) return words("work outside of this page", "", after);
    const subject = subjectOf(store.text(ref));
    return words(subject.before, subject.code, after);
  };
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
    if (text) return { before: "", code: short(text, length), after: observers };
    const summary = changeSummary(store.row(row)[Field.difference]);
    return summary ? words("", summary, observers) : words(`the state changed${observers}`);
  }
  case "started": {
    const subject = subjectOf(text);
    const last = end >= 0 ? `, ${kindNames[store.kind[end]]} after ${durationText(store.time[end] - store.time[row])}`
      : store.isForLife(row) ? `, for the life of ${store.owners[store.owner[row]].shortLabel}` : ", under way at the end";
    return words(subject.before || `${workTexts[sources[detail]] ?? "work"} for `, subject.code, last);
  }
  case "suspended": return work(" goes on later");
  case "ended": case "cancelled": return work(ref >= 0 ? ` after ${durationText(store.time[row] - store.time[ref])}` : "");
  case "failed": return words("", text, ref >= 0 ? ` in ${nameOf(store, ref)}` : " outside of all works");
  case "decided": return words("", text, ` ${decisionTexts[decisions[detail]] ?? "is decided"}`);
  case "dropped": case "recovered": return words("", text);
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

/** The first changes of a difference of states, in one line. Lines of the same label become one change. */
function changeSummary(difference) {
  if (!Array.isArray(difference) || difference.length === 0) return "";
  const strip = (line) => line.slice(1).replace(/^\s*(?:[-▿▹] )?/, "").slice(0, 200);
  const parts = [];
  let removed = [];
  for (const line of difference.slice(0, 400)) {
    const sign = signOf(String(line));
    const text = strip(String(line));
    if (sign === "-") {
      removed.push(parts.length);
      parts.push([text, null, depthOf(String(line))]);
    } else if (sign === "+") {
      const label = /^[\w.]+: /.exec(text)?.[0];
      const depth = depthOf(String(line));
      const partner = removed.find((index) => {
        const [before, after, depthBefore] = parts[index];
        return after === null && depth === depthBefore && (label ? before.startsWith(label) : !/^[\w.]+: /.test(before));
      });
      if (partner === undefined) parts.push([null, text]);
      else parts[partner][1] = label ? text.slice(label.length) : text;
    } else {
      removed = [];
    }
  }
  const words = parts.slice(0, 3).map(([before, after]) =>
    before === null ? `+ ${after}` : after === null ? `− ${before}` : `${before} → ${after}`);
  return words.join(", ") + (parts.length > 3 ? `, ${parts.length - 3} more` : "");
}

/** The indentation of a line of a difference. */
const depthOf = (line) => line.slice(1).search(/\S/);

/** The sign of a line of a difference: "-", "+" or " ". */
function signOf(line) {
  const first = line.charAt(0);
  return first === "−" || first === "-" ? "-" : first === "+" ? "+" : " ";
}
