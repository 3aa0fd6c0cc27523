// Work in slices of time, so that no task keeps the page from drawing.
"use strict";

/** The length of a slice in milliseconds. A frame has 16, and drawing needs some of them. */
const sliceLength = 8;

/** When the slice of this task ends. All work that one task does, one after the other, shares its slice. */
let sliceEnd = 0;

/** Returns a promise of a later turn of the event loop. Input and drawing may come first. */
const nextTurn = (() => {
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => {
    sliceEnd = performance.now() + sliceLength;
    waiting.shift()();
  };
  return () => new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(0);
  });
})();

/**
 * Runs a generator in slices of time. Each `yield` is a place where the slice may end.
 *
 * Returns a promise of its value, or of `undefined` if `isCancelled` returned true between two slices.
 */
async function inSlices(generator, isCancelled = () => false) {
  for (;;) {
    if (performance.now() >= sliceEnd) {
      await nextTurn();
      if (isCancelled()) return undefined;
    }
    const step = generator.next();
    if (step.done) return step.value;
  }
}

/** Runs a generator to its end, for work that is known to be short. */
function atOnce(generator) {
  for (;;) {
    const step = generator.next();
    if (step.done) return step.value;
  }
}

/** Returns a function that calls `body` once before the next frame, however often it is called until then. */
function oncePerFrame(body) {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(() => {
      isPending = false;
      body();
    });
  };
}
