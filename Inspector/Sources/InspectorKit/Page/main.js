// Connects the parts of the page.
"use strict";

const byID = (id) => document.getElementById(id);

/** The text of an element, which `textContent` would copy at each call. */
const textOf = (element) => (element.childNodes.length === 1 ? element.firstChild.data : element.textContent);

/** The rows that the page contains as elements, in the order of the document. */
function* embeddedChunks(from) {
  const elements = document.querySelectorAll("script[data-rows]");
  for (let i = from; i < elements.length; i += 1) {
    const states = document.querySelector(`script[data-states="${elements[i].dataset.rows}"]`);
    yield { text: () => textOf(elements[i]), states: states ? () => textOf(states) : null };
  }
}

class Page {
  constructor() {
    const meta = JSON.parse(byID("meta").textContent);
    this.store = new Store(meta);
    this.filter = new Filter();
    this.filterTurn = 0;
    this.history = [];
    this.place = -1;
    this.selected = none;
    this.list = new List(byID("list"), byID("sizer"), this.store, (row, options) => this.select(row, options));
    this.timeline = new Timeline(byID("canvas"), byID("hover"), this.store, (row) => this.select(row, { opens: !isNarrow() }));
    this.details = new Details(byID("tabs"), byID("panel"), this.store, {
      select: (row, options) => this.select(row, options), cause: () => this.selectCause(), root: () => this.selectRoot(),
      effect: () => this.selectEffect(), fit: () => this.fit(), only: (part) => this.only(part),
    });
    byID("title").textContent = short(String(meta.title ?? "Trace"), 120);
    document.title = `${short(String(meta.title ?? "Trace"), 80)} – Inspector`;
    this.showNotice();
    this.fillControls();
    this.listen();
    this.load();
  }

  showNotice() {
    const { notes, meta } = this.store;
    const text = [meta.range, ...notes.slice(0, 2)].filter(Boolean).map(String).join(" ");
    const element = byID("notice");
    element.hidden = text === "";
    element.textContent = short(text, 400) + (notes.length > 2 ? ` And ${counted(notes.length - 2, "note")} more in “Problems”.` : "");
  }

  // MARK: Loading

  /** Reads the chunks, those that are in the document first, in slices of time. */
  async load() {
    let next = 0;
    const parsed = new Promise((resolve) => {
      if (document.readyState !== "loading") resolve();
      else document.addEventListener("DOMContentLoaded", resolve);
    });
    const readAll = async () => {
      for (const chunk of embeddedChunks(next)) {
        await inSlices(this.store.addChunk(chunk.text, chunk.states));
        next += 1;
        await this.rowsWereAdded();
      }
    };
    await readAll();
    await parsed;
    await readAll();
    this.isLoaded = true;
    await this.rowsWereAdded(true);
    this.showNotice();
    this.selectFromAddress();
    if (this.selected < 0) this.selectFirst();
    performance.mark("loaded");
    if (this.store.meta.follow) this.follow();
  }

  async rowsWereAdded(isLast = false) {
    await inSlices(this.timeline.addRows());
    await this.refilter(this.filtered ?? 0);
    const now = performance.now();
    if (!isLast && now - (this.updated ?? 0) < 300) return;
    this.updated = now;
    this.details.update();
  }

  /** Asks the program for further rows, for as long as it runs. */
  async follow() {
    for (;;) {
      try {
        const { store } = this;
        const answer = await fetch(`rows?after=${store.count > 0 ? store.id[store.count - 1] : 0}&run=${store.meta.run}`);
        if (!answer.ok) {
          this.useNotes([`The trace cannot be followed: ${(await answer.text()).trim()}`]);
          await new Promise((resolve) => { setTimeout(resolve, 2_000); });
          continue;
        }
        const { rows, states, owners, restart, notes, rowNotes } = await answer.json();
        if (restart) {
          location.reload();
          return;
        }
        this.useNotes(notes ?? [], rowNotes ?? []);
        for (const owner of owners ?? []) this.store.addOwner(owner);
        if (rows) {
          const follows = this.list.isAtEnd;
          await inSlices(this.store.addChunk(() => rows, states ? () => states : null));
          await this.rowsWereAdded(true);
          if (follows) this.list.scrollTo(Infinity);
          continue;
        }
      } catch {
        this.store.note("The program that serves this page has ended. The page shows what it had received.");
        this.showNotice();
        return;
      }
      await new Promise((resolve) => { setTimeout(resolve, 500); });
    }
  }

  /** Replaces the notes about the lines of the file, and adds those about rows. */
  useNotes(notes, rowNotes = []) {
    const { store, fileNotes = notes } = this;
    this.fileNotes = notes;
    const others = [...store.notes, ...rowNotes].filter((note) => !fileNotes.includes(note) && !notes.includes(note));
    const all = [...new Set([...notes, ...others])];
    if (String(all) === String(store.notes)) return;
    store.notes = all;
    this.showNotice();
    this.details.update();
  }

  // MARK: Filtering

  /** Filters the rows from `first` on again, in slices of time. */
  async refilter(first = 0) {
    this.filterTurn += 1;
    const turn = this.filterTurn;
    const { list, store } = this;
    if (first === 0) this.pending = new RowList();
    const rows = first === 0 ? this.pending : list.rows;
    const isWhole = first > 0;
    const begin = performance.now();
    const done = await inSlices((function* (page) {
      yield* page.filter.run(store, rows, first, () => {
        if (rows !== list.rows && (performance.now() - begin > 30 || rows.length > 200)) page.useRows(rows);
        page.showStatus(false);
      });
      return true;
    })(this), () => turn !== this.filterTurn);
    if (!done) return;
    if (!isWhole) this.useRows(rows);
    this.filtered = store.count;
    list.resize();
    this.showStatus(true);
    if (!isWhole && this.selected >= 0) list.reveal(this.selected);
  }

  useRows(rows) {
    const isNew = this.list.rows !== rows;
    this.list.rows = rows;
    this.list.resize();
    if (isNew && this.selected < 0) this.list.scrollTo(0);
  }

  filterChanged() {
    this.filtered = 0;
    this.list.query = this.filter.query;
    byID("clear").hidden = this.filter.isDefault;
    return this.refilter();
  }

  showStatus(isDone) {
    const { store, list } = this;
    const total = Math.max(store.count, store.total);
    const loading = store.count < store.total ? `, ${Math.floor((store.count / store.total) * 100)} % read` : "";
    const steps = this.filter.hiddenSteps(store);
    const hidden = steps > 0 ? ` (${counted(steps, "step is", "steps are")} hidden)` : "";
    const text = `${counted(list.rows.length, "entry", "entries")} of ${grouped(total)}${hidden}${loading}${isDone ? "" : " …"}`;
    const now = performance.now();
    if (!isDone && now - (this.statusTime ?? 0) < 200) return;
    this.statusTime = now;
    byID("status").textContent = text;
  }

  /** Shows only the rows of a chain, of a name, or with a mark. */
  only({ root = none, head = 0, flag = 0 }) {
    Object.assign(this.filter, new Filter(), { root, head, flag });
    this.syncControls();
    this.filterChanged();
    this.showPane("list");
  }

  fillControls() {
    const { store, filter } = this;
    const choice = byID("owner");
    const option = (value, text) => choice.append(Object.assign(document.createElement("option"), { value, textContent: text }));
    option("-1", "All owners");
    store.owners.slice(0, 500).forEach((owner, index) => option(String(index), owner.label));
    choice.hidden = store.owners.length < 2;
    choice.addEventListener("change", () => {
      filter.owner = Number(choice.value);
      this.filterChanged();
    });
    kindGroups.forEach((group, index) => {
      const button = make("button", "toggle", group.name);
      button.type = "button";
      button.addEventListener("click", () => {
        filter.groups[index] = !filter.groups[index];
        this.syncControls();
        this.filterChanged();
      });
      byID("kinds").append(button);
    });
    byID("query").addEventListener("input", () => this.search(byID("query").value));
    byID("clear").addEventListener("click", () => this.clearFilter());
    this.syncControls();
  }

  syncControls() {
    const { filter } = this;
    [...byID("kinds").children].forEach((button, index) => button.setAttribute("aria-pressed", String(filter.groups[index])));
    byID("owner").value = String(filter.owner);
    if (byID("query").value !== filter.query && !/^#\d*$/.test(byID("query").value)) byID("query").value = filter.query;
  }

  search(text) {
    const number = /^#(\d+)$/.exec(text);
    if (number) {
      const row = this.store.rowOf(Number(number[1]));
      if (row >= 0) {
        this.select(row);
        this.details.open("entry");
      }
      return;
    }
    const query = /^#\d*$/.test(text) ? "" : text;
    if (query === this.filter.query) return;
    this.filter.query = query;
    this.filterChanged();
  }

  clearFilter() {
    Object.assign(this.filter, new Filter());
    byID("query").value = "";
    this.syncControls();
    this.filterChanged();
    byID("list").focus();
  }

  // MARK: Selecting

  select(row, { opens = false, isPlace = true } = {}) {
    if (!(row >= 0) || row >= this.store.count) return;
    if (isPlace && row !== this.selected) {
      this.history.length = this.place + 1;
      this.history.push(row);
      if (this.history.length > 1_000) this.history.shift();
      this.place = this.history.length - 1;
    }
    this.selected = row;
    const chain = this.chainOf(row);
    this.list.selected = row;
    this.list.chain = new Set(chain.slice(-5_000));
    this.list.reveal(row);
    this.timeline.setSelection(row, chain);
    this.details.setSelection(row, chain);
    if (opens && (this.details.tab === "counts" || this.details.tab === "findings")) this.details.open("entry");
    if (opens && isNarrow()) this.showPane("detail");
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => history.replaceState(null, "", `#${this.store.id[row]}`), 400);
  }

  /** Returns the chain of causes, from its first entry to `row`. A cause is always an earlier row, so it ends. */
  chainOf(row) {
    const { store } = this;
    const chain = [];
    for (let each = row; each >= 0; each = store.cause[each]) chain.push(each);
    return chain.reverse();
  }

  /** Selects the first problem, or the last entry. The address stays as it is, so that a page that is loaded again does so again. */
  selectFirst() {
    const { rows } = this.list;
    this.select(this.store.problems[0] ?? (rows.length > 0 ? rows.at(rows.length - 1) : none));
    clearTimeout(this.addressTimer);
  }

  selectFromAddress() {
    const number = /^#(\d+)$/.exec(location.hash);
    const row = number ? this.store.rowOf(Number(number[1])) : none;
    if (row >= 0) this.select(row);
  }

  selectCause() {
    if (this.selected >= 0) this.select(this.store.cause[this.selected]);
  }

  selectRoot() {
    if (this.selected >= 0) this.select(this.store.root[this.selected]);
  }

  selectEffect() {
    if (this.selected >= 0) this.select(this.store.firstEffect[this.selected]);
  }

  selectProblem(direction) {
    const { store } = this;
    const marked = (row) => store.flags[row] !== 0;
    for (let row = this.selected + direction; row >= 0 && row < store.count; row += direction) {
      if (marked(row)) return this.select(row);
    }
    return undefined;
  }

  /** Selects the next entry of the same name and kind. */
  selectSimilar(direction) {
    const { store, selected } = this;
    if (selected < 0) return;
    for (let row = selected + direction; row >= 0 && row < store.count; row += direction) {
      if (store.kind[row] === store.kind[selected] && store.head[row] === store.head[selected]) return this.select(row);
    }
  }

  go(distance) {
    const place = this.place + distance;
    if (!(place >= 0 && place < this.history.length)) return;
    this.place = place;
    this.select(this.history[place], { isPlace: false });
  }

  fit() {
    if (isNarrow()) this.showPane("time");
    this.timeline.showSelected();
  }

  // MARK: Views and keys

  showPane(name) {
    document.body.dataset.pane = name;
    for (const button of byID("bottom").children) {
      if (button.dataset.pane === name) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    if (name === "list" && this.selected >= 0) requestAnimationFrame(() => this.list.reveal(this.selected));
  }

  setTheme(name) {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    this.timeline.readColors();
    this.timeline.draw();
  }

  switchTheme() {
    const isDark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.setTheme(isDark ? "light" : "dark");
  }

  listen() {
    byID("theme").addEventListener("click", () => this.switchTheme());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(document.documentElement.dataset.theme));
    byID("help").addEventListener("click", () => this.showKeys());
    byID("bottom").addEventListener("click", (event) => {
      const name = event.target.closest("[data-pane]")?.dataset.pane;
      if (name) this.showPane(name);
    });
    document.querySelector(".zoom").addEventListener("click", (event) => {
      const action = event.target.dataset.zoom;
      if (action === "in") this.timeline.zoom(0.5);
      if (action === "out") this.timeline.zoom(2);
      if (action === "all") this.timeline.showAll();
      if (action === "entry") this.timeline.showSelected();
    });
    window.addEventListener("hashchange", () => this.selectFromAddress());
    document.addEventListener("keydown", (event) => this.key(event));
    this.showPane("list");
  }

  showKeys() {
    const table = byID("keyTable");
    if (table.children.length === 0) {
      for (const [sign, text] of timelineSigns) {
        byID("signTable").append(make("tr", "", make("th", "", make("span", `sign ${sign}`)), make("td", "", text)));
      }
      for (const [keys, text] of keyTexts) table.append(make("tr", "", make("th", "", make("kbd", "", keys)), make("td", "", text)));
    }
    byID("keys").showModal();
  }

  key(event) {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && isTyping) {
      byID("list").focus();
      return;
    }
    if (isTyping || event.ctrlKey || event.metaKey || byID("keys").open) {
      if (event.key === "Enter" && event.target === byID("query")) byID("list").focus();
      return;
    }
    if (event.altKey) {
      if (event.key === "ArrowLeft") this.go(-1);
      else if (event.key === "ArrowRight") this.go(1);
      else return;
      event.preventDefault();
      return;
    }
    const inList = event.target === byID("list") || event.target === document.body;
    const inTimeline = event.target === byID("canvas");
    const action = (inTimeline && this.timelineKeys[event.key]) || (inList && this.listKeys[event.key])
      || this.anyKeys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  get timelineKeys() {
    const { timeline } = this;
    return {
      ArrowLeft: () => timeline.pan(-0.15), ArrowRight: () => timeline.pan(0.15),
      ArrowUp: () => timeline.scrollBy(-laneHeight * 2), ArrowDown: () => timeline.scrollBy(laneHeight * 2),
      "+": () => timeline.zoom(0.5), "=": () => timeline.zoom(0.5), "-": () => timeline.zoom(2),
      Home: () => timeline.pan(-1e9), End: () => timeline.pan(1e9),
    };
  }

  get listKeys() {
    const { list } = this;
    return {
      ArrowDown: () => list.move(1), ArrowUp: () => list.move(-1), PageDown: () => list.move(list.visibleCount),
      PageUp: () => list.move(-list.visibleCount), Home: () => list.move(-Infinity), End: () => list.move(Infinity),
      ArrowLeft: () => this.selectCause(), ArrowRight: () => this.selectEffect(),
      Enter: () => {
        this.details.open("entry");
        this.showPane("detail");
        byID("panel").focus();
      },
    };
  }

  get anyKeys() {
    const { list, timeline, details } = this;
    const tab = (index) => () => {
      details.open(tabNames[index][0]);
      this.showPane("detail");
    };
    return {
      j: () => list.move(1), k: () => list.move(-1), c: () => this.selectCause(), e: () => this.selectEffect(),
      r: () => this.selectRoot(), n: () => this.selectProblem(1), p: () => this.selectProblem(-1),
      ".": () => this.selectSimilar(1), ",": () => this.selectSimilar(-1), "[": () => details.stepState(-1),
      "]": () => details.stepState(1), w: () => timeline.zoom(0.7), s: () => timeline.zoom(1 / 0.7),
      a: () => timeline.pan(-0.15), d: () => timeline.pan(0.15), 0: () => timeline.showAll(), f: () => this.fit(),
      o: () => this.selected >= 0 && this.only({ root: this.store.root[this.selected] }), x: () => this.clearFilter(),
      1: tab(0), 2: tab(1), 3: tab(2), 4: tab(3), 5: tab(4), t: () => this.switchTheme(), "?": () => this.showKeys(),
      "/": () => {
        this.showPane("list");
        byID("query").focus();
        byID("query").select();
      },
      Escape: () => {
        this.showPane("list");
        byID("list").focus();
      },
    };
  }
}

const isNarrow = () => matchMedia("(max-width: 819px)").matches;

const keyTexts = [
  ["↓ ↑  j k", "Next and previous entry"], ["Page, Home, End", "Further through the list"],
  ["Enter", "Details of the entry"], ["Esc", "Back to the list"],
  ["c  ←", "Its cause"], ["e  →", "Its first effect"], ["r", "The input with which its chain began"],
  ["o", "Only the entries of its chain"], ["x", "Clear the filter"], [". ,", "Next and previous entry of the same name"],
  ["n p", "Next and previous problem or hint"], ["[ ]", "Change of the state before, and after"],
  ["Alt ← →", "Back and forward through what was selected"], ["/", "Search; #12 goes to number 12"],
  ["1 … 5", "Why, State, Under way, Counts, Problems"], ["w s", "Zoom the timeline in and out"], ["a d", "Move the timeline"],
  ["f", "Show the entry in the timeline"], ["0", "Show the whole time"],
  ["+ − arrows", "Zoom and move, if the timeline has the focus"], ["t", "Light or dark"], ["?", "These keys"],
];

/** The signs of the timeline: their styles, and what they mean. */
const timelineSigns = [
  ["message", "A message, for as long as its processing takes"], ["work", "A work that has ended by itself"],
  ["work cancelled", "A work that was cancelled: its end is cut"],
  ["work open", "A work without an end in this trace: its end is open"], ["work failed", "A work that has failed"],
  ["mark change", "A change of the state"], ["mark policy", "A decision of a policy"],
  ["problem", "A problem, in the line at the top"], ["count", "How many marks are at one place"],
];

const page = new Page();
