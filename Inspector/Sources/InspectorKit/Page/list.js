// The list of entries. Only the rows in view are elements of the page.
"use strict";

/** The largest height of an element that all browsers support. Longer lists scroll by a factor. */
const maximumHeight = 8_000_000;

class List {
  constructor(element, sizer, store, select) {
    Object.assign(this, { element, sizer, store, select });
    this.rows = new RowList();
    this.selected = none;
    this.chain = new Set();
    this.query = "";
    this.pool = [];
    this.top = 0;
    this.expectedTop = 0;
    this.draw = oncePerFrame(() => this.drawNow());
    element.addEventListener("scroll", () => {
      if (Math.abs(element.scrollTop - this.expectedTop) < 1) return;
      this.expectedTop = element.scrollTop;
      this.top = element.scrollTop * this.rowsPerPixel;
      this.draw();
    }, { passive: true });
    element.addEventListener("wheel", (event) => {
      if (this.rowsPerPixel * this.rowHeight <= 1.001 || event.ctrlKey) return;
      // Where the list scrolls by a factor, a turn of the wheel would skip rows.
      event.preventDefault();
      this.scrollTo(this.top + event.deltaY / this.rowHeight);
    }, { passive: false });
    element.addEventListener("click", (event) => this.click(event));
    // The observer measures after the first layout, so that the script does not cause one.
    [this.rowHeight, this.height, this.sizerHeight, this.rowsPerPixel] = [28, 0, 0, 1 / 28];
    new ResizeObserver(() => this.measure()).observe(element);
  }

  measure() {
    const style = getComputedStyle(this.element);
    this.rowHeight = parseFloat(style.getPropertyValue("--row")) || 28;
    const wasShown = this.height === 0 || this.isInView(this.rows.indexAt(this.selected));
    this.height = this.element.clientHeight;
    this.resize();
    if (wasShown) this.reveal(this.selected);
  }

  get visibleCount() { return Math.max(1, Math.floor(this.height / this.rowHeight)); }

  /** Adapts the height of the scrolled element to the number of rows. */
  resize() {
    const full = this.rows.length * this.rowHeight;
    const height = Math.min(full, maximumHeight);
    const [scrollable, rows] = [height - this.height, this.rows.length - this.height / this.rowHeight];
    this.rowsPerPixel = scrollable > 0 ? rows / scrollable : 1 / this.rowHeight;
    if (this.sizerHeight !== height) {
      this.sizerHeight = height;
      this.sizer.style.height = `${height}px`;
    }
    this.scrollTo(this.top);
  }

  scrollTo(top) {
    this.top = Math.max(0, Math.min(top, this.rows.length - this.height / this.rowHeight));
    // The position is computed and not read, because reading it would lay out the page.
    const expectedTop = Math.max(0, Math.min(Math.round(this.top / this.rowsPerPixel), this.sizerHeight - this.height));
    if (expectedTop !== this.expectedTop) this.element.scrollTop = this.expectedTop = expectedTop;
    this.draw();
  }

  isInView(index) { return index >= this.top && index + 1 <= this.top + this.height / this.rowHeight + 0.01; }

  /** Scrolls so that a row is in view, in the middle if it was far away. */
  reveal(row) {
    const index = this.rows.indexAt(row);
    // Before the first layout there is nothing to scroll. `measure` reveals what is selected then.
    if (index < 0 || this.height === 0) return;
    const count = this.height / this.rowHeight;
    if (this.isInView(index)) this.draw();
    else if (index < this.top && index > this.top - 3) this.scrollTo(index);
    else if (index + 1 > this.top + count && index + 1 < this.top + count + 3) this.scrollTo(index + 1 - count);
    else this.scrollTo(index - count / 2);
  }

  get isAtEnd() { return this.top + this.height / this.rowHeight >= this.rows.length - 1; }

  drawNow() {
    const isOfOneOwner = this.store.owners.length < 2;
    if (this.isOfOneOwner !== isOfOneOwner) this.element.classList.toggle("list-of-one", (this.isOfOneOwner = isOfOneOwner));
    const first = Math.max(0, Math.floor(this.top));
    const count = Math.min(this.rows.length - first, Math.ceil(this.height / this.rowHeight) + 1);
    while (this.pool.length < count) this.pool.push(this.makeRow());
    // Rows are placed relative to the scroll position, which also holds where the list scrolls by a factor.
    const origin = this.expectedTop - this.top * this.rowHeight;
    let active = "";
    this.pool.forEach((entry, i) => {
      const isUsed = i < count;
      if (entry.isUsed !== isUsed) {
        entry.isUsed = isUsed;
        entry.element.hidden = !isUsed;
      }
      if (!isUsed) return;
      this.fill(entry, first + i, origin);
      if (entry.row === this.selected) active = entry.element.id;
    });
    if (active) this.element.setAttribute("aria-activedescendant", active);
    else this.element.removeAttribute("aria-activedescendant");
  }

  makeRow() {
    const element = document.createElement("div");
    element.className = "row";
    element.setAttribute("role", "option");
    element.id = `row${this.pool.length}`;
    const part = (name, tag = "span") => {
      const child = document.createElement(tag);
      child.className = name;
      element.append(child);
      return child;
    };
    const entry = {
      element, row: none, number: part("number"), time: part("time"), badge: part("badge"), owner: part("owner"),
      words: part("words"), cause: part("cause"),
    };
    for (const [name, tag] of [["before", "span"], ["code", "code"], ["after", "span"], ["match", "span"]]) {
      entry[name] = document.createElement(tag);
      entry[name].className = name;
      entry.words.append(entry[name]);
    }
    entry.causeNumber = document.createElement("span");
    entry.causeName = document.createElement("code");
    entry.cause.append(entry.causeNumber, entry.causeName);
    this.sizer.append(element);
    return entry;
  }

  fill(entry, index, origin) {
    const { store } = this;
    const row = this.rows.at(index);
    const y = Math.round(origin + index * this.rowHeight);
    if (entry.y !== y) {
      entry.y = y;
      entry.element.style.transform = `translateY(${y}px)`;
    }
    const state = `${row === this.selected ? "selected " : ""}${this.chain.has(row) ? "chain " : ""}${store.end[row]} ${
      store.flags[row]} ${this.query}`;
    const version = `${state} ${this.rows.length}`;
    if (entry.row === row && entry.version === version) return;
    if (entry.row !== row || entry.state !== state) {
      const kind = kindNames[store.kind[row]];
      const owner = store.owners[store.owner[row]];
      const words = wordsOf(store, row, 240);
      const cause = store.cause[row];
      entry.element.className = `row ${kind}${row === this.selected ? " selected" : ""}`
        + `${this.chain.has(row) ? " chain" : ""}${store.flags[row] & Flag.problem ? " problem" : ""}`
        + `${store.flags[row] & Flag.hint ? " hint" : ""}${store.isEqualState(row) ? " equal" : ""}`;
      entry.number.textContent = `#${store.id[row]}`;
      entry.time.textContent = momentText(store.time[row]);
      entry.badge.textContent = kindLabels[kind];
      entry.badge.title = kindTitles[kind];
      entry.owner.textContent = owner.shortLabel;
      entry.owner.title = owner.label;
      entry.before.textContent = words.before;
      entry.code.textContent = words.code;
      entry.after.textContent = words.after;
      entry.match.textContent = this.hiddenMatch(row, words);
      entry.causeNumber.textContent = cause >= 0 ? `← #${store.id[cause]}` : cause === missing ? "← not here" : "";
      entry.causeName.textContent = cause >= 0 ? ` ${nameOf(store, cause, 32)}` : "";
      entry.cause.dataset.row = cause >= 0 ? cause : "";
      entry.element.setAttribute("aria-selected", row === this.selected ? "true" : "false");
    }
    entry.element.setAttribute("aria-posinset", index + 1);
    entry.element.setAttribute("aria-setsize", this.rows.length);
    [entry.row, entry.state, entry.version] = [row, state, version];
  }

  /** The piece of a row's texts that the search has found, if the words of the row do not contain it. */
  hiddenMatch(row, words) {
    if (this.query === "") return "";
    const needle = this.query.toLowerCase();
    const { before, code, after } = words;
    if (`${before}${code}${after}`.toLowerCase().includes(needle)) return "";
    for (const text of textsIn(this.store.row(row))) {
      const place = text.toLowerCase().indexOf(needle);
      if (place < 0) continue;
      const start = Math.max(0, place - 20);
      return `${start > 0 ? "…" : ""}${short(text.slice(start), needle.length + 40)}`;
    }
    return "";
  }

  click(event) {
    const element = event.target.closest(".row");
    const entry = this.pool.find((candidate) => candidate.element === element);
    if (!entry) return;
    const cause = entry.cause.contains(event.target) && entry.cause.dataset.row !== "" ? Number(entry.cause.dataset.row) : none;
    this.select(cause >= 0 ? cause : entry.row, { opens: true });
  }

  /** Selects the row that is `distance` rows away in the list. */
  move(distance) {
    if (this.rows.length === 0) return;
    const index = this.rows.indexAt(this.selected);
    const isShown = index >= 0 && this.rows.at(index) === this.selected;
    const next = index < 0 ? 0 : index + (isShown || distance < 0 ? distance : 1);
    this.select(this.rows.at(Math.max(0, Math.min(next, this.rows.length - 1))));
  }
}
