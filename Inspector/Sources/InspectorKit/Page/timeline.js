// The timeline: messages and works as bars, other entries as marks, causes as arrows, on a canvas.
"use strict";

/** The heights of a lane, of the axis, and of the gap between owners, in CSS pixels. */
const laneHeight = 18;
const axisHeight = 22;
const ownerGap = 8;
/** The largest number of lanes for the works of one owner. Further works share the last one. */
const maximumLanes = 24;
/** The largest number of arrows that are drawn without a selection, and of those of a selection. */
const maximumArrows = 300;

class Timeline {
  constructor(canvas, hover, store, select) {
    Object.assign(this, { canvas, hover, store, select });
    this.context = canvas.getContext("2d");
    this.lanes = [];
    this.lanesByKey = new Map();
    this.laned = 0;
    [this.start, this.end] = [0, 1];
    this.isWhole = true;
    this.scroll = 0;
    this.selected = none;
    this.chain = [];
    this.arrows = 0;
    this.draw = oncePerFrame(() => this.drawNow());
    [this.width, this.height, this.ratio] = [0, 0, 1];
    // The observer measures after the first layout, so that the script does not cause one.
    new ResizeObserver(() => this.measure()).observe(canvas);
    this.listen();
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.colors = {};
    for (const name of ["back", "text", "muted", "line", "message", "work", "change", "policy", "bad", "hint", "accent",
      "owner", "label"]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  measure() {
    if (!this.colors) this.readColors();
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    [this.width, this.height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    [this.canvas.width, this.canvas.height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    this.ratio = ratio;
    this.revealLane();
    this.draw();
  }

  // MARK: Lanes

  /** Puts the rows that the store has added since the last call into lanes. Yields between slices. */
  *addRows() {
    const { store } = this;
    for (; this.laned < store.count; this.laned += 1) {
      const row = this.laned;
      const owner = store.owner[row];
      if (store.flags[row] & Flag.problem) this.lane(-1, "problems", 0).rows.push(row);
      switch (store.kind[row]) {
      case Kind.received: this.lane(owner, "messages", 0).rows.push(row); break;
      case Kind.started: {
        const lane = this.lane(owner, "work", Math.min(store.lane[row], maximumLanes - 1));
        if (store.lane[row] >= maximumLanes - 1) lane.isShared = true;
        lane.rows.push(row);
        break;
      }
      case Kind.handled: case Kind.suspended: case Kind.ended: case Kind.cancelled: break;
      default: this.lane(owner, "marks", 0).rows.push(row);
      }
      if (row % 2048 === 0) yield;
    }
    if (this.isWhole) this.showAll();
    this.draw();
  }

  lane(owner, kind, number) {
    const rank = { problems: 0, messages: 1, marks: 2, work: 3 }[kind];
    const key = ((owner + 1) * 4 + rank) * 256 + number;
    let lane = this.lanesByKey.get(key);
    if (lane) return lane;
    lane = { owner, kind, number, key, rows: [], y: 0 };
    this.lanesByKey.set(key, lane);
    this.lanes.push(lane);
    this.hasLayout = false;
    return lane;
  }

  /** Places the lanes below each other, after lanes were added. */
  layOut() {
    this.hasLayout = true;
    this.lanes.sort((a, b) => a.key - b.key);
    let y = axisHeight;
    let last = -1;
    for (const each of this.lanes) {
      if (each.owner !== last) {
        y += ownerGap + (each.owner >= 0 ? 14 : 0);
        last = each.owner;
      }
      each.y = y;
      y += laneHeight;
    }
    this.fullHeight = y + 4;
  }

  laneOf(row) {
    const { store } = this;
    const owner = store.owner[row];
    const kind = store.kind[row];
    const ref = store.ref[row];
    if (kind === Kind.received) return this.lanesByKey.get(((owner + 1) * 4 + 1) * 256);
    if (kind === Kind.started) {
      return this.lanesByKey.get(((owner + 1) * 4 + 3) * 256 + Math.min(store.lane[row], maximumLanes - 1));
    }
    if (ref >= 0 && (kind === Kind.handled || kind === Kind.suspended || isEndOfWork(kind))) return this.laneOf(ref);
    return this.lanesByKey.get(((owner + 1) * 4 + 2) * 256);
  }

  timeOfEnd(row) {
    const { store } = this;
    const end = store.end[row];
    if (end >= 0) return Math.max(store.time[end], store.time[row]);
    return store.kind[row] === Kind.started ? store.lastTime : store.time[row];
  }

  // MARK: Drawing

  x(time) { return ((time - this.start) / (this.end - this.start)) * this.width; }

  drawNow() {
    const { context, colors } = this;
    if (!this.hasLayout) this.layOut();
    if (this.width === 0 || !this.colors) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = colors.back;
    context.fillRect(0, 0, this.width, this.height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.labels = 0;
    this.bars = [];
    this.drawAxis();
    context.save();
    context.beginPath();
    context.rect(0, axisHeight, this.width, this.height - axisHeight);
    context.clip();
    let last = -2;
    for (const lane of this.lanes) {
      const y = lane.y - this.scroll;
      if (lane.owner !== last) {
        last = lane.owner;
        if (lane.owner >= 0) this.drawOwner(lane.owner, y - 8);
      }
      if (y + laneHeight < axisHeight || y > this.height) continue;
      if (lane.kind === "work") this.drawWorks(lane, y); else this.drawMoments(lane, y);
    }
    this.drawArrows();
    this.drawSelection();
    context.restore();
    this.describe();
  }

  drawAxis() {
    const { context, colors } = this;
    const span = this.end - this.start;
    const rough = span / Math.max(2, this.width / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
    if (!(step > 0) || !Number.isFinite(step)) return;
    const decimals = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
    context.fillStyle = colors.muted;
    for (let i = Math.ceil(this.start / step); i * step <= this.end; i += 1) {
      const x = this.x(i * step);
      context.fillStyle = colors.line;
      context.fillRect(Math.round(x), 0, 1, this.height);
      context.fillStyle = colors.muted;
      context.fillText(`${(i * step).toFixed(decimals)} s`, x + 4, axisHeight / 2);
    }
  }

  drawOwner(owner, y) {
    const { context, colors } = this;
    if (y < axisHeight - 8 || y > this.height + 8) return;
    context.fillStyle = colors.owner;
    context.fillRect(0, y - 7, this.width, 14);
    context.fillStyle = colors.text;
    context.fillText(this.store.owners[owner].label, 6, y);
  }

  /** Returns the index of the first of a lane's rows from `from` on whose time, or end, is at least `time`. */
  search(lane, from, time, byEnd) {
    const { store } = this;
    let [low, high] = [from, lane.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = lane.rows[middle];
      if ((byEnd ? this.timeOfEnd(row) : store.time[row]) < time) low = middle + 1; else high = middle;
    }
    return low;
  }

  color(row) {
    const { store, colors } = this;
    if (store.flags[row] & Flag.problem) return colors.bad;
    if (store.flags[row] & Flag.hint) return colors.hint;
    switch (store.kind[row]) {
    case Kind.received: return colors.message;
    case Kind.started: {
      const end = store.end[row];
      return end >= 0 && store.kind[end] === Kind.failed ? colors.bad : colors.work;
    }
    case Kind.changed: return colors.change;
    case Kind.decided: return colors.policy;
    default: return colors.muted;
    }
  }

  /** Draws a lane of messages or marks. A pixel that is drawn is not drawn again, so the cost follows the width. */
  drawMoments(lane, y) {
    const { context, store } = this;
    const secondsPerPixel = (this.end - this.start) / this.width;
    const isMessage = lane.kind === "messages";
    const first = this.search(lane, 0, this.start - 2 * secondsPerPixel, false);
    let i = Math.max(0, isMessage ? first - 1 : first);
    while (i < lane.rows.length) {
      const row = lane.rows[i];
      const time = store.time[row];
      if (time > this.end) break;
      const x = this.x(time);
      const next = i + 1 < lane.rows.length ? this.x(store.time[lane.rows[i + 1]]) : Infinity;
      const end = isMessage ? Math.min(this.x(this.timeOfEnd(row)), Math.max(next, x)) : x;
      const width = Math.max(isMessage ? 2 : 3, end - x - (isMessage ? 1 : 0));
      if (end >= -2) {
        context.fillStyle = this.color(row);
        if (isMessage) context.fillRect(x, y + 2, width, laneHeight - 4);
        else this.drawMark(lane.kind === "problems" ? "problem" : kindNames[store.kind[row]], x, y);
        if (width > 40) this.drawLabel(row, x, y, width);
        this.bars.push(row);
      }
      const painted = this.start + (x + (isMessage ? 2 : 3)) * secondsPerPixel;
      const following = next < x + 2 ? Math.max(i + 1, this.search(lane, i + 1, painted, false)) : i + 1;
      if (!isMessage && following - i > 1 && end >= -2) this.drawCount(lane, following, following - i, x, y);
      i = following;
    }
  }

  drawMark(kind, x, y) {
    const { context } = this;
    const middle = y + laneHeight / 2;
    if (kind === "problem") {
      context.beginPath();
      context.moveTo(x, y + 2);
      context.lineTo(x + 6, y + laneHeight - 3);
      context.lineTo(x - 6, y + laneHeight - 3);
      context.fill();
    } else if (kind === "changed") {
      context.fillRect(x - 1, y + 3, 3, laneHeight - 6);
    } else if (kind === "decided") {
      context.fillRect(x - 2, middle - 3, 5, 6);
    } else {
      context.fillRect(x - 1, y + 5, 2, laneHeight - 10);
    }
  }

  /** Writes how many marks are at one place, if there is room before the next one. */
  drawCount(lane, following, count, x, y) {
    const text = grouped(count);
    const next = following < lane.rows.length ? this.x(this.store.time[lane.rows[following]]) : Infinity;
    if (this.labels >= 200 || next - x < 10 + text.length * 6) return;
    this.labels += 1;
    this.context.fillStyle = this.colors.muted;
    this.context.fillText(text, x + 6, y + laneHeight / 2 + 0.5);
  }

  drawWorks(lane, y) {
    const { context, store } = this;
    const secondsPerPixel = (this.end - this.start) / this.width;
    let i = lane.isShared ? 0 : this.search(lane, 0, this.start, true);
    while (i < lane.rows.length) {
      const row = lane.rows[i];
      const time = store.time[row];
      if (time > this.end) break;
      const [x, end] = [Math.max(this.x(time), -4), Math.min(this.x(this.timeOfEnd(row)), this.width + 4)];
      // The gap separates a work from the next one of its lane, which may begin at once.
      const width = Math.max(2, end - x - 1.5);
      if (end >= -4) {
        context.fillStyle = this.color(row);
        context.fillRect(x, y + 2, width, laneHeight - 4);
        const last = store.end[row];
        if (width > 4 && (last < 0 || store.kind[last] === Kind.cancelled)) this.drawEnd(last, x + width, y);
        if (width > 40) this.drawLabel(row, x, y, width);
        this.bars.push(row);
      }
      if (width > 2) i += 1;
      else i = Math.max(i + 1, this.search(lane, i + 1, this.start + (x + 2) * secondsPerPixel, !lane.isShared));
    }
  }

  /** Marks the end of a bar: open if the work has not ended, cut if it was cancelled. */
  drawEnd(last, x, y) {
    const { context, colors } = this;
    context.fillStyle = colors.back;
    if (last < 0) {
      for (let i = 0; i < 3; i += 1) context.fillRect(x - 3 - i * 4, y + 2, 2, laneHeight - 4);
    } else {
      context.beginPath();
      context.moveTo(x + 1, y + 2);
      context.lineTo(x - 6, y + laneHeight - 2);
      context.lineTo(x + 1, y + laneHeight - 2);
      context.fill();
    }
  }

  drawLabel(row, x, y, width) {
    if (this.labels >= 200) return;
    this.labels += 1;
    const { context, colors } = this;
    const from = Math.max(x, 0);
    const room = Math.min(x + width, this.width) - from - 8;
    if (room < 24) return;
    const text = nameOf(this.store, row, Math.max(1, Math.floor(room / 6.2)));
    context.fillStyle = colors.label;
    context.fillText(text, from + 4, y + laneHeight / 2 + 0.5, room);
  }

  /** Draws the arrows of the selected entry's chain, and those of all bars in view if they are few. */
  drawArrows() {
    const { store, context, colors } = this;
    this.arrows = 0;
    if (this.bars.length <= maximumArrows) {
      context.strokeStyle = context.fillStyle = colors.muted;
      context.globalAlpha = 0.55;
      for (const row of this.bars) this.drawArrow(store.cause[row], row, 1);
      context.globalAlpha = 1;
    }
    if (this.selected < 0) return;
    context.strokeStyle = context.fillStyle = colors.accent;
    const chain = this.chain;
    for (let i = Math.max(1, chain.length - maximumArrows); i < chain.length; i += 1) {
      this.drawArrow(chain[i - 1], chain[i], 2);
    }
    let count = 0;
    for (let row = store.firstEffect[this.selected]; row >= 0 && count < 100; row = store.nextEffect[row]) {
      this.drawArrow(this.selected, row, 2);
      count += 1;
    }
  }

  drawArrow(cause, row, width) {
    if (!(cause >= 0)) return;
    const [from, to] = [this.laneOf(cause), this.laneOf(row)];
    if (!from || !to || from === to) return;
    const { context, store } = this;
    const x2 = this.x(store.time[row]);
    const x1 = Math.min(Math.max(this.x(store.time[cause]), Math.min(x2, this.x(this.timeOfEnd(cause)))), x2);
    if (x2 < -50 || x1 > this.width + 50) return;
    const isDown = to.y > from.y;
    const y1 = from.y - this.scroll + (isDown ? laneHeight - 2 : 2);
    const y2 = to.y - this.scroll + (isDown ? 1 : laneHeight - 1);
    const bend = Math.min(24, Math.abs(y2 - y1) / 2) * (isDown ? 1 : -1);
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1, y1 + bend, x2, y2 - bend, x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 3.5, y2 - (isDown ? 6 : -6));
    context.lineTo(x2 + 3.5, y2 - (isDown ? 6 : -6));
    context.fill();
    this.arrows += 1;
  }

  drawSelection() {
    if (this.selected < 0) return;
    const { context, colors, store } = this;
    const row = this.selected;
    const x = Math.round(this.x(store.time[row]));
    context.fillStyle = colors.accent;
    context.fillRect(x, axisHeight, 1, this.height);
    const lane = this.laneOf(row);
    if (!lane) return;
    const y = lane.y - this.scroll;
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    const bar = store.kind[row] === Kind.received || store.kind[row] === Kind.started ? row : none;
    const width = bar >= 0 ? Math.max(4, this.x(this.timeOfEnd(bar)) - this.x(store.time[bar])) : 4;
    const from = Math.max(-4, bar >= 0 ? this.x(store.time[bar]) : x - 2);
    context.strokeRect(from - 1, y + 1, Math.min(width + 2, this.width + 8 - from), laneHeight - 2);
  }

  describe() {
    const { store } = this;
    const selection = this.selected >= 0
      ? ` Selected: #${store.id[this.selected]}, ${sentence(store, this.selected, 80)}.` : "";
    const text = `Timeline from ${momentText(this.start)} to ${momentText(this.end)}, with ${counted(store.owners.length,
      "owner")}, ${counted(store.kindCounts[Kind.received], "message")}, ${counted(store.starts.length, "work")} and ${
      counted(store.problems.length, "problem")}.${selection} The list shows the same entries.`;
    if (text === this.description) return;
    this.description = text;
    this.canvas.setAttribute("aria-label", text);
  }

  // MARK: Moving

  show(start, end) {
    const [first, last] = [this.store.firstTime, this.store.lastTime];
    const whole = Math.max(last - first, 1e-6) * 1.02;
    let span = Math.min(Math.max(end - start, 1e-7), whole);
    if (!Number.isFinite(span)) span = whole;
    const margin = whole * 0.01;
    start = Math.max(first - margin, Math.min(start, first - margin + whole - span));
    [this.start, this.end] = [start, start + span];
    this.isWhole = span >= whole * 0.9999;
    this.draw();
  }

  showAll() {
    this.show(-Infinity, Infinity);
  }

  zoom(factor, x = this.selectedX) {
    const time = this.start + (x / this.width) * (this.end - this.start);
    this.show(time - (time - this.start) * factor, time + (this.end - time) * factor);
  }

  /** Where to zoom with the keyboard: at the selected entry if it is in view, and in the middle otherwise. */
  get selectedX() {
    const x = this.selected >= 0 ? this.x(this.store.time[this.selected]) : -1;
    return x >= 0 && x <= this.width ? x : this.width / 2;
  }

  pan(fraction) {
    const distance = (this.end - this.start) * fraction;
    this.show(this.start + distance, this.end + distance);
  }

  scrollBy(distance) {
    const room = Math.max(0, (this.fullHeight ?? 0) - this.height);
    this.scroll = Math.max(0, Math.min(room, this.scroll + distance));
    this.draw();
  }

  /** Shows the selected entry and its cause, so that both fill a third of the width. */
  showSelected() {
    if (this.selected < 0) return;
    const { store, selected } = this;
    const root = this.chain.length ? this.chain[0] : selected;
    const [begin, end] = [store.time[root], Math.max(this.timeOfEnd(selected), store.time[selected])];
    const span = Math.max(end - begin, 2e-6);
    this.show(begin - span, end + span);
    this.revealLane();
  }

  setSelection(row, chain) {
    this.selected = row;
    this.chain = chain;
    if (row >= 0) {
      const time = this.store.time[row];
      const span = this.end - this.start;
      if (time < this.start || time > this.end) this.show(time - span / 2, time + span / 2);
      this.revealLane();
    }
    this.draw();
  }

  revealLane() {
    // Without a height, as in a hidden view, there is nothing to scroll. `measure` reveals what is selected then.
    const lane = this.selected >= 0 && this.height > 0 ? this.laneOf(this.selected) : undefined;
    if (!lane) return;
    if (!this.hasLayout) this.layOut();
    const y = lane.y - this.scroll;
    if (y < axisHeight + 14) this.scrollBy(y - axisHeight - 30);
    else if (y + laneHeight > this.height) this.scrollBy(y + laneHeight - this.height + 8);
  }

  /** Returns the row at a point, or `none`. */
  rowAt(x, y) {
    const lane = this.lanes.find((candidate) => y >= candidate.y - this.scroll
      && y < candidate.y - this.scroll + laneHeight);
    if (!lane) return none;
    const { store } = this;
    const time = this.start + (x / this.width) * (this.end - this.start);
    const index = this.search(lane, 0, time, false);
    let [best, distance] = [none, 7];
    for (let i = Math.max(0, index - 40); i < Math.min(lane.rows.length, index + 40); i += 1) {
      const row = lane.rows[i];
      const [from, to] = [this.x(store.time[row]), this.x(this.timeOfEnd(row))];
      const gap = x < from ? from - x : x > to && lane.kind !== "marks" ? x - to : lane.kind === "marks"
        ? Math.abs(x - from) : 0;
      if (gap < distance || (gap === 0 && distance === 0)) [best, distance] = [row, gap];
    }
    return best;
  }

  listen() {
    const { canvas } = this;
    const pointers = new Map();
    let moved = false;
    let pinch = 0;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      moved = false;
      pinch = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return this.showHover(this.rowAt(event.offsetX, event.offsetY));
      const [dx, dy] = [event.offsetX - last[0], event.offsetY - last[1]];
      if (pointers.size === 2) {
        pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
        const [[x1], [x2]] = [...pointers.values()];
        const gap = Math.max(20, Math.abs(x1 - x2));
        if (pinch > 0) this.zoom(pinch / gap, (x1 + x2) / 2);
        pinch = gap;
        moved = true;
        return;
      }
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = true;
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.pan(-dx / this.width);
      this.scrollBy(-dy);
    });
    const release = (event) => {
      const wasDown = pointers.delete(event.pointerId);
      if (!wasDown || moved || event.type === "pointercancel") return;
      const row = this.rowAt(event.offsetX, event.offsetY);
      if (row >= 0) this.select(row);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => this.showHover(none));
    canvas.addEventListener("dblclick", (event) => this.zoom(0.4, event.offsetX));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.01), event.offsetX);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        this.pan((event.deltaX || event.deltaY) / this.width);
      } else if ((this.fullHeight ?? 0) > this.height) this.scrollBy(event.deltaY);
      else this.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004), event.offsetX);
    }, { passive: false });
  }

  /** How many other marks are drawn at the place of a mark. */
  sharing(row) {
    const lane = this.laneOf(row);
    if (lane?.kind !== "marks") return 0;
    const reach = 3 * (this.end - this.start) / this.width;
    const time = this.store.time[row];
    return Math.max(0, this.search(lane, 0, time + reach, false) - this.search(lane, 0, time - reach, false) - 1);
  }

  showHover(row) {
    if (row === this.hovered) return;
    this.hovered = row;
    const others = row >= 0 ? this.sharing(row) : 0;
    this.hover.textContent = row >= 0
      ? `#${this.store.id[row]} · ${momentText(this.store.time[row])} · ${sentence(this.store, row, 400)}${
        others > 0 ? ` · ${grouped(others)} more at this place` : ""}` : "";
    this.canvas.style.cursor = row >= 0 ? "pointer" : "grab";
  }
}
