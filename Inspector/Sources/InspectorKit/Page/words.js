// What a row says, in words.
"use strict";

const sourceTexts = {
  caller: "the caller", observer: "an observer", action: "an action", subscription: "a subscription",
  effect: "an effect", eventSource: "an event source", middleware: "a middleware", transition: "a transition",
  elsewhere: "elsewhere",
};

const workTexts = {
  action: "an action", subscription: "a subscription", effect: "an effect", eventSource: "an event source",
  middleware: "a middleware", caller: "work of the caller", observer: "work of an observer",
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
  created: "created", received: "message", handled: "done", changed: "change", started: "work", suspended: "waits",
  ended: "ended", cancelled: "cancelled", failed: "failed", decided: "policy", dropped: "dropped",
  endlessChain: "endless", closed: "closed", gap: "gap", other: "other",
};

/** Returns the words of a row: what comes before its text, its text, and what comes after it. */
function wordsOf(store, row, length = 300) {
  const kind = kindNames[store.kind[row]];
  const detail = store.detail[row];
  const text = store.text(row);
  const ref = store.ref[row];
  const end = store.end[row];
  const words = (before, code = "", after = "") => ({ before, code: short(code, length), after });
  switch (kind) {
  case "created": return words("was created");
  case "received": {
    const cost = end >= 0 ? `, ${durationText(store.time[end] - store.time[row])}` : "";
    return words("", text, ` from ${sourceTexts[sources[detail]] ?? "an unknown source"}${cost}`);
  }
  case "handled": return words("processed ", ref >= 0 ? store.text(ref) : "a message outside of this page");
  case "changed": {
    const summary = changeSummary(store.row(row)[Field.difference]);
    const observers = detail > 0 ? `, for ${counted(detail, "observer")}` : "";
    return summary ? words("", summary, observers) : words(`the state changed${observers}`);
  }
  case "started": {
    const last = end >= 0 ? `, ${kindNames[store.kind[end]]} after ${durationText(store.time[end] - store.time[row])}`
      : ", under way at the end";
    return words(`${workTexts[sources[detail]] ?? "work"} for `, text, last);
  }
  case "suspended": return words("waits: ", ref >= 0 ? store.text(ref) : "work outside of this page");
  case "ended": case "cancelled":
    return words("", ref >= 0 ? store.text(ref) : "work outside of this page",
      ref >= 0 ? ` after ${durationText(store.time[row] - store.time[ref])}` : "");
  case "failed":
    return words("", text, ref >= 0 ? ` in ${short(store.text(ref), 80)}` : " outside of all works");
  case "decided": return words("", text, ` ${decisionTexts[decisions[detail]] ?? "is decided"}`);
  case "dropped": return words("", text);
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
