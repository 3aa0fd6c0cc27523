// Checks what the pages of `generate.mjs shown` and `other` show, in Chromium:
// node shown.mjs SHOWN.html DIFF.html [--mutants]
// The numbers are those of the events in the traces. With --mutants, it breaks the scripts of the pages in one place at
// a time, and fails if the checks do not notice it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, wait } from "./browser.mjs";

const [shownFile, diffFile] = process.argv.slice(2);
const browser = await launch();

/** The lines of a state that carry a mark, with their values before. */
const marked = `[...document.querySelectorAll('.tree .node')].filter((each) => each.querySelector('.mark'))
  .map((each) => ["mark", "label", "value", "was"].map((name) => each.querySelector('.' + name)?.textContent ?? "").join(""))`;

/** Checks the page of one trace. `expect` receives a function that reads what is shown, what should be, and a claim. */
async function checkShown(url, expect) {
  const page = await browser.tab({ height: 2_400 });
  await page.open(url);
  // Afterwards, the list and the panel have been drawn, unless the machine is busy.
  const perform = (script) => page.evaluate(`(async () => {
    ${script};
    for (let i = 0; i < 4; i += 1) await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
  })()`);
  const numbers = (selector) => page.evaluate(`[...document.querySelectorAll('${selector}')].filter((each) => !each.closest('[hidden]'))
    .map((each) => Number(each.textContent.slice(1)))`);
  const rows = () => numbers("#list .row .number");
  const texts = (selector) => page.evaluate(`[...document.querySelectorAll('${selector}')].map((each) => each.textContent)`);
  const press = (text) => perform(`[...document.querySelectorAll('#panel button, header button')].find((each) => each.textContent === '${text}').click()`);
  const open = (tab) => perform(`document.getElementById('tab-${tab}').click()`);
  const select = (number) => perform(`page.search('#${number}')`);
  const stateOf = async (number) => {
    await select(number);
    await open("state");
  };
  const changes = () => page.evaluate(marked);

  // 1 to 49 without steps, which are hidden.
  const steps = [5, 9, 12, 16, 18, 20, 23, 26, 29, 35, 38, 44];
  const all = Array.from({ length: 49 }, (_, index) => index + 1).filter((number) => !steps.includes(number));
  await expect(rows, all, "The list shows all entries but steps");

  await perform("document.getElementById('owner').value = '1', document.getElementById('owner').dispatchEvent(new Event('change'))");
  await expect(rows, [2, 6, 7, 8, 13, 41], "The filter of owners shows the entries of one owner");
  await press("Clear filter");
  await expect(rows, all, "Without a filter, all entries are shown again");
  await press("Messages");
  await expect(rows, all.filter((number) => ![1, 2, 3, 6, 10, 14, 17, 19, 21, 24, 27, 33, 36, 42, 45].includes(number)),
    "A button of kinds hides these kinds");
  await press("Messages");

  await select(11);
  await expect(() => numbers("#panel .chain .number"), [6, 7, 10, 11], "The causes of an entry begin with the input");
  await expect(async () => (await texts("#panel h3 + p"))[0], "3 steps in 11.0\u00a0ms, from #6 to #11.", "So do the words");
  await expect(() => page.evaluate("document.querySelector('#panel .chain [aria-current] .number').textContent"), "#11", "The selected entry is marked");
  await press("Only this chain");
  await expect(rows, [6, 7, 8, 10, 11, 13], "The filter of a chain shows the entries of one input");
  await press("Clear filter");

  await stateOf(15);
  await expect(changes, ["~Cart", "~count: 2 was 1"], "A state is compared with the one before it");
  await stateOf(8);
  await expect(changes, ["~Shop", "~sold: 101 was 100"], "The state of another owner is compared with its own");
  await stateOf(11);
  await expect(changes, ["~Cart", "~count: 1 was 0"], "The state before it may be far away");
  await stateOf(14);
  await expect(changes, ["~Cart", "~count: 2 was 1"], "A message is shown with what it has changed");
  await stateOf(17);
  await expect(changes, [], "So is one that has changed nothing");
  await expect(async () => (await texts("#panel .facts"))[0].slice(0, 52), "This message changed nothing. The last change: #15 c", "The page says so, and names the last change");
  await stateOf(4);
  await expect(changes, ["~Cart", "~items: 3 elements"], "Elements that have moved are neither added nor removed");
  await expect(async () => (await texts(".tree .node")).filter((text) => text.includes("Item(")).map((text) => /\(id: (\d)\)/.exec(text)[1]),
    ["3", "1", "2"], "They are shown in their new order");

  await stateOf(15);
  await open("entry");
  await expect(() => texts("#panel .difference span"), ["count\n", "− 1\n", "+ 2\n"], "What a change has changed is listed");

  await open("counts");
  const works = async () => {
    const table = await page.evaluate(`[...document.querySelectorAll('#panel table')].map((table) => [...table.rows].map((row) =>
      [...row.cells].map((cell) => cell.textContent)))`);
    return table[1]?.filter(([name]) => name === "Name" || name.startsWith("load")).map(([, ...cells]) => cells.filter((_, index) => index === 0 || index > 3));
  };
  await expect(works, [["Count", "Ended", "Failed", "Cancelled"], ["4", "2", "1", "1"]], "Works that ended, failed and were cancelled are counted apart");

  await open("findings");
  const findings = async () => Object.fromEntries(await page.evaluate(`[...document.querySelectorAll('#panel h3')].map((each) => [each.textContent,
    [...each.nextElementSibling.querySelectorAll('.entry > .number')].map((number) => Number(number.textContent.slice(1)))])`));
  await expect(findings, {
    "Failures (1)": [30], "Dropped messages (1)": [41], "Processing took longer than 50 ms (1)": [17], "The same work is already under way (1)": [25],
    "An answer of work that a policy had replaced (1)": [39], "An answer after the owner was closed (1)": [46],
    "Started after its owner was closed (1)": [47],
  }, "Each problem and each hint is listed once, and nothing else");
  await expect(async () => (await texts("#panel .because")).map((text) => text.replace(/[\d.]+\u00a0ms/, "TIME")), [
    "#22 load(1) had started TIME before, and has not ended. They started without a policy.",
    "The work #34 search was replaced by #37 search, and has not stopped.",
    "The owner was closed TIME before the answer of #43 last.", "The owner was closed TIME before.",
  ], "A hint says what was compared");
  await press("List the problems");
  await expect(rows, [30, 41], "The filter of problems shows the problems");
  await press("List the hints");
  await expect(rows, [17, 22, 25, 34, 39, 43, 46, 47], "The filter of hints shows them with what they are compared with");
  await expect(() => page.errors, [], "Nothing is reported on the console");
  await page.close();
}

/** Checks the page of two runs. */
async function checkDiff(url, expect) {
  const page = await browser.tab({ height: 2_400 });
  await page.open(url);
  const selected = () => page.evaluate(`[...document.querySelectorAll('.pair.selected:not([hidden]) .number')].map((each) => each.textContent.trim())`);
  const chains = () => page.evaluate(`[...document.querySelectorAll('#compared ol')].map((list) =>
    [...list.querySelectorAll('.number')].map((each) => Number(each.textContent.slice(1))))`);
  await expect(() => page.evaluate("document.getElementById('summary').textContent"), "The runs differ in 3 places. 0 entries before them correspond.",
    "The runs differ where they create owners, and at two changes");
  await expect(selected, ["#1", "#1"], "The first difference is selected");
  await page.key("n");
  await expect(selected, ["#11", "#11"], "n selects the next difference");
  await expect(chains, [[6, 7, 10, 11], [6, 7, 10, 11]], "The causes of both entries begin with the input");
  await expect(() => page.evaluate(marked), ["~Cart", "~count: 11 was 1"], "States of the same owner are compared, wherever it is in the lists of owners");
  await page.key("n");
  await expect(selected, ["#15", "#15"], "n again selects the one after it");
  await page.key("p");
  await expect(selected, ["#11", "#11"], "p selects the difference before it");
  await page.key("p");
  await expect(selected, ["#1", "#1"], "p again selects the one before that");
  await expect(() => page.errors, [], "Nothing is reported on the console");
  await page.close();
}

/** What is broken, in which page, and the text before and after. */
const mutants = [
  ["An owner filters nothing", shownFile, "(owner < 0 || store.owner[row] === owner)", "true"],
  ["A chain filters nothing", shownFile, "(root < 0 || store.root[row] === root)", "true"],
  ["A mark filters nothing", shownFile, "(flag === 0 || (store.flags[row] & flag) !== 0)", "true"],
  ["Any mark is a problem", shownFile, "(store.flags[row] & flag) !== 0", "store.flags[row] !== 0"],
  ["The buttons of kinds filter nothing", shownFile, "isShown[store.kind[row]] === 1", "true"],
  ["The chain of causes is upside down", shownFile, "return chain.reverse();", "return chain;"],
  ["A state is compared with one that is older", shownFile, ": last - 1;", ": last - 2;"],
  ["A message is shown with what was changed before", shownFile, "const first = isMessage ?", "const first = false ?"],
  ["A message is shown without what it changed", shownFile, "isMessage ? store.end[selected] : selected", "selected"],
  ["The state of the first owner is shown", shownFile, "this.stateOwner : store.owner[selected];\n    // A message", "this.stateOwner : 0;\n    // A message"],
  ["Elements that have moved are removed", shownFile, "if (partner >= 0) isTaken[partner] = 1;", ""],
  ["A state is that before its change", shownFile, "next <= index; next += 1", "next < index; next += 1"],
  ["What a change has changed is not listed", shownFile, "return [make(\"h3\", \"\", \"What changed\"), block];", "return [];"],
  ["A failure is counted as an end", shownFile, "head[kindNames[kind]] += 1", "head.ended += 1"],
  ["No message is slow", shownFile, "this.hint(ref, Hint.slow)", "0"],
  ["A quick message is slow", shownFile, "> 0.05)", "> 0.03)"],
  ["The same work is not noticed", shownFile, "if (hasHint) this.hint", "if (false) this.hint"],
  ["Works that have ended are still under way", shownFile, "if (index >= 0) works.splice(index, 1);", ""],
  ["Work after the end of its owner is not noticed", shownFile, "if (owner.closed >= 0) this.hint(row, Hint.afterClose", "if (false) this.hint(row, Hint.afterClose"],
  ["An answer after the end of its owner is not noticed", shownFile, "if (owner.closed >= 0) this.hint(row, Hint.answerAfterClose", "if (false) this.hint(row, Hint.answerAfterClose"],
  ["An answer of replaced work is not noticed", shownFile, "if (decision !== undefined) this.hint", "if (false) this.hint"],
  ["What was compared carries no mark", shownFile, "for (const each of marks) this.flags[each] |= Flag.hint;", ""],
  ["Owners of the same place are compared", diffFile, "stores[other].owners.findIndex((each) => each.label === label)", "owner"],
  ["The previous difference is the first one", diffFile, "differences.findLast(", "differences.find("],
  ["The causes of an entry of two runs are upside down", diffFile, "chain.reverse().map", "chain.map"],
  ["The states of two runs are exchanged", diffFile, "show(right ?? left, right === null ? null : left)", "show(left ?? right, left === null ? null : right)"],
];

let failures = 0;

/** Reads what a page shows until it is what is expected, for `seconds` at most. Returns the last that was read. */
async function reading(read, expected, seconds) {
  for (let i = 0; ; i += 1) {
    const actual = await read();
    if (JSON.stringify(actual) === JSON.stringify(expected) || i >= seconds * 20) return actual;
    await wait(50);
  }
}

/** Checks a page. Throws at the first claim that does not hold if `isBroken` is true, and otherwise prints each claim. */
async function check(file, isBroken, original = file) {
  await (original === shownFile ? checkShown : checkDiff)(pathToFileURL(path.resolve(file)).href, async (read, expected, text) => {
    const actual = await reading(read, expected, isBroken ? 0.5 : 20);
    const isTrue = JSON.stringify(actual) === JSON.stringify(expected);
    if (isBroken && !isTrue) throw new Error(`${text}: ${JSON.stringify(actual)}`);
    if (isBroken) return;
    console.log(`${isTrue ? "ok    " : "FAILED"} ${text}${isTrue ? "" : `: ${JSON.stringify(actual)}`}`);
    if (!isTrue) failures += 1;
  });
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mutants-"));
try {
  for (const file of [shownFile, diffFile]) await check(file, false);
  for (const [what, file, before, after] of process.argv.includes("--mutants") ? mutants : []) {
    const html = fs.readFileSync(file, "utf8");
    if (html.split(before).length !== 2) throw new Error(`${what}: the text is there ${html.split(before).length - 1} times.`);
    const broken = path.join(folder, "page.html");
    fs.writeFileSync(broken, html.replace(before, () => after));
    const notice = await check(broken, true, file).then(() => "", ({ message }) => message.split("\n")[0]);
    console.log(`${notice ? "killed  " : "SURVIVED"} ${what}${notice && `: ${notice}`}`);
    if (!notice) failures += 1;
  }
} finally {
  await browser.close();
  fs.rmSync(folder, { recursive: true });
}
process.exit(failures === 0 ? 0 : 1);
