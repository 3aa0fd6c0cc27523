// Two runs side by side. The program has found which entries correspond.
"use strict";

const byID = (id) => document.getElementById(id);
const textOf = (element) => (element.childNodes.length === 1 ? element.firstChild.data : element.textContent);
const rowHeight = 28;

/** Creates an element with a class and contents. Strings become text, never markup. */
function make(tag, name = "", ...contents) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...contents.filter((content) => content !== null && content !== undefined));
  return element;
}

/** The pairs of entries: for each pair the rows of both runs, or `none`, and whether they differ. */
class Pairs {
  constructor(blocks) {
    this.length = blocks.reduce((sum, [, left, right]) => sum + Math.max(left, right), 0);
    this.left = new Int32Array(this.length).fill(none);
    this.right = new Int32Array(this.length).fill(none);
    this.differs = new Uint8Array(this.length);
    /** The first pair of each part in which the runs differ. */
    this.differences = [];
    let [index, left, right] = [0, 0, 0];
    for (const [isEqual, lefts, rights] of blocks) {
      const count = Math.max(lefts, rights);
      if (!isEqual) this.differences.push(index);
      for (let i = 0; i < count; i += 1) {
        if (i < lefts) this.left[index + i] = left + i;
        if (i < rights) this.right[index + i] = right + i;
        this.differs[index + i] = isEqual ? 0 : 1;
      }
      [index, left, right] = [index + count, left + lefts, right + rights];
    }
  }
}

class ComparisonPage {
  constructor() {
    const meta = JSON.parse(byID("meta").textContent);
    this.sides = meta.sides;
    this.stores = this.sides.map((side) => new Store(side));
    this.pairs = new Pairs(meta.blocks);
    this.selected = none;
    this.pool = [];
    this.draw = oncePerFrame(() => this.drawNow());
    byID("leftName").textContent = short(String(this.sides[0]?.title ?? ""), 120);
    byID("rightName").textContent = short(String(this.sides[1]?.title ?? ""), 120);
    this.listen();
    this.load();
  }

  async load() {
    if (document.readyState === "loading") {
      await new Promise((resolve) => { document.addEventListener("DOMContentLoaded", resolve); });
    }
    for (const [side, store] of this.stores.entries()) {
      for (const element of document.querySelectorAll(`script[data-side="${side}"][data-rows]`)) {
        const states = document.querySelector(`script[data-side="${side}"][data-states="${element.dataset.rows}"]`);
        await inSlices(store.addChunk(() => textOf(element), states ? () => textOf(states) : null));
      }
    }
    const { pairs } = this;
    byID("sizer").style.height = `${Math.min(pairs.length * rowHeight, 8_000_000)}px`;
    const count = pairs.differences.length;
    byID("summary").textContent = count === 0 ? `The runs do not differ. ${counted(pairs.length, "entry", "entries")}.`
      : `The runs differ in ${counted(count, "place")}. ${counted(pairs.differences[0], "entry", "entries")} before them ${pairs.differences[0] === 1 ? "corresponds" : "correspond"}.`;
    const notes = this.sides.flatMap((side) => [side.range, ...side.notes].filter(Boolean).map((note) => `${side.title}: ${note}`));
    byID("notice").hidden = notes.length === 0;
    byID("notice").textContent = short(notes.join(" "), 600);
    await this.select(count > 0 ? pairs.differences[0] : 0);
    performance.mark("loaded");
  }

  // MARK: The list

  get list() { return byID("pairs"); }

  /** How many pairs a pixel of the scrolled element stands for. */
  get pairsPerPixel() {
    const full = this.pairs.length * rowHeight;
    const scrollable = Math.min(full, 8_000_000) - this.list.clientHeight;
    return scrollable > 0 ? (this.pairs.length - this.list.clientHeight / rowHeight) / scrollable : 1 / rowHeight;
  }

  drawNow() {
    const { pairs, list } = this;
    const top = list.scrollTop * this.pairsPerPixel;
    const first = Math.max(0, Math.floor(top));
    const count = Math.max(0, Math.min(pairs.length - first, Math.ceil(list.clientHeight / rowHeight) + 1));
    while (this.pool.length < count) {
      const element = make("div", "pair", make("span"), make("span"));
      element.setAttribute("role", "option");
      element.id = `pair${this.pool.length}`;
      byID("sizer").append(element);
      this.pool.push(element);
    }
    list.removeAttribute("aria-activedescendant");
    this.pool.forEach((element, i) => {
      element.hidden = i >= count;
      if (i >= count) return;
      const index = first + i;
      element.dataset.index = index;
      element.style.transform = `translateY(${list.scrollTop + (index - top) * rowHeight}px)`;
      element.classList.toggle("differs", pairs.differs[index] === 1);
      element.classList.toggle("selected", index === this.selected);
      element.setAttribute("aria-selected", String(index === this.selected));
      if (index === this.selected) list.setAttribute("aria-activedescendant", element.id);
      [pairs.left[index], pairs.right[index]].forEach((row, side) => {
        element.children[side].replaceChildren(...(row >= 0 && row < this.stores[side].count ? this.words(side, row)
          : [make("span", "none", side === 0 ? "not in the first run" : "not in the second run")]));
      });
    });
  }

  words(side, row) {
    const store = this.stores[side];
    const kind = kindNames[store.kind[row]];
    const { before, code, after } = wordsOf(store, row, 160);
    return [make("span", "number", `#${store.id[row]} `), make("span", `badge ${kind}`, kindLabels[kind]), " ", before,
      make("code", "", code), after];
  }

  reveal() {
    const { list } = this;
    const top = list.scrollTop * this.pairsPerPixel;
    const count = list.clientHeight / rowHeight;
    if (this.selected < top || this.selected + 1 > top + count) {
      list.scrollTop = Math.max(0, this.selected - count / 3) / this.pairsPerPixel;
    }
    this.draw();
  }

  // MARK: The selected pair

  async select(index) {
    const { pairs } = this;
    if (pairs.length === 0) return;
    this.selected = Math.max(0, Math.min(index, pairs.length - 1));
    this.reveal();
    const selected = this.selected;
    const rows = [pairs.left[selected], pairs.right[selected]];
    const sides = make("div", "sides", ...rows.map((row, side) => this.sideOf(side, row)));
    const tree = make("div", "tree");
    const title = make("h3", "", "State");
    byID("compared").replaceChildren(sides);
    const stores = this.stores;
    // Of an entry that one run does not have, the state of the owner at the end of what corresponds is compared.
    const [known, other] = rows[0] >= 0 ? [0, 1] : [1, 0];
    const owner = stores[known].owner[rows[known]];
    const label = stores[known].owners[owner]?.label;
    const owners = [];
    owners[known] = owner;
    owners[other] = stores[other].owners.findIndex((each) => each.label === label);
    const places = rows.map((row, side) => (row >= 0 ? row : this.lastRow(side, selected)));
    const states = await inSlices((function* () {
      const result = [];
      for (const side of [0, 1]) {
        const place = owners[side] >= 0 ? stores[side].stateIndex(owners[side], places[side]) : -1;
        result.push(place >= 0 ? (yield* stores[side].states(owners[side], [place]))[0] : null);
      }
      return result;
    })(), () => this.selected !== selected);
    if (!states || this.selected !== selected) return;
    const [left, right] = states;
    if (left === null && right === null) return;
    const words = left === null || right === null ? "Only one run has a state of this owner at this moment."
      : isEqual(left, right) ? `Both runs have the same state of ${label}.`
        : `The state of ${label} in the second run. What differs is marked, with the value in the first run.`;
    byID("compared").append(title, make("p", "", words), tree);
    tree.setAttribute("aria-label", `State of ${label}`);
    await new StateTree(tree).show(right ?? left, right === null ? null : left);
  }

  lastRow(side, index) {
    const rows = side === 0 ? this.pairs.left : this.pairs.right;
    for (let i = index; i >= 0; i -= 1) if (rows[i] >= 0) return rows[i];
    return none;
  }

  sideOf(side, row) {
    const store = this.stores[side];
    const name = short(String(this.sides[side].title), 80);
    if (row < 0) return make("div", "", make("h3", "", name), make("p", "", "This run has no such entry here."));
    const chain = [];
    for (let each = row; each >= 0 && chain.length < 30; each = store.cause[each]) chain.push(each);
    const steps = chain.reverse().map((each) => make("li", "", ...this.words(side, each)));
    return make("div", "", make("h3", "", name),
      make("p", "facts", `${momentText(store.time[row])} · ${store.owners[store.owner[row]].label} · thread ${store.thread[row]}`),
      make("pre", "", visible(store.text(row).slice(0, 5_000), true) || sentence(store, row)),
      make("p", "", "Its causes, from the input on:"), make("ol", "", ...steps));
  }

  // MARK: Keys

  step(direction) {
    const { differences } = this.pairs;
    const next = direction > 0 ? differences.find((index) => index > this.selected)
      : differences.findLast((index) => index < this.selected);
    if (next !== undefined) this.select(next);
  }

  listen() {
    const page = () => Math.max(1, Math.floor(this.list.clientHeight / rowHeight) - 1);
    const actions = {
      ArrowDown: () => this.select(this.selected + 1), ArrowUp: () => this.select(this.selected - 1),
      j: () => this.select(this.selected + 1), k: () => this.select(this.selected - 1),
      PageDown: () => this.select(this.selected + page()), PageUp: () => this.select(this.selected - page()),
      Home: () => this.select(0), End: () => this.select(this.pairs.length - 1),
      n: () => this.step(1), p: () => this.step(-1),
      1: () => this.pairs.differences.length > 0 && this.select(this.pairs.differences[0]),
      t: () => this.switchTheme(), Enter: () => byID("compared").focus(), Escape: () => this.list.focus(),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isPlain = event.target === this.list || event.target === document.body;
      const action = isPlain || event.key.length === 1 || event.key === "Escape" ? actions[event.key] : undefined;
      if (!action || (event.target.tagName === "BUTTON" && event.key === " ")) return;
      event.preventDefault();
      action();
    });
    this.list.addEventListener("scroll", () => this.draw(), { passive: true });
    this.list.addEventListener("click", (event) => {
      const index = event.target.closest("[data-index]")?.dataset.index;
      if (index !== undefined) this.select(Number(index));
    });
    new ResizeObserver(() => this.draw()).observe(this.list);
    byID("first").addEventListener("click", actions[1]);
    byID("before").addEventListener("click", actions.p);
    byID("after").addEventListener("click", actions.n);
    byID("theme").addEventListener("click", actions.t);
  }

  switchTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  }
}

const page = new ComparisonPage();
