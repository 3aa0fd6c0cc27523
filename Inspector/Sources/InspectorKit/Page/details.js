// The panel beside the list: an entry with its causes, the state, the work under way, counts, and what stands out.
"use strict";

const tabNames = [
  ["entry", "Why"], ["state", "State"], ["work", "Under way"], ["counts", "Counts"], ["findings", "Problems"],
];

/** The largest number of entries that a section shows at once. */
const sectionLength = 100;

/** Creates an element with a class and contents. Strings become text, never markup. */
function make(tag, name = "", ...contents) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...contents.filter((content) => content !== null && content !== undefined));
  return element;
}

class Details {
  constructor(tabs, panel, store, actions) {
    Object.assign(this, { tabs, panel, store, actions });
    this.tab = "entry";
    this.selected = none;
    this.stateOwner = none;
    this.sorting = new Map();
    for (const [name, title] of tabNames) {
      const button = make("button", "", title);
      button.type = "button";
      button.id = `tab-${name}`;
      button.dataset.tab = name;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", "panel");
      tabs.append(button);
    }
    tabs.addEventListener("click", (event) => {
      const name = event.target.closest("[data-tab]")?.dataset.tab;
      if (name) this.open(name);
    });
    tabs.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const index = tabNames.findIndex(([name]) => name === this.tab);
      this.open(tabNames[(index + step + tabNames.length) % tabNames.length][0]);
      this.tabs.querySelector(`[data-tab="${this.tab}"]`).focus();
      event.preventDefault();
    });
    panel.addEventListener("click", (event) => {
      const link = event.target.closest("[data-row]");
      if (link) this.actions.select(Number(link.dataset.row), { opens: true });
    });
    this.open("entry");
  }

  open(name) {
    this.tab = name;
    for (const button of this.tabs.children) {
      const isSelected = button.dataset.tab === name;
      button.setAttribute("aria-selected", String(isSelected));
      button.tabIndex = isSelected ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.panel.scrollTop = 0;
    this.draw();
  }

  setSelection(row, chain) {
    if (row >= 0 && this.store.owner[row] !== this.store.owner[this.selected]) this.stateOwner = none;
    [this.selected, this.chain] = [row, chain];
    if (this.tab !== "counts" && this.tab !== "findings") this.drawLater();
  }

  /** Draws the panel in a task of its own, so that the list and the timeline come first. */
  drawLater() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(async () => {
      await nextTurn();
      this.isWaiting = false;
      this.panel.scrollTop = 0;
      this.draw();
    });
  }

  /** Draws what grows while rows are added. */
  update() {
    const button = this.tabs.querySelector('[data-tab="findings"]');
    const [problems, hints] = [this.store.problems.length, this.hintCount];
    button.textContent = problems + hints > 0 ? `Problems (${grouped(problems + hints)})` : "Problems";
    button.classList.toggle("bad", problems > 0);
    if (this.tab === "counts" || this.tab === "findings") this.draw();
  }

  get hintCount() {
    let count = 0;
    for (const finding of this.store.findings.values()) if (!finding.isProblem) count += finding.rows.length;
    return count;
  }

  draw() {
    if (this.tab === "counts") return this.drawCounts();
    if (this.tab === "findings") return this.drawFindings();
    if (this.selected < 0) {
      this.panel.replaceChildren(make("p", "empty", "Select an entry to see why it happened."));
      return undefined;
    }
    if (this.tab === "state") return this.drawState();
    return this.tab === "work" ? this.drawWork() : this.drawEntry();
  }

  /** A button that selects a row, with its number and its name, in a sentence. */
  mention(row, hasName = true) {
    const button = make("button", "mention", make("span", "number", `#${this.store.id[row]}`),
      ...(hasName ? [" ", make("code", "", nameOf(this.store, row, 48))] : []));
    button.type = "button";
    button.dataset.row = row;
    return button;
  }

  /** The explanation of a finding for one of its rows, or `null`. */
  explanation(finding, row) {
    const parts = explanationOf(this.store, finding, row);
    if (parts.length === 0) return null;
    return make("p", "because", ...parts.map((part) => (typeof part === "string" ? part
      : typeof part === "number" ? this.mention(part) : this.mention(part.number, false))));
  }

  badge(row, name = "badge") {
    const kind = kindNames[this.store.kind[row]];
    const badge = make("span", name, kindLabels[kind]);
    badge.title = kindTitles[kind];
    return badge;
  }

  /** A button that selects a row, with the words of the row. */
  link(row, ...before) {
    const { store } = this;
    const words = wordsOf(store, row, 160);
    const button = make("button", `entry ${kindNames[store.kind[row]]}`, ...before,
      make("span", "number", `#${store.id[row]}`), " ",
      this.badge(row), " ",
      make("span", "words", words.before, make("code", "", words.code), words.after));
    if (store.flags[row] & Flag.problem) button.classList.add("problem");
    else if (store.flags[row] & Flag.hint) button.classList.add("hint");
    button.type = "button";
    button.dataset.row = row;
    return button;
  }

  button(text, action, keys) {
    const button = make("button", "", text);
    button.type = "button";
    if (keys) button.title = `Key: ${keys}`;
    button.addEventListener("click", action);
    return button;
  }

  // MARK: Why

  drawEntry() {
    const { store, selected: row } = this;
    const kind = kindNames[store.kind[row]];
    const owner = store.owners[store.owner[row]];
    const words = wordsOf(store, row, 400);
    const parts = [
      make("h2", "", `#${store.id[row]} `, this.badge(row, `badge ${kind}`), " ", words.before,
        make("code", "", words.code), words.after),
      make("p", "facts", `${momentText(store.time[row])} · ${owner.label} · thread ${store.thread[row]}`),
    ];
    for (const { finding, row: marked } of store.findingsOf(row).slice(0, 20)) {
      parts.push(make("div", finding.isProblem ? "alert problem" : "alert hint", `${finding.title}`,
        ...(marked === row ? ["."] : [": ", this.mention(marked)]), this.explanation(finding, marked)));
    }
    if (store.isWithoutEffect(row)) parts.push(make("p", "facts", "Processing this message changed nothing, and left no work under way."));
    const policy = kind === "started" ? this.policyOf(row) : null;
    if (policy) parts.push(policy);
    if (kind === "decided") parts.push(this.decision(row));
    parts.push(this.tools(row));
    parts.push(make("h3", "", "Why did this happen?"), this.chainText(), this.chainList());
    parts.push(...this.effects(row), ...this.texts(row));
    this.panel.replaceChildren(...parts);
  }

  /** Says what a decision means, and what else was decided about works of this cause and subject. */
  decision(row) {
    const others = decisionsLike(this.store, row).filter((each) => each !== row);
    const mentions = others.flatMap((each, index) => [index > 0 ? ", " : "", this.mention(each, false), ` ${
      decisionTexts[decisions[this.store.detail[each]]] ?? "is decided"}`]);
    return make("p", "", decisionExplanations[decisions[this.store.detail[row]]] ?? "", ...(others.length === 0 ? [] : [
      " Other decisions with this cause and subject: ", ...mentions, ". Each of several policies decides, and a policy that lets work wait decides again.",
    ]));
  }

  /** Says which policy manages a work, if the trace tells. */
  policyOf(row) {
    const { store } = this;
    const decision = store.policy[row];
    if (decision >= 0) return make("p", "facts", "A policy manages this work: ", this.mention(decision, false), ".");
    if (store.isForLife(row) || !store.isWithoutPolicy(row)) return null;
    return make("p", "facts", "Started without a policy: nothing cancels it for newer work.");
  }

  tools(row) {
    const { actions, store } = this;
    const button = (text, action, keys, isEnabled) => Object.assign(this.button(text, action, keys), { disabled: !isEnabled });
    return make("p", "toolbar",
      button("Cause", () => actions.cause(), "c", store.cause[row] >= 0),
      button("Input", () => actions.root(), "r", store.root[row] !== row),
      button("Effect", () => actions.effect(), "e", store.firstEffect[row] >= 0),
      this.button("Only this chain", () => actions.only({ root: this.store.root[row] }), "o"),
      this.button("Show in timeline", () => actions.fit(), "f"));
  }

  chainText() {
    const { store, selected, chain } = this;
    const first = chain[0];
    if (store.cause[first] === missing) {
      return make("p", "", "The chain begins before the entries of this page, or its cause was dropped.");
    }
    if (chain.length === 1) return make("p", "", "Nothing in this trace caused it.");
    return make("p", "", `${counted(chain.length - 1, "step")} in ${
      durationText(Math.max(0, store.time[selected] - store.time[first]))}, from #${store.id[first]} to #${store.id[selected]}.`);
  }

  /** The chain of causes, from the input to the selected entry. The middle of a long chain is folded. */
  chainList() {
    const { store, chain, selected } = this;
    const list = make("ol", "chain");
    const [head, tail] = [20, 60];
    chain.forEach((row, index) => {
      if (chain.length > head + tail + 1 && index >= head && index < chain.length - tail) {
        if (index === head) list.append(make("li", "fold", `… ${counted(chain.length - head - tail, "step")} more …`));
        return;
      }
      const delay = index > 0 ? `+${durationText(Math.max(0, store.time[row] - store.time[chain[index - 1]]))}` : "";
      const item = make("li", "", make("span", "delay", delay), this.link(row));
      if (row === selected) item.setAttribute("aria-current", "true");
      list.append(item);
    });
    return list;
  }

  effects(row) {
    const { store } = this;
    const list = make("ul", "links");
    let count = 0;
    for (let effect = store.firstEffect[row]; effect >= 0; effect = store.nextEffect[effect]) {
      count += 1;
      if (count <= sectionLength) list.append(make("li", "", this.link(effect)));
      if (count > 100_000) break;
    }
    if (count === 0) return [];
    const rest = count > sectionLength ? make("p", "muted", `${grouped(count - sectionLength)} more`) : null;
    return [make("h3", "", `What it caused (${grouped(count)})`), list, ...(rest ? [rest] : [])];
  }

  texts(row) {
    const { store } = this;
    const changes = this.changesOf(row);
    if (changes.length > 0) return [...changes, this.button("Show the whole state", () => this.open("state"), "2")];
    const text = store.text(row);
    return text.length > 60 || text !== visible(text) ? [make("h3", "", "Text"), longText(text)] : [];
  }

  /** What a change has changed: paths, and the values before and after. */
  changesOf(row) {
    const changes = this.store.changes(row);
    if (!Array.isArray(changes) || changes.length === 0) return [];
    const block = make("pre", "difference");
    const shown = changes.filter((change) => typeof change !== "number").slice(0, 200);
    for (const change of shown) {
      const [, from, to] = change;
      const path = pathText(change);
      if (path) block.append(make("span", "path", `${short(path, 500)}\n`));
      for (const [name, sign, value] of [["removed", "−", from], ["added", "+", to]]) {
        if (value !== null) block.append(make("span", name, `${sign} ${short(describe(value, 2_000), 2_000)}\n`));
      }
    }
    const rest = changes.length - shown.length + (typeof changes.at(-1) === "number" ? changes.at(-1) - 1 : 0);
    if (rest > 0) block.append(make("span", "", `… and ${counted(rest, "more change")}\n`));
    block.tabIndex = 0;
    return [make("h3", "", "What changed"), block];
  }

  // MARK: State

  async drawState() {
    const { store, selected } = this;
    const owner = this.stateOwner >= 0 ? this.stateOwner : store.owner[selected];
    // A message is shown with what its processing has changed.
    const isMessage = store.kind[selected] === Kind.received && store.end[selected] >= 0
      && store.owner[selected] === owner;
    const last = store.stateIndex(owner, isMessage ? store.end[selected] : selected);
    const first = isMessage ? store.stateIndex(owner, selected) : last - 1;
    const choice = this.ownerChoice(owner);
    if (last < 0) {
      this.panel.replaceChildren(choice, make("p", "empty", store.owners[owner].states.length > 0
        ? "The owner has no state yet at this moment." : "The trace has no states of this owner (snapshots: false)."));
      return;
    }
    const states = store.owners[owner].states;
    const stamp = `${owner} ${first} ${last}`;
    this.stateStamp = stamp;
    const isStale = () => this.stateStamp !== stamp || this.tab !== "state";
    const found = await inSlices(store.states(owner, [first, last]), isStale);
    if (!found || isStale()) return;
    const [before, after] = found;
    const row = states[last].row;
    const steps = this.stateSteps(owner, last);
    if (after === null) {
      this.panel.replaceChildren(choice, make("p", "facts", "The state is unknown, because the trace does not have the state before it: ", this.link(row)), steps);
      return;
    }
    const compared = first < 0 ? make("p", "facts", "The first state of the owner: ", this.link(row))
      : before === null ? make("p", "facts", "The state before this one is unknown: ", this.link(row))
        : last === first ? make("p", "facts", "This message changed nothing. The last change: ", this.link(row))
          : make("p", "facts", row === selected ? "What this entry changed is marked."
            : isMessage && row > selected ? "What the processing of this message changed is marked: "
              : "What changed last is marked: ", row === selected ? null : this.link(row));
    const element = make("div", "tree");
    element.setAttribute("aria-label", `State of ${store.owners[owner].label}`);
    this.panel.replaceChildren(choice, compared, steps, element);
    this.tree = new StateTree(element);
    await this.tree.show(after, last === first ? null : before);
  }

  ownerChoice(owner) {
    const { store } = this;
    const choice = document.createElement("select");
    store.owners.forEach((each, index) => {
      if (index >= 500 || (each.states.length === 0 && index !== owner)) return;
      const option = make("option", "", each.label);
      option.value = index;
      option.selected = index === owner;
      choice.append(option);
    });
    choice.addEventListener("change", () => {
      this.stateOwner = Number(choice.value);
      this.draw();
    });
    return make("label", "choice", "State of ", choice, ` at #${store.id[this.selected]}, ${
      momentText(store.time[this.selected])}`);
  }

  stateSteps(owner, index) {
    const states = this.store.owners[owner].states;
    const step = (text, target, keys) => {
      const button = this.button(text, () => this.actions.select(states[target].row), keys);
      button.disabled = !(target >= 0 && target < states.length);
      return button;
    };
    return make("p", "toolbar", step("Change before", index - (states[index].row === this.selected ? 1 : 0), "["),
      step("Next change", index + 1, "]"),
      make("span", "muted", ` ${grouped(index + 1)} of ${counted(states.length, "state")}`));
  }

  /** Selects the next or the previous change of the owner. */
  stepState(distance) {
    const { store, selected } = this;
    if (selected < 0) return;
    const owner = this.stateOwner >= 0 ? this.stateOwner : store.owner[selected];
    const states = store.owners[owner].states;
    const index = store.stateIndex(owner, selected);
    const isOn = index >= 0 && states[index].row === selected;
    const target = states[distance < 0 ? index - (isOn ? 1 : 0) : index + 1];
    if (target) this.actions.select(target.row);
  }

  // MARK: Work

  drawWork() {
    const { store, selected } = this;
    const active = [];
    for (const row of store.starts) {
      if (row > selected) break;
      if (store.end[row] < 0 || store.end[row] > selected) active.push(row);
    }
    const forLife = active.filter((row) => store.isForLife(row));
    const others = active.filter((row) => !store.isForLife(row));
    const parts = [
      make("h2", "", `Under way at ${momentText(store.time[selected])} (#${store.id[selected]})`),
      ...(others.length === 0 ? [make("p", "empty", "No work is under way.")] : this.ages(others)),
    ];
    if (forLife.length > 0) parts.push(make("h3", "", "For the life of the owner"), ...this.ages(forLife));
    const decided = [];
    for (let row = selected; row >= 0 && decided.length < 20 && row > selected - 20_000; row -= 1) {
      if (store.kind[row] === Kind.decided) decided.push(row);
    }
    if (decided.length > 0) {
      const policies = make("ul", "links");
      for (const row of decided) policies.append(make("li", "", this.link(row)));
      parts.push(make("h3", "", "What policies decided before"), policies);
    }
    this.panel.replaceChildren(...parts);
  }

  /** Works under way, the newest first, with their ages at the selected entry. */
  ages(works) {
    const { store, selected } = this;
    const list = make("ul", "links");
    for (const row of works.slice(-sectionLength).reverse()) {
      const age = durationText(Math.max(0, store.time[selected] - store.time[row]));
      list.append(make("li", "", make("span", "muted", `${store.owners[store.owner[row]].shortLabel}, for ${age}`),
        this.link(row)));
    }
    const rest = works.length - sectionLength;
    return [list, ...(rest > 0 ? [make("p", "muted", `${grouped(rest)} more`)] : [])];
  }

  // MARK: Counts

  drawCounts() {
    const { store } = this;
    const changes = store.equalStates > 0 ? `, ${grouped(store.equalStates)} to an equal state` : "";
    const kinds = make("p", "facts", kindNames.map((name, kind) => [name, store.kindCounts[kind]])
      .filter(([, count]) => count > 0).map(([name, count]) => `${grouped(count)} ${
        (count !== 1 && kindPlurals[name]) || kindLabels[name]}${name === "changed" ? changes : ""}`).join(" · "));
    // What never ended has no time, which is not a time of 0.
    const time = (read) => (head) => (head.measured > 0 ? read(head) : NaN);
    const shared = [
      ["Count", (head) => head.count, grouped], ["Total", time((head) => head.seconds), durationText],
      ["Mean", time((head) => head.seconds / head.measured), durationText],
      ["Longest", time((head) => head.longest), durationText],
    ];
    const count = (title, name) => [title, (head) => head[name], (number) => (number > 0 ? grouped(number) : "")];
    const rows = (category) => store.heads.filter((head) => head?.category === category);
    this.panel.replaceChildren(kinds,
      make("h3", "", "Messages, and the time that their processing took"),
      this.table("message", rows("message"), [...shared, count("Changes", "changes"), count("Equal", "equal"),
        count("Dropped", "dropped")]),
      make("h3", "", "Works, and the time until they ended"),
      this.table("work", rows("work"), [...shared, count("Ended", "ended"), count("Failed", "failed"),
        count("Cancelled", "cancelled")]));
  }

  table(category, heads, allColumns) {
    const { store } = this;
    if (heads.length === 0) return make("p", "empty", "None.");
    // A column that is empty would only take room.
    const columns = allColumns.filter(([, read], index) => index < 4 || heads.some((head) => read(head) > 0));
    const sorting = this.sorting.get(category) ?? { column: 0, isUp: false };
    const value = (columns[sorting.column] ?? columns[0])[1];
    const order = (head) => (value(head) >= 0 ? value(head) : -1);
    heads.sort((a, b) => (sorting.isUp ? 1 : -1) * (order(a) - order(b)));
    const header = make("tr", "", make("th", "", "Name"));
    columns.forEach(([title], index) => {
      const cell = make("th", "number", this.button(title, () => {
        const isUp = sorting.column === index ? !sorting.isUp : false;
        this.sorting.set(category, { column: index, isUp });
        this.drawCounts();
      }));
      cell.setAttribute("aria-sort", sorting.column !== index ? "none" : sorting.isUp ? "ascending" : "descending");
      header.append(cell);
    });
    const body = make("tbody");
    for (const head of heads.slice(0, 200)) {
      const name = this.button("", () => this.actions.only({ head: head.number }));
      name.className = "name";
      name.append(make("code", "", short(head.name, 60)));
      if (store.owners.length > 1) name.append(make("small", "", ` ${store.owners[head.owner].shortLabel}`));
      const line = make("tr", "", make("td", "", name));
      for (const [title, read, write] of columns) {
        const cell = make("td", "number");
        if (title === "Longest" && head.longestRow >= 0) {
          const link = make("button", "plain", write(read(head)));
          link.type = "button";
          link.dataset.row = head.longestRow;
          cell.append(link);
        } else {
          cell.append(write(read(head)));
        }
        if ((title === "Dropped" || title === "Failed") && read(head) > 0) cell.classList.add("bad");
        line.append(cell);
      }
      body.append(line);
    }
    const equal = [...header.children].find((cell) => cell.textContent === "Equal");
    if (equal) equal.title = "Changes to a state that looks like the state before";
    const table = make("table", "", make("thead", "", header), body);
    const frame = make("div", "scroller", table);
    if (heads.length > 200) frame.append(make("p", "muted", `${grouped(heads.length - 200)} more`));
    return frame;
  }

  // MARK: Problems

  drawFindings() {
    const { store } = this;
    const parts = [];
    const findings = [...store.findings.values()].sort((a, b) => b.isProblem - a.isProblem);
    const unended = store.starts.filter((row) => store.end[row] < 0);
    const open = unended.filter((row) => !store.isForLife(row));
    if (store.problems.length === 0) {
      parts.push(make("p", "empty", "Among these entries, no message was dropped, no failure is left unhandled, no chain is endless, and no event is missing."));
    }
    for (const finding of findings) {
      parts.push(...this.finding(finding.title, finding.rows, finding.isProblem ? "problem" : "hint", finding));
    }
    for (const [title, rows] of [["Failures that were handled", store.recovered], ["Work that a policy dropped", store.droppedWorks],
      ["Work without an end in this trace", open]]) {
      if (rows.length > 0) parts.push(...this.finding(title, rows, ""));
    }
    for (const [label, works] of groupedBy(unended, (row) => (store.isForLife(row) ? store.owners[store.owner[row]].shortLabel : ""))) {
      if (label) parts.push(...this.finding(`For the life of ${label}`, works, ""));
    }
    if (findings.length > 0) {
      const [hasProblem, hasHint] = [true, false].map((isProblem) => findings.some((each) => each.isProblem === isProblem));
      parts.unshift(make("p", "toolbar",
        hasProblem ? this.button("List the problems", () => this.actions.only({ flag: Flag.problem })) : null,
        hasHint ? this.button("List the hints", () => this.actions.only({ flag: Flag.hint })) : null));
    }
    if (store.notes.length > 0) {
      const list = make("ul");
      for (const note of store.notes) list.append(make("li", "", visible(String(note).slice(0, 500))));
      parts.push(make("h3", "", "What this page leaves out"), list);
    }
    this.panel.replaceChildren(...parts);
  }

  finding(title, rows, name, finding = null) {
    const list = make("ul", "links");
    for (const row of rows.slice(0, 10)) {
      list.append(make("li", "", this.link(row), finding ? this.explanation(finding, row) : null));
    }
    const rest = rows.length > 10 ? make("p", "muted", `${grouped(rows.length - 10)} more`) : null;
    return [make("h3", name, `${title} (${grouped(rows.length)})`), list, ...(rest ? [rest] : [])];
  }
}

/** Groups elements by a text, in the order in which the texts come first. */
function groupedBy(elements, textOf) {
  const groups = new Map();
  for (const each of elements) {
    const group = groups.get(textOf(each));
    if (group) group.push(each); else groups.set(textOf(each), [each]);
  }
  return groups;
}

/** A text in a block of its own. A long one is cut, and a button shows more of it. */
function longText(text) {
  let length = 4_000;
  const block = make("pre", "", visible(text.slice(0, length), true));
  block.tabIndex = 0;
  if (text.length <= length) return block;
  const button = make("button", "", "");
  button.type = "button";
  const update = () => {
    button.textContent = `Show more of ${grouped(text.length)} characters`;
    button.hidden = length >= text.length;
  };
  button.addEventListener("click", () => {
    block.append(visible(text.slice(length, length + 20_000), true));
    length += 20_000;
    update();
  });
  update();
  return make("div", "", block, button);
}
