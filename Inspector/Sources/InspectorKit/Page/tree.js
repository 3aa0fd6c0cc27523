// The state at a moment as a tree, with what changed marked and the value before.
"use strict";

/** How many equal parts in a row are shown, and how many more a button shows. */
const shownParts = 50;
/** How deep changes are opened by themselves, and how many rows that may add. */
const openedDepth = 12;
const openedRows = 200;
/** How many changed parts of a value are shown. */
const shownChanges = 200;

/** A row of the tree: a value, its value before, how they compare, and the label of the part. */
class TreeNode {
  constructor(value, before, mark, parent, label = "") {
    Object.assign(this, { value, before, mark, parent, label });
    this.depth = parent ? parent.depth + 1 : 0;
    this.children = null;
    this.isOpen = false;
    const shown = value ?? before;
    this.mayOpen = shown !== null && countOf(shown) + moreOf(shown) > 0;
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
  async show(value, before) {
    this.turn += 1;
    const turn = this.turn;
    const isStale = () => turn !== this.turn;
    const waiting = setTimeout(() => this.element.replaceChildren(make("p", "muted", "Comparing the states …")), 150);
    const root = new TreeNode(value, before, before === null || isEqual(value, before) ? "" : "changed", null);
    let budget = openedRows;
    const open = function* (node) {
      yield* openNode(node);
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
    if (node.label) span("label", `${short(node.label, 200)}: `);
    span("value", node.isOpen ? headingOf(value) : summaryOf(value));
    if (node.mark) span("hidden", `, ${node.mark}`);
    if (node.mark === "changed" && !(node.isOpen && isSameKind(value, node.before))) span("was", ` was ${summaryOf(node.before)}`);
    return element;
  }

  click(event) {
    const row = event.target.closest("[data-index]");
    if (row) this.toggle(this.nodes[Number(row.dataset.index)]);
  }

  async toggle(node, isOpen = !node.isOpen) {
    if (node.more) return this.showMore(node);
    if (!node.mayOpen || node.isOpen === isOpen) return this.render(node);
    if (isOpen) await inSlices(openNode(node));
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

/** Compares the parts of a node with those before, and opens it. */
function* openNode(node) {
  node.isOpen = node.mayOpen;
  if (node.children) return;
  const { before, mark } = node;
  const value = node.value ?? before;
  node.children = [];
  if (!node.mayOpen) return;
  const isCompared = mark === "changed" && isSameKind(value, before);
  const plain = (index) => new TreeNode(partOf(value, index), null, isCompared || mark === "changed" ? "" : mark, node, rowLabel(value, index));
  if (!isCompared) addFolded(node, 0, countOf(value), plain);
  else yield* addCompared(node, plain);
  const [more, earlier] = [moreOf(value), isCompared ? moreOf(before) : moreOf(value)];
  if (more > 0 || earlier > 0) {
    addNote(node, `and ${grouped(more)} more ${more === 1 ? "is" : "are"} not in the trace${more === earlier ? "" : `; before, ${grouped(earlier)} were not`}`);
  }
}

function* addCompared(node, plain) {
  const { value, before } = node;
  const { head, tail, pairs } = yield* matchParts(before, value);
  // Of an array, only what is near a change is shown. The parts of other values are few, and all are shown.
  const near = value.elements ? 2 : shownParts;
  addFolded(node, 0, head, plain, near);
  let [from, count, shown] = [0, 0, 0];
  const flush = () => {
    addFolded(node, from, count, plain, near);
    count = 0;
  };
  for (const [i, j] of pairs) {
    const [left, right] = [i >= 0 ? partOf(before, i) : null, j >= 0 ? partOf(value, j) : null];
    if (left !== null && right !== null && isEqual(left, right)) {
      if (count > 0 && j !== from + count) flush();
      if (count === 0) from = j;
      count += 1;
      continue;
    }
    flush();
    shown += 1;
    if (shown > shownChanges) {
      addNote(node, "More parts have changed.");
      break;
    }
    const label = right !== null ? rowLabel(value, j) : rowLabel(before, i);
    node.children.push(new TreeNode(right, left, left === null ? "added" : right === null ? "removed" : "changed", node, label));
    yield;
  }
  flush();
  addFolded(node, countOf(value) - tail, tail, plain, near);
}

/** The label of a part in the tree. A member of a set has none. */
const rowLabel = (value, index) => (value.elements ? `[${index}]` : shownLabel(value, index)
  || (value.parts && countOf(value) > 1 ? labelOf(value, index) : ""));

/** Adds a run of parts that are equal or have the same mark. Of a long run, only the first `most` are shown. */
function addFolded(parent, first, count, make, most = shownParts) {
  const shown = count > most + 1 ? most : count;
  for (let i = 0; i < shown; i += 1) parent.children.push(make(first + i));
  const rest = foldedNode(parent, first + shown, count - shown, make);
  if (rest) parent.children.push(rest);
}

function foldedNode(parent, first, count, make) {
  if (count <= 0) return null;
  const node = new TreeNode(null, null, "", parent);
  node.more = { first, count, make, text: `Show ${grouped(Math.min(count, 200))} of ${grouped(count)} more` };
  return node;
}

function addNote(parent, text) {
  parent.children.push(Object.assign(new TreeNode(null, null, "", parent), { more: { count: 0, text } }));
}

/** What an open value begins with. */
function headingOf(value) {
  if (value.parts) return value.type === "" ? counted(countOf(value), "value") : short(headOf(value), 120);
  const count = countOf(value) + moreOf(value);
  return value.elements ? counted(count, "element") : value.members ? counted(count, "member") : counted(count, "entry", "entries");
}

const summaryOf = (value) => short(describe(value, 160), 160);
