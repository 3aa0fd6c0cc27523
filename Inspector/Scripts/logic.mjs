// Checks what the page reads without a browser: node logic.mjs PAGE.html TRACE.jsonl
// Each state is that of the trace, and a search finds what a search without an index finds.
import fs from "node:fs";
import { read } from "./page.mjs";

const [pageFile, traceFile] = process.argv.slice(2);
const { store, parts: { Filter, RowList, atOnce } } = read(pageFile);
const expected = new Map();
for (const line of fs.readFileSync(traceFile, "utf8").split("\n").filter(Boolean)) {
  const { id, to, state } = JSON.parse(line);
  if ((to ?? state) !== undefined) expected.set(id, to ?? state);
}
let [right, wrong] = [0, 0];
// Every state of a short trace, and some of a long one: a state is rebuilt from the last whole one.
const step = Math.ceil(expected.size / 5_000);
store.owners.forEach((owner, place) => owner.states.forEach((state, index) => {
  if (index % step !== 0) return;
  if (atOnce(store.stateText(place, index)) === expected.get(store.id[state.row])) right += 1; else wrong += 1;
}));
console.log(`${right} states are those of the trace, ${wrong} are not.`);
let isGood = wrong === 0 && right > 0 && store.owners.reduce((sum, { states: list }) => sum + list.length, 0) === expected.size;
for (const query of ["swift", "<Unav", "状態", "zeit", "🧭", "12", "zzz"]) {
  const [filter, found] = [new Filter(), new RowList()];
  filter.query = query;
  atOnce(filter.run(store, found, 0, () => {}));
  const { test } = filter;
  let count = 0;
  for (let row = 0; row < store.count; row += 1) {
    if (test(store, row) && store.row(row).slice(9).flat().some((value) => String(value).toLowerCase().includes(query.toLowerCase()))) count += 1;
  }
  if (found.length !== count) {
    isGood = false;
    console.log(`A search for ${query} finds ${found.length} entries instead of ${count}.`);
  }
}
process.exit(isGood ? 0 : 1);
