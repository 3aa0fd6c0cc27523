// The state at a moment as a tree, with what changed marked and the value before.
"use strict";

/** How many equal parts in a row are shown, and how many more a button shows. */
const shownParts = 50;
/** How deep changes are opened by themselves, and how many rows that may add. */
const openedDepth = 12;
const openedRows = 200;
/** How many changed parts of a value are shown. */
const shownChanges = 200;

/** A row of the tree: a value, its value before, and how they compare. */
class TreeNode {
  constructor(value, before, mark, depth, parent) {
    Object.assign(this, { value, before, mark, depth, parent });
    this.children = null;
    this.isOpen = false;
  }
}

class StateTree {
  constructor(element) {
    this.element = element;
    this.element.setAttribute("role", "tree");
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.turn = 0;
  }

  /** Shows a state, compared with the state before it if there is one. */
  async show(text, textBefore) {
    this.turn += 1;
    const turn = this.turn;
    const isStale = () => turn !== this.turn;
    const waiting = setTimeout(() => this.element.replaceChildren(make("p", "muted", "Comparing the states …")), 150);
    this.difference = textBefore === null ? null : commonEnds(textBefore, text);
    const value = new Value(text, 0, text.length);
    const before = textBefore === null ? null : new Value(textBefore, 0, textBefore.length);
    const mark = before === null || text === textBefore ? "" : "changed";
    const root = new TreeNode(value, before, mark, 0, null);
    root.mayOpen = value.looksComposite;
    let budget = openedRows;
    const difference = this.difference;
    const open = function* (node) {
      yield* openNode(node, difference);
      budget -= node.children.length;
      for (const child of node.children) {
        if (child.mark === "changed" && child.depth < openedDepth && budget > 0) yield* open(child);
      }
    };
    const done = await inSlices((function* () {
      yield* open(root);
      return true;
    })(), isStale);
    clearTimeout(waiting);
    if (!done || isStale()) return;
    this.root = root;
    this.render();
  }

  render(focused = null) {
    const rows = [];
    const add = (node) => {
      rows.push(node);
      if (node.isOpen) for (const child of node.children) add(child);
    };
    add(this.root);
    this.nodes = rows.slice(0, 1_000);
    this.element.replaceChildren(...this.nodes.map((node, index) => this.rowOf(node, index)));
    if (this.nodes.length < rows.length) {
      const rest = document.createElement("p");
      rest.textContent = `${counted(rows.length - this.nodes.length, "line")} more. Close some parts to see them.`;
      this.element.append(rest);
    }
    const index = Math.max(0, focused ? this.nodes.indexOf(focused) : 0);
    this.element.children[index].tabIndex = 0;
    if (focused) this.element.children[index].focus();
  }

  rowOf(node, index) {
    const element = document.createElement("div");
    const span = (name, text) => {
      const child = document.createElement("span");
      child.className = name;
      child.textContent = text;
      element.append(child);
    };
    element.className = `node ${node.mark}`;
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", node.depth + 1);
    element.tabIndex = -1;
    element.dataset.index = index;
    element.style.paddingInlineStart = `${Math.min(node.depth, 20) * 14 + 4}px`;
    if (node.more) {
      element.classList.add("more");
      span("words", node.more.text);
      return element;
    }
    if (node.mayOpen) element.setAttribute("aria-expanded", String(node.isOpen));
    span("twisty", node.mayOpen ? (node.isOpen ? "▾" : "▸") : "");
    if (node.mark) span("mark", { changed: "~", added: "+", removed: "−" }[node.mark]);
    const value = node.value ?? node.before;
    if (value.label) span("label", `${visible(value.label)}: `);
    span("value", node.isOpen ? headOf(value) : summaryOf(value));
    if (node.mark) span("hidden", `, ${node.mark}`);
    const isLeaf = !node.isOpen || !node.before?.content;
    if (node.mark === "changed" && isLeaf) span("was", ` was ${summaryOf(node.before)}`);
    return element;
  }

  click(event) {
    const row = event.target.closest("[data-index]");
    if (row) this.toggle(this.nodes[Number(row.dataset.index)]);
  }

  async toggle(node, isOpen = !node.isOpen) {
    if (node.more) return this.showMore(node);
    if (!node.mayOpen || node.isOpen === isOpen) return this.render(node);
    if (isOpen) await inSlices(openNode(node, this.difference));
    else node.isOpen = false;
    this.render(node);
  }

  showMore(node) {
    if (node.more.count === 0) return;
    const { parent, more } = node;
    const index = parent.children.indexOf(node);
    const count = Math.min(more.count, 200);
    const shown = [];
    for (let i = 0; i < count; i += 1) shown.push(more.make(more.first + i));
    const rest = foldedNode(parent, more.first + count, more.count - count, more.make);
    parent.children.splice(index, 1, ...shown, ...(rest ? [rest] : []));
    this.render(shown[0]);
  }

  key(event) {
    const row = event.target.closest("[data-index]");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = Number(row.dataset.index);
    const node = this.nodes[index];
    const focus = (next) => {
      const element = this.element.children[Math.max(0, Math.min(next, this.nodes.length - 1))];
      row.tabIndex = -1;
      element.tabIndex = 0;
      element.focus();
    };
    switch (event.key) {
    case "ArrowDown": focus(index + 1); break;
    case "ArrowUp": focus(index - 1); break;
    case "Home": focus(0); break;
    case "End": focus(this.nodes.length - 1); break;
    case "ArrowRight":
      if (node.mayOpen && !node.isOpen) this.toggle(node, true); else focus(index + 1);
      break;
    case "ArrowLeft":
      if (node.isOpen) this.toggle(node, false);
      else if (node.parent && this.nodes.includes(node.parent)) focus(this.nodes.indexOf(node.parent));
      break;
    case "Enter": case " ": this.toggle(node); break;
    default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Reads the parts of a node, compares them with those before, and opens it. */
function* openNode(node, difference) {
  node.isOpen = true;
  if (node.children) return;
  const value = node.value ?? node.before;
  yield* value.read();
  if (node.value && node.before) yield* node.before.read();
  node.children = [];
  if (!value.content) return;
  const plain = (mark) => (index) => makeNode(value.part(index), null, mark, node);
  if (!node.value || !node.before || node.mark !== "changed" || !sameKind(node.value, node.before)) {
    const mark = node.mark === "removed" ? "removed" : node.mark === "added" ? "added" : "";
    addFolded(node, 0, value.count, plain(mark));
    return;
  }
  const { head, tail, pairs } = yield* matchParts(node.before, node.value, difference);
  // Of an array, only what is near a change is shown. The parts of other values are few, and all are shown.
  const near = value.content.symbol === "[" && !hasLabels(value) ? 2 : shownParts;
  addFolded(node, 0, head, plain(""), near);
  let [from, count, shown] = [0, 0, 0];
  const flush = () => {
    addFolded(node, from, count, plain(""), near);
    count = 0;
  };
  for (const [i, j] of pairs) {
    const [left, right] = [i >= 0 ? node.before.part(i) : null, j >= 0 ? node.value.part(j) : null];
    if (left && right && right.equals(left, difference)) {
      if (count > 0 && j !== from + count) flush();
      if (count === 0) from = j;
      count += 1;
      continue;
    }
    flush();
    shown += 1;
    if (shown > shownChanges) {
      node.children.push(Object.assign(new TreeNode(null, null, "", node.depth + 1, node), {
        more: { count: 0, text: "More parts have changed." },
      }));
      break;
    }
    node.children.push(makeNode(right, left, left && right ? "changed" : right ? "added" : "removed", node));
    yield;
  }
  flush();
  addFolded(node, value.count - tail, tail, plain(""), near);
}

function makeNode(value, before, mark, parent) {
  const node = new TreeNode(value, before, mark, parent.depth + 1, parent);
  node.mayOpen = (value ?? before).looksComposite && (value ?? before).content !== null;
  return node;
}

/** Adds a run of parts that are equal or have the same mark. Of a long run, only the first `most` are shown. */
function addFolded(parent, first, count, make, most = shownParts) {
  const shown = count > most + 1 ? most : count;
  for (let i = 0; i < shown; i += 1) parent.children.push(make(first + i));
  const rest = foldedNode(parent, first + shown, count - shown, make);
  if (rest) parent.children.push(rest);
}

function foldedNode(parent, first, count, make) {
  if (count <= 0) return null;
  const node = new TreeNode(null, null, "", parent.depth + 1, parent);
  node.more = { first, count, make, text: `Show ${grouped(Math.min(count, 200))} of ${grouped(count)} more` };
  return node;
}

const sameKind = (left, right) =>
  left.content && right.content && left.content.head === right.content.head
  && left.content.symbol === right.content.symbol;

/** What an open value begins with. */
function headOf(value) {
  if (!value.content) return value.shortText(2_000);
  const { head, symbol } = value.content;
  return symbol === "(" ? short(head, 120) : counted(value.count, "element");
}

function summaryOf(value) { return value.shortText(160); }
