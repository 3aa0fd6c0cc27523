// Reads a page without a browser, with the scripts of the page.
import fs from "node:fs";
import vm from "node:vm";
import { MessageChannel } from "node:worker_threads";

/** The scripts that need no document, and what they define. */
const names = ["schedule", "format", "store", "words", "hints", "filter", "state", "tree", "list"];
const values = ["Store", "Filter", "RowList", "List", "Kind", "atOnce", "wordsOf", "sentence", "explanationText", "visible", "kindLabels", "kindTitles", "kindNames", "nameOf", "reasons", "decisions", "describe", "valueAfter", "isEqual", "pathText",
  "TreeNode", "openNode"];

/** Returns the store of a page, and the values of its scripts. */
export function read(pageFile) {
  const html = fs.readFileSync(pageFile, "utf8");
  const sources = names.map((name) => fs.readFileSync(new URL(`../Sources/InspectorKit/Page/${name}.js`, import.meta.url), "utf8"));
  const context = vm.createContext({ performance, MessageChannel, console, setTimeout });
  const format = /^const rowFormat = .*$/m.exec(html)[0];
  vm.runInContext(`${format}\n${sources.join("\n")}\n;globalThis.parts = { ${values.join(", ")} }`, context);
  const { parts } = context;
  const elements = (attribute) => [...html.matchAll(new RegExp(`<script type="application/json" ${attribute}="(\\d+)">([^<]*)</script>`, "g"))];
  const store = new parts.Store(JSON.parse(/id="meta">([^<]*)<\/script>/.exec(html)[1]));
  const states = new Map(elements("data-states").map(([, number, text]) => [number, text]));
  for (const [, number, text] of elements("data-rows")) {
    parts.atOnce(store.addChunk(() => text, states.has(number) ? () => states.get(number) : null));
  }
  return { store, parts };
}
