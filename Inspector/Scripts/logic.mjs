// Checks what the page reads without a browser: node logic.mjs PAGE.html TRACE.jsonl, whose states are in TRACE.jsonl.states
// Each state is that of the trace, and a search finds what a search without an index finds.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { read } from "./page.mjs";

const [pageFile, traceFile] = process.argv.slice(2);
const { store, parts: { Filter, RowList, atOnce, describe } } = read(pageFile);
const expected = new Map(fs.readFileSync(`${traceFile}.states`, "utf8").split("\n").filter(Boolean).map((line) => line.split(" ")));
let [right, wrong] = [0, 0];
// Every state of a short trace, and some of a long one: a state is rebuilt from the last whole one.
const step = Math.ceil(expected.size / 5_000);
store.owners.forEach((owner, place) => owner.states.forEach((state, index) => {
  if (index % step !== 0) return;
  const digest = createHash("md5").update(describe(atOnce(store.states(place, [index]))[0])).digest("hex");
  if (digest === expected.get(String(store.id[state.row]))) right += 1; else wrong += 1;
}));
console.log(`${right} states are those of the trace, ${wrong} are not.`);
let isGood = wrong === 0 && right > 0 && store.owners.reduce((sum, { states: list }) => sum + list.length, 0) === expected.size;
const texts = (value) => (typeof value === "string" ? [value] : Array.isArray(value) ? value.flatMap(texts)
  : value && typeof value === "object" ? Object.values(value).flatMap(texts) : []);
for (const query of ["type", "swift", "<Unav", "状態", "zeit", "🧭", "12", "zzz"]) {
  const [filter, found] = [new Filter(), new RowList()];
  filter.query = query;
  atOnce(filter.run(store, found, 0, () => {}));
  const { test } = filter;
  let count = 0;
  for (let row = 0; row < store.count; row += 1) {
    if (test(store, row) && texts(store.row(row)).some((text) => text.toLowerCase().includes(query.toLowerCase()))) count += 1;
  }
  if (found.length !== count) {
    isGood = false;
    console.log(`A search for ${query} finds ${found.length} entries instead of ${count}.`);
  }
}
process.exit(isGood ? 0 : 1);
