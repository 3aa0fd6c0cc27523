// Drives the pages of traces in Chromium, and exits non-zero if one does not hold what is promised:
// node check.mjs BIG.html SMALL.html HOSTILE.html DIFF.html CALM.html
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, wait } from "./browser.mjs";

const [big, small, hostile, diff, calm] = process.argv.slice(2).map((file) => pathToFileURL(path.resolve(file)).href);
let failures = 0;
function expect(isTrue, text) {
  console.log(`${isTrue ? "ok    " : "FAILED"} ${text}`);
  if (!isTrue) failures += 1;
}

/** First paint, the CPU time of each task, and memory, with 100,000 entries. Times are printed: a busy machine takes longer. */
async function measure(browser) {
  const page = await browser.tab();
  const events = [];
  const finished = new Promise((resolve) => {
    browser.listen(({ method, params }) => {
      if (method === "Tracing.dataCollected") events.push(...params.value);
      if (method === "Tracing.tracingComplete") resolve();
    });
  });
  await browser.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "blink.user_timing"], excludedCategories: ["*"] }, transferMode: "ReportEvents",
  });
  await page.open(big);
  const paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  console.log(`       The first paint is after ${Math.round(paint)} ms.`);
  const count = await page.evaluate("page.store.count");
  expect(count >= 100_000, `The page contains ${count} entries`);
  const phase = async (name, body) => {
    await page.evaluate(`performance.mark("phase ${name}")`);
    await body();
    await wait(300);
  };
  const list = "document.getElementById('list')";
  await phase("scroll", async () => {
    for (let i = 0; i < 40; i += 1) {
      await page.evaluate(`${list}.scrollTop = ${list}.scrollHeight * ${((i * 37) % 40) / 40}`);
      await wait(16);
    }
    for (let i = 0; i < 40; i += 1) await page.call("Input.dispatchMouseEvent", { type: "mouseWheel", x: 300, y: 600, deltaX: 0, deltaY: 900 });
  });
  await phase("filter", async () => {
    for (const query of ["swift", "load(17)", "状態", "<b>", "a", "nothing of this kind", ""]) {
      await page.evaluate(`(page.filter.query = ${JSON.stringify(query)}, page.filterChanged())`);
    }
    for (let i = 0; i < 12; i += 1) {
      await page.evaluate(`document.querySelectorAll('#kinds button')[${i >> 1}].click()`);
      await wait(100);
    }
  });
  await phase("jump", async () => {
    for (const tab of ["1", "2", "3"]) {
      await page.key(tab);
      for (let i = 1; i <= 15; i += 1) {
        await page.evaluate(`page.select(${i * 4_909} % page.store.count)`);
        await wait(60);
      }
    }
  });
  await phase("zoom", async () => {
    await page.key("0");
    for (const key of "w".repeat(30) + "d".repeat(10) + "s".repeat(30)) {
      await page.key(key);
      await wait(20);
    }
  });
  await phase("tabs", async () => {
    for (const key of "12345tt") {
      await page.key(key);
      await wait(150);
    }
  });
  await browser.send("Tracing.end");
  await finished;
  const marks = events.filter(({ cat, name }) => cat.includes("blink.user_timing") && name.startsWith("phase ")).sort((a, b) => a.ts - b.ts);
  const { pid, tid } = marks[0];
  // A task that took no CPU time that could be measured has no `tdur`.
  const tasks = events.filter((event) => event.pid === pid && event.tid === tid && event.ph === "X" && event.name.endsWith("RunTask"));
  const phases = [["load", 0], ...marks.map(({ name, ts }) => [name.slice(6), ts])];
  phases.forEach(([name, from], index) => {
    const to = phases[index + 1]?.[1] ?? Infinity;
    const longest = Math.max(0, ...tasks.filter(({ ts }) => ts >= from && ts < to).map(({ tdur, dur }) => (tdur ?? dur) / 1000));
    console.log(`       The longest task of ${name} takes ${longest.toFixed(1)} ms of CPU; 50 ms is where a person notices it.`);
  });
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const memory = Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const resident = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${id}/status`, "utf8"));
    return Number(resident[1]) / 1000;
  }));
  expect(memory < 400, `The page needs less than 400 MB: ${Math.round(memory)} MB`);
  expect(page.errors.length === 0, `Nothing is reported on the console ${page.errors.join(" ")}`);
  await page.close();
}

/** Texts with too little contrast, and controls without a name. */
const readability = `(() => {
  const parse = (color) => { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const channel = (x) => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (left, right) => { const [low, high] = [luminance(left), luminance(right)].sort((a, b) => a - b); return (high + 0.05) / (low + 0.05); };
  const backOf = (element) => {
    for (; element; element = element.parentElement) { const color = parse(getComputedStyle(element).backgroundColor); if (color[3] > 0.99) return color; }
    return [255, 255, 255, 1];
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("[hidden],script,dialog:not([open])") || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const { width, height } = element.getBoundingClientRect();
    if (!width || !height) continue;
    const contrast = ratio(parse(getComputedStyle(element).color), backOf(element));
    if (contrast < 4.5) found.push(element.tagName + "." + element.className + " " + contrast.toFixed(2));
  }
  for (const element of document.querySelectorAll("button,input,select,canvas,[role=tabpanel],[role=tree],[role=listbox]")) {
    if (!(element.textContent.trim() || element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.labels?.length)) {
      found.push("no name: " + element.outerHTML.slice(0, 80));
    }
  }
  return [...new Set(found)].slice(0, 5).join(", ");
})()`;

async function read(browser) {
  for (const isDark of [false, true]) {
    const theme = isDark ? "dark" : "light";
    const page = await browser.tab({ isDark });
    await page.open(small);
    const found = [];
    for (const action of ["0", "page.selectProblem(1)", "page.details.open('state')", "page.details.open('work')", "page.details.open('counts')",
      "page.details.open('findings')", "page.only({ flag: 1 })", "page.only({ flag: 2 })", "page.showKeys()"]) {
      await page.evaluate(`${action};0`);
      await wait(200);
      found.push(await page.evaluate(readability));
    }
    expect(found.every((text) => text === ""), `Each text has a contrast of 4.5, and each control a name (${theme}) ${found.filter(Boolean).join("; ")}`);
    await page.close();
    const two = await browser.tab({ isDark });
    await two.open(diff);
    await wait(300);
    const other = await two.evaluate(readability);
    expect(other === "", `So they have on the page of two runs (${theme}) ${other}`);
    await two.close();
  }
}

async function useKeys(browser) {
  const page = await browser.tab();
  await page.open(small);
  const focused = () => page.evaluate("document.activeElement.id || document.activeElement.tagName");
  const order = [];
  for (let i = 0; i < 25; i += 1) {
    await page.key("Tab");
    order.push(await focused());
  }
  expect(["query", "owner", "canvas", "list", "panel"].every((id) => order.includes(id)), "The tab key reaches every part");
  const outline = await page.evaluate("document.getElementById('list').focus(), getComputedStyle(document.activeElement).outlineStyle");
  await page.key("ArrowDown");
  expect(await page.evaluate("getComputedStyle(document.getElementById('list')).outlineStyle") !== "none" || outline !== "none", "The focus is visible");
  const selected = () => page.evaluate("page.selected >= 0 ? page.store.id[page.selected] : 0");
  const press = async (...keys) => {
    for (const key of keys) {
      await page.key(key);
      await wait(60);
    }
    return selected();
  };
  await press("Home");
  const first = await selected();
  expect((await press("ArrowDown")) > first, "An arrow selects the next entry");
  await press("4", "/", ..."#120");
  await wait(200);
  expect((await selected()) === 120, "#120 in the search selects the entry 120");
  expect(await page.evaluate("page.details.tab") === "entry", "It also shows why the entry happened");
  expect((await page.evaluate("page.search('#tag'), page.filter.query")) === "#tag", "Other texts after # are searched");
  await page.evaluate("page.search('');0");
  await page.evaluate("page.select(page.store.rowOf(1));0");
  await wait(300);
  const disabled = await page.evaluate("[...document.querySelectorAll('#panel .toolbar button:disabled')].map((each) => each.textContent).join()");
  expect(disabled === "Cause,Input" || disabled === "Cause,Input,Effect", `Buttons that lead nowhere are disabled: ${disabled}`);
  expect(/\d+ steps are hidden/.test(await page.evaluate("document.getElementById('status').textContent")), "The number of hidden steps is shown");
  await page.evaluate("page.select(page.store.rowOf(120));0");
  await press("Escape");
  const root = await page.evaluate("page.store.id[page.store.root[page.selected]]");
  expect((await press("r")) === root, "r selects the input with which the chain began");
  const problem = await press("n");
  expect(await page.evaluate("page.store.flags[page.selected] !== 0"), `n selects the next problem: #${problem}`);
  await press("2");
  await wait(400);
  expect(await page.evaluate("document.querySelector('[data-tab=state]').getAttribute('aria-selected') === 'true'"), "2 shows the state");
  const scale = "page.timeline.end - page.timeline.start";
  const before = await page.evaluate(scale);
  await press("w");
  const after = await page.evaluate(scale);
  expect(!(after >= before), "w zooms the timeline");
  expect(page.errors.length === 0, `Nothing is reported on the console ${page.errors.join(" ")}`);
  await page.close();
}

/** What a reader sees first, on a wide and on a narrow screen. */
async function begin(browser) {
  for (const width of [1_280, 390]) {
    const page = await browser.tab({ width });
    const selects = async (url, row, text) => {
      await page.open(url);
      await wait(400);
      expect(await page.evaluate(`page.selected === (${row})`), `${text} is selected when the page opens (${width} px)`);
      const list = "document.getElementById('list').getBoundingClientRect()";
      const selected = "document.querySelector('.row.selected').getBoundingClientRect()";
      expect(await page.evaluate(`${selected}.top >= ${list}.top - 1 && ${selected}.bottom <= ${list}.bottom + 1`), `It is in view (${width} px)`);
    };
    await selects(small, "page.store.problems[0]", "The first problem");
    await selects(calm, "page.list.rows.at(page.list.rows.length - 1)", "Without problems, the last entry");
    await page.evaluate("page.showPane('time')");
    await wait(300);
    expect(await page.evaluate(`(({ scroll, height, fullHeight, selected }) => {
      const y = page.timeline.laneOf(selected).y - scroll;
      return scroll <= Math.max(0, fullHeight - height) && y >= axisHeight && y + laneHeight <= height;
    })(page.timeline)`), `The lane of the entry is in view (${width} px)`);
    await page.evaluate("page.details.open('findings')");
    expect(/no failure is left unhandled/.test(await page.evaluate("document.getElementById('panel').textContent")), "A page without problems says so");
    await page.evaluate("page.showKeys()");
    expect(await page.evaluate("document.getElementById('keys').scrollTop") === 0, `The list of keys begins at its top (${width} px)`);
    expect(page.errors.length === 0, `Nothing is reported on the console ${page.errors.join(" ")}`);
    await page.close();
  }
  const page = await browser.tab();
  await page.open(small);
  await page.evaluate("page.details.open('counts')");
  await wait(200);
  const hidden = await page.evaluate("[...document.querySelectorAll('.scroller')].map((each) => each.scrollWidth - each.clientWidth)");
  expect(hidden.length === 2 && hidden.every((width) => width === 0), `Counts fit beside the list ${hidden}`);
  await page.close();
}

async function openHostile(browser) {
  const page = await browser.tab();
  await page.open(hostile);
  expect((await page.evaluate("document.title")).endsWith("Inspector") && (await page.evaluate("document.querySelectorAll('img, #panel script').length")) === 0,
    "No text of a hostile trace becomes markup");
  expect((await page.evaluate("page.store.notes.length")) >= 5, "What was skipped is named");
  await page.evaluate(`(async () => {
    for (let row = 0; row < page.store.count; row += 1) {
      for (const tab of ["entry", "state", "work"]) {
        page.details.open(tab);
        page.select(row);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })()`);
  await page.evaluate("page.details.open('findings')");
  await wait(200);
  expect(page.errors.length === 0, `Every entry of a hostile trace is shown ${page.errors.join(" ")}`);
  await page.close();
}

async function compare(browser) {
  const page = await browser.tab();
  await page.open(diff);
  await wait(300);
  const differs = await page.evaluate("page.pairs.differs[page.selected]");
  expect(differs === 1, "The page of two runs begins with the first entry that differs");
  expect((await page.evaluate("document.querySelectorAll('#compared .sides > div').length")) === 2, "It shows both entries");
  await page.key("Home");
  await wait(100);
  expect((await page.evaluate("page.selected")) === 0, "Its keys select entries");
  expect(page.errors.length === 0, `Nothing is reported on the console ${page.errors.join(" ")}`);
  await page.close();
}

const browser = await launch();
try {
  await measure(browser);
  await read(browser);
  await useKeys(browser);
  await begin(browser);
  await openHostile(browser);
  await compare(browser);
} finally {
  await browser.close();
}
process.exit(failures === 0 ? 0 : 1);
