// Checks what a page says about the trace of `generate.mjs hints`, without a browser: node hints.mjs PAGE.html
import { read } from "./page.mjs";

const { store, parts } = read(process.argv[2]);
const { Filter, Kind, List, explanationText, plain, sentence, splitTail } = parts;
let failures = 0;
function expect(actual, expected, text) {
  const isTrue = JSON.stringify(actual) === JSON.stringify(expected);
  console.log(`${isTrue ? "ok    " : "FAILED"} ${text}${isTrue ? "" : `: ${JSON.stringify(actual)}`}`);
  if (!isTrue) failures += 1;
}
const rows = Array.from({ length: store.count }, (_, row) => row);
const number = (row) => `#${store.id[row]}`;
const worksFor = (text) => rows.filter((row) => store.kind[row] === Kind.started && store.text(row) === text);
const withoutTimes = (text) => text.replace(/[\d.,]+\u00a0(?:ns|µs|ms|s)/g, "TIME");
const finding = (title) => store.findings.get(title) ?? { rows: [] };
const marked = (list) => list.map((row) => (store.flags[row] & 2) !== 0);

const late = finding("An older work answers after a newer one");
const [[older], [newer]] = [worksFor('typed("s")'), worksFor('typed("sw")')];
expect(late.rows.map((row) => store.cause[row]), [older], "Only works without a policy and of one name are compared");
expect(withoutTimes(explanationText(store, late, late.rows[0])),
  `The answer of ${number(older)} typed("s") came TIME after that of ${number(newer)} typed("sw"), which started later; no policy `
  + "cancels the older one. Compared are the works for typed of Search #1 that started without a policy.",
  "A late answer names both works, and what was compared");
expect(marked([older, newer, late.rows[0]]), [true, true, true], "Both works and the answer carry the mark");
expect(marked(worksFor('opened("a")').concat(worksFor('opened("b")'))), [false, false], "Works that a policy manages carry none");
expect([older, ...worksFor('opened("a")')].map((row) => store.isWithoutPolicy(row)), [true, false],
  "A work without a decision was started without a policy");
expect(store.findingsOf(older).map(({ row }) => row), late.rows, "A marked row leads to the finding");

const twice = finding("Started twice by the same cause");
const requests = worksFor("request of ShopApp/main.swift:46");
const effects = worksFor("ShopApp/main.swift:46");
const cause = store.cause[requests[0]];
const decisions = requests.map((row) => number(store.policy[row]));
const request = "request of the effect at main.swift:46";
expect(explanationText(store, twice, twice.rows[0]),
  `${number(requests[0])} ${request} and ${number(requests[1])} ${request} were both started by ${number(cause)} `
  + `PayTapped(order: Order(cents: 5)). A policy decided about each of them: ${decisions.join(", ")}. The effect at main.swift:46 `
  + `itself was started twice when Shop #2 was created: ${effects.map(number).join(", ")}.`,
  "Two works of one cause are named, and the effect that was registered twice");
expect(marked([...requests, cause]), [true, true, true], "Both works and their cause carry the mark");

expect([...effects, ...worksFor("clock"), ...requests].map((row) => store.isForLife(row)), [true, true, true, false, false],
  "An effect of a store and a subscription live as long as their owner");
expect(sentence(store, effects[0]), "work: the effect at main.swift:46, for the life of Shop #2", "An effect is named by its place");
expect(sentence(store, requests[0]), `work: ${request}, under way at the end`, "A request is named by its effect");

const equal = rows.filter((row) => store.isEqualState(row));
expect(equal.map((row) => sentence(store, row)), ["change: an equal state"], "A change to an equal state is named as such");
expect(store.equalStates, 1, "It is counted apart from changes");
const count = (name) => store.heads.reduce((sum, head) => sum + (head ? head[name] : 0), 0);
expect([count("changes"), count("equal")], [store.kindCounts[Kind.changed] - 1, 1], "So it is for each name");
expect(sentence(store, late.rows[0]).replace(/, for \d observers?$/, ""), 'change: results[0]: "swift" → "sweets"',
  "A change begins with its path");

expect(plain("request of Shop/Basket.swift:32"), "request of Shop/Basket.swift:32", "A place in the sources stays");
expect(plain('App.A.Status.done, App.Order(to: a.example.com, note: "App.Order", 1.5)'),
  '.done, Order(to: a.example.com, note: "App.Order", 1.5)', "Modules and types before names are dropped, except in strings");
expect(splitTail("x".repeat(40)).map((part) => part.length), [26, 14], "A long text is cut in its middle");
expect(splitTail(`${"x".repeat(17)}\u{1d54a}${"x".repeat(13)}`)[1], `\u{1d54a}${"x".repeat(13)}`, "A character is not cut in two");

expect(rows.filter((row) => store.isWithoutEffect(row)).map((row) => store.text(row)), ["ignored", "ignored"],
  "A message is without effect if it has changed nothing and left no work under way");

const steps = store.kindCounts[Kind.handled] + store.kindCounts[Kind.suspended];
const filter = new Filter();
expect(filter.hiddenSteps(store), steps, "Hidden steps are counted");
filter.groups[0] = false;
expect(filter.hiddenSteps(store), steps, "Other hidden entries are not counted");
for (const part of [{ query: "s" }, { owner: 0 }, { head: 1 }, { root: 0 }, { flag: 2 }]) {
  expect(Object.assign(new Filter(), part).hiddenSteps(store), 0, `With ${JSON.stringify(part)}, steps are not all that is hidden`);
}
filter.groups.fill(true);
expect(filter.hiddenSteps(store), 0, "Shown steps are not");
const match = (query, row, words) => List.prototype.hiddenMatch.call({ query, store }, row, words);
expect(match("SWEETS", late.rows[0], { before: "", code: "results", after: "" }).includes('"sweets"'), true,
  "A match outside of the words of a row is shown");
expect(match("result", late.rows[0], { before: "", code: "results", after: "" }), "", "A match in the words of a row is not repeated");

const { Store } = parts;
const many = new Store({ owners: Array.from({ length: 65_537 }, (_, owner) => ["Feed", owner + 1]) });
many.addRow([1, 0, 1, 0, 1, 65_536, Kind.created, 0, 0], 0);
expect(many.owners[many.owner[0]].label, "Feed #65537", "An entry belongs to its owner if there are many");
process.exit(failures === 0 ? 0 : 1);
