// Checks what a page says about the trace of `generate.mjs hints`, without a browser: node hints.mjs PAGE.html
import { read } from "./page.mjs";

const { store, parts } = read(process.argv[2]);
const { Filter, Kind, List, Store, atOnce, explanationText, kindLabels, kindNames, kindTitles, nameOf, sentence, visible,
  wordsOf, describe, valueAfter, isEqual, pathText, TreeNode, openNode, reasons: reasonNames, decisions: decisionNames } = parts;
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
const request = "request of ShopApp/main.swift:46";
expect(explanationText(store, twice, twice.rows[0]),
  `${number(requests[0])} ${request} and ${number(requests[1])} ${request} were both started by ${number(cause)} `
  + `PayTapped(order: ShopApp.Order(cents: 5)). A policy decided about each of them: ${decisions.join(", ")}. The effect ShopApp/main.swift:46 `
  + `itself was started twice when Shop #2 was created: ${effects.map(number).join(", ")}.`,
  "Two works of one cause are named, and the effect that was registered twice");
expect(marked([...requests, cause]), [true, true, true], "Both works and their cause carry the mark");

expect([...effects, ...worksFor("clock"), ...requests].map((row) => store.isForLife(row)), [true, true, true, false, false],
  "An effect of a store and a subscription live as long as their owner");
expect(sentence(store, effects[0]), "work: an effect for ShopApp/main.swift:46, for the life of Shop #2", "An effect is named by its place");
expect(sentence(store, requests[0]), `work: an effect for ${request}, without an end in this trace`, "A request is named by its effect");

const equal = rows.filter((row) => store.isEqualState(row));
expect(equal.map((row) => sentence(store, row)), ["change: an equal state"], "A change to an equal state is named as such");
expect(store.equalStates, 1, "It is counted apart from changes");
const count = (name) => store.heads.reduce((sum, head) => sum + (head ? head[name] : 0), 0);
expect([count("changes"), count("equal")], [store.kindCounts[Kind.changed] - 1, 1], "So it is for each name");
expect(sentence(store, late.rows[0]).replace(/, for \d observers?$/, ""), 'change: results[0]: "swift" → "sweets"',
  "A change begins with its path");

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

const many = new Store({ owners: Array.from({ length: 65_537 }, (_, owner) => ["Feed", owner + 1]) });
many.addRow([1, 0, 1, 0, 1, 65_536, Kind.created, 0, 0], 0);
expect(many.owners[many.owner[0]].label, "Feed #65537", "An entry belongs to its owner if there are many");

/** The store of rows without a trace. `all` has for each row what comes after its number and its cause. */
function storeOf(all) {
  const made = new Store({ owners: [["Feed", 1]] });
  const lines = all.map(([kind, detail, text, cause = 0], i) => JSON.stringify([i + 1, cause, 1, i / 100, 1, 0, Kind[kind], detail, 0, text]));
  atOnce(made.addChunk(() => `[\n${lines.join(",\n")}\n]`, null));
  return made;
}
expect(kindNames.filter((name) => !kindLabels[name] || !kindTitles[name]), [], "Each kind has a short name and a title");

// Each text of a trace × texts that look like names, values, places and markup.
const texts = ["cannot read README.md", "/etc/Foo.conf", "https://api.example.Com/v1", "App.Status.done", "save(App.Library(a: 1))",
  "request of App/Posts.swift:12", "Sources/App/Posts.swift:12", "- ▿ a", "\u{1f469}\u200d\u{1f467}", "</script>", "a\\b"];
for (const text of texts) {
  const kinds = ["received", "dropped", "started", "decided", "failed", "recovered", "changed", "other"];
  const made = storeOf(kinds.map((kind) => [kind, 1, text]));
  expect(kinds.filter((_, row) => wordsOf(made, row).code !== text || nameOf(made, row) !== text), [], `${text} is not altered`);
  const [counted] = storeOf([["received", 1, text]]).heads.slice(1);
  expect(text.startsWith(counted.name.replace(/…\)?$/, "")) || counted.name === "(value)", true, `${text} is counted under its beginning`);
}
expect(visible("a\u202eb\n"), "a\\u{202e}b\\n", "A character that hides or reorders others is made visible");

const named = ["save", "restored", "deleted"].map((name) => `${name}(App.Library(a: 1))`);
expect(storeOf(named.map((text) => ["received", 1, text])).heads.slice(1).map(({ name }) => name), ["save", "restored", "deleted"],
  "Inputs with payloads of one type are counted apart");
expect(storeOf([1, 2].map((number) => ["received", 1, `feed(App.Feed.Input.load(${number}))`])).heads.slice(1).map(({ name, count: n }) => [name, n]),
  [["feed(App.Feed.Input.load…)", 2]], "The case of an inner input belongs to the name");

const reasons = ["ended", "cancelled", "endlessChain", "absent"].map((reason) => reasonNames.indexOf(reason));
const drops = storeOf(reasons.map((reason) => ["dropped", reason, "load(5)"]));
expect(reasons.map((_, row) => sentence(drops, row)), ["whose owner or sender had ended", "which was cancelled", "whose chain was stopped",
  "whose child was absent"].map((reason) => `dropped: load(5), ${reason}`), "A drop has a reason");

const calm = storeOf([["recovered", 0, "lost became a value"], ["decided", decisionNames.indexOf("dropped"), "load(5)"]]);
expect([calm.findings.size, calm.recovered, calm.droppedWorks], [0, [0], [1]], "Handled failures and works that a policy dropped are listed");

const [starts, waits] = ["starts", "waits"].map((decision) => decisionNames.indexOf(decision));
const nested = storeOf([["received", 1, "load(5)"], ["decided", starts, "load(5)", 1], ["decided", waits, "load(5)", 1],
  ["decided", starts, "load(6)", 1]]);
expect([1, 2, 3].map((row) => sentence(nested, row)), ["policy: load(5) starts (decision 1 of 2)",
  "policy: load(5) waits for earlier work (decision 2 of 2)", "policy: load(6) starts"], "Several decisions about a work are numbered");

// States: values of each kind with one part more or less.
const list = (...elements) => ({ elements });
const members = (...texts) => ({ members: texts });
const votes = (...entries) => ({ entries });
const feed = (...parts) => ({ type: "Feed", parts });
const after = (value, ...change) => { const result = valueAfter(value, change); return result && describe(result); };
expect([
  after(list("1", "2"), [1], null, "9"), after(list("1"), [1], null, "9"), after(list("1"), [0], "1", null), after(list("1"), [0], "1", "2"),
  after(members("a", "c"), ["b"], null, "b"), after(members("a"), ["a"], "a", null), after(votes(["a", "1"], ["c", "3"]), ["b"], null, "2"),
  after(votes(["a", "1"]), ["a"], "1", "2"), after(feed(["x", "1"], ["y", list("2")]), ["y", 0], "2", "3"), after("1", [], "1", "2"),
  after({ case: "loaded", parts: [["loaded", list("1")]] }, ["loaded", 0], "1", "2"), after({ type: "", parts: [["0", "1"], ["name", "2"]] }, ["0"], "1", "3"),
], ["[1, 9, 2]", "[1, 9]", "[]", "[2]", "[a, b, c]", "[]", "[a: 1, b: 2, c: 3]", "[a: 2]", "Feed(x: 1, y: [3])", "2", ".loaded([2])", "(3, name: 2)"],
"A change is applied to a value of each kind");
const cut = { elements: ["1", "2"], more: 3 };
expect([valueAfter(cut, [[4], null, "9"]).more, valueAfter(cut, [[2], null, "9"]).more, valueAfter(cut, [[4], "9", null]).more, valueAfter(cut, [[4], "9", "8"]),
  describe(cut), valueAfter({ members: ["a"], more: 1 }, [["b"], "b", null]).more], [4, 4, 2, cut, "[1, 2, …]", 0], "A part that is left out is only counted");
expect([[list("1"), [2], null, "9"], [list("1"), [1], "1", "2"], [list("1"), [-1], null, "9"], [list("1"), ["0"], "1", "2"], [members("a"), ["a"], null, "a"],
  [members("a"), [0], "a", "b"], [feed(["x", "1"]), ["y"], null, "2"], [feed(["x", "1"]), ["x"], "1", null], ["1", [0], "1", "2"], ["1", [], "1", null],
  [feed(["x", "1"]), ["x", "y"], "1", "2"]].map(([value, ...change]) => valueAfter(value, change)), Array(11).fill(null), "A change of another value gives none");
const shared = feed(["x", list("1")], ["y", list("2")]);
expect(valueAfter(shared, [["y", 0], "2", "3"]).parts[0][1] === shared.parts[0][1], true, "What a change leaves alone is shared");
expect([isEqual(list("1"), list("1")), isEqual(list("1"), members("1")), isEqual(list("1"), { ...list("1"), more: 1 }), isEqual(feed(["x", "1"]), feed(["y", "1"]))],
  [true, false, false, false], "Values are compared with their kinds and labels");
expect([[["posts", 3, "title"], "1", "2"], [["orders", 1], null, "9"], [["set", "c"], null, "c"], [["counts", '"a"'], "3", null], [[], "1", "2"]].map(pathText),
  ["posts[3].title", "orders", "set", 'counts["a"]', ""], "A path names the part that has changed");
const treeOf = (value, before) => {
  const node = new TreeNode(value, before, "changed", null);
  atOnce(openNode(node));
  return node.children.map((child) => (child.more ? child.more.text : `${child.mark} ${child.label} ${describe(child.value ?? child.before)}`.trim()));
};
expect(treeOf(votes(["a", "1"], ["c", "3"]), votes(["a", "0"], ["b", "2"])), ["changed a 1", "added c 3", "removed b 2"], "Entries are compared by their keys");
expect(treeOf(members("a", "c"), members("a", "b")), ["a", "added  c", "removed  b"], "So are the members of sets");
expect(treeOf({ ...list("1"), more: 5 }, { ...list("1"), more: 4 }), ["[0] 1", "and 5 more are not in the trace; before, 4 were not"], "What the trace leaves out is counted");
expect(treeOf({ case: "loaded", parts: [["loaded", "1"]] }, { case: "loaded", parts: [["loaded", "2"]] }), ["changed  1"], "A payload without a label has none");
process.exit(failures === 0 ? 0 : 1);
