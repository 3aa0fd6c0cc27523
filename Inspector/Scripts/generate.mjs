// Writes traces as the library would: node generate.mjs COUNT FILE, or node generate.mjs hostile|hints|shown|other FILE.
// FILE.states has the number of each event with a state, and a digest of the text of that state.
import { createHash } from "node:crypto";
import fs from "node:fs";

const [what, path] = process.argv.slice(2);
const file = fs.openSync(path, "w");
let pending = [];
const write = (text) => {
  pending.push(text);
  if (pending.length > 1_000) flush();
};
const flush = () => {
  fs.writeSync(file, pending.join(""));
  pending = [];
};

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const below = (count) => Math.floor(random() * count);
const pick = (list) => list[below(list.length)];

let [lastID, now] = [0, 0];
const roots = new Map();
function event(kind, [name, number], cause, fields = {}) {
  lastID += 1;
  const root = cause ? roots.get(cause) : lastID;
  roots.set(lastID, root);
  const { thread = 8_361_217_088, ...others } = fields;
  write(`${JSON.stringify({ format: 1, id: lastID, kind, owner: { name, number }, root, time: +now.toFixed(9), thread, cause, ...others })}\n`);
  return lastID;
}
const tick = (seconds) => { now += seconds * (0.5 + random()); };

// A state is an object with the name of its type in `_`, which is `set` or `map` for a set or a dictionary.
const fieldsOf = (value) => Object.entries(value).filter(([key]) => key !== "_");
const sorted = (pairs) => pairs.sort(([left], [right]) => (left < right ? -1 : 1));
const members = (value) => sorted(value.members.map((each) => [text(each), each]));
const entries = (value) => sorted(fieldsOf(value).map(([key, each]) => [JSON.stringify(key), each]));
const text = (value) => {
  const list = (pairs) => pairs.map(([key, each]) => `${key}: ${text(each)}`).join(", ");
  if (Array.isArray(value)) return `[${value.map(text).join(", ")}]`;
  if (value === null) return "nil";
  if (value._ === "set") return `[${members(value).map(([label]) => label).join(", ")}]`;
  if (value._ === "map") return `[${list(entries(value)) || ":"}]`;
  if (typeof value === "object") return `${value._}(${list(fieldsOf(value))})`;
  return typeof value === "string" && !value.startsWith(".") ? JSON.stringify(value) : String(value);
};
const tree = (value) => {
  const pairs = (list) => list.map(([key, each]) => [key, tree(each)]);
  if (Array.isArray(value)) return { elements: value.map(tree) };
  if (value === null || typeof value !== "object") return text(value);
  if (value._ === "set") return { members: members(value).map(([, each]) => tree(each)) };
  if (value._ === "map") return { entries: pairs(entries(value)) };
  return { type: value._, parts: pairs(fieldsOf(value)) };
};
function changes(before, after, path = []) {
  if (before === after || text(before) === text(after)) return [];
  const removed = (step, value) => ({ path: [...path, step], from: tree(value) });
  const inserted = (step, value) => ({ path: [...path, step], to: tree(value) });
  if (Array.isArray(before) && Array.isArray(after)) {
    let [head, tail] = [0, 0];
    const isSame = (i, j) => text(before[i]) === text(after[j]);
    while (head < Math.min(before.length, after.length) && isSame(head, head)) head += 1;
    while (tail < Math.min(before.length, after.length) - head && isSame(before.length - 1 - tail, after.length - 1 - tail)) tail += 1;
    const [left, right] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
    if (left.length === right.length) return left.flatMap((each, i) => changes(each, right[i], [...path, head + i]));
    return [...left.map((each) => removed(head, each)), ...right.map((each, i) => inserted(head + i, each))];
  }
  if (before === null || after === null || typeof before !== "object" || before._ !== after._) return [{ path, from: tree(before), to: tree(after) }];
  if (before._ !== "set" && before._ !== "map") return fieldsOf(after).flatMap(([key, each]) => changes(before[key], each, [...path, key]));
  const [left, right] = [before, after].map((value) => new Map((before._ === "set" ? members : entries)(value)));
  return [...[...left].flatMap(([key, each]) => (right.has(key) ? changes(each, right.get(key), [...path, key]) : [removed(key, each)])),
    ...[...right].filter(([key]) => !left.has(key)).map(([key, each]) => inserted(key, each))];
}
/** Writes an event with a state: the whole state if there is none before it, and otherwise what has changed. */
function stateEvent(kind, owner, cause, before, after, fields = {}) {
  const id = event(kind, owner, cause, { ...(before ? { changes: changes(before, after) } : { state: tree(after) }), ...fields });
  states.push(`${id} ${createHash("md5").update(text(after)).digest("hex")}\n`);
  return id;
}
const states = [];

const replaced = (list, index, value) => list.map((each, i) => (i === index ? value : each));

class Owner {
  constructor(name, number, state) {
    this.owner = [name, number];
    this.state = state;
    this.created = stateEvent("created", this.owner, undefined, null, state);
  }
  message(message, source, cause, update, { then, cost = 20e-6, thread } = {}) {
    const id = event("received", this.owner, cause, { message, source, thread });
    tick(cost);
    if (update) this.change(update, id, thread);
    const result = then?.(id);
    tick(cost);
    event("handled", this.owner, id, { messageID: id, thread });
    return result ?? id;
  }
  change(update, cause, thread) {
    const before = this.state;
    this.state = { ...before, ...update(before) };
    if (text(before) !== text(this.state)) stateEvent("changed", this.owner, cause, before, this.state, { observers: below(4), thread });
  }
  start(subject, source, cause) {
    const id = event("started", this.owner, cause, { subject, source });
    event("suspended", this.owner, id, { workID: id });
    return id;
  }
  end(work, kind = "ended", error = undefined) {
    event(kind, this.owner, work, { workID: work, error, thread: pick([2, 3, 4]) * 1_000_003 });
  }
}

const titles = ["Loops in practice", "Optics <b>by example</b>", "Effects & actions", "The \"engine\" of a store", "Zeit und Zustand", "状態の木", "Policies", "Tracing 🧭 a loop"];
const post = (id) => ({ _: "Post", id, title: pick(titles), likes: below(100), isRead: false });

function realistic(count) {
  const feed = new Owner("Component<Feed, Feed.Input>", 1, {
    _: "Feed", posts: Array.from({ length: 40 }, (_, id) => post(id)), isLoading: false, page: 0, query: "",
    settings: { _: "Settings", theme: ".dark", size: 14 }, tags: { _: "set", members: ["new"] }, votes: { _: "map", Ada: 1 },
  });
  const store = new Owner("Store<PostsState>", 2, { _: "PostsState", requests: [], hasFailed: false, shown: null });
  const loop = new Owner("MobiusLoop<Player, PlayerEvent>", 3, { _: "Player", position: 0, isPlaying: false, users: ["Ada", "Grace"] });
  const ticker = loop.start("PlayerClock", "eventSource", loop.created);
  let running = [];
  for (let n = 1; lastID < count; n += 1) {
    tick(0.004);
    for (const work of running.filter(({ at }) => at <= now)) work.finish();
    running = running.filter(({ at }) => at > now);
    const choice = random();
    const soon = (mean) => now - Math.log(1 - random()) * mean;
    if (choice < 0.3) {
      loop.message("secondPassed", "eventSource", ticker, (state) => (state.isPlaying ? { position: state.position + 1 } : {}));
    } else if (choice < 0.38) {
      loop.message(loop.state.isPlaying ? "stop" : "play", "caller", undefined, (state) => ({ isPlaying: !state.isPlaying }));
    } else if (choice < 0.6) {
      const page = n % 50;
      const work = feed.message(`load(${page})`, "caller", undefined, () => ({ isLoading: true, page }), {
        then: (id) => {
          event("decided", feed.owner, id, { decision: "starts", subject: `load(${page})` });
          return feed.start(`load(${page})`, "action", id);
        },
      });
      running.push({ at: soon(0.08), finish: () => {
        if (random() < 0.03) return feed.end(work, "failed", 'APIError.status(503, "Service <Unavailable>")');
        feed.change((state) => ({ posts: replaced(state.posts, below(40), post(below(1000))), isLoading: false }), work, 2_000_006);
        return feed.end(work);
      } });
    } else if (choice < 0.85) {
      const number = below(200);
      const work = store.message(`ShowPost(id: ${number})`, "caller", undefined, (state) => ({ requests: [...state.requests, number].slice(-8) }), {
        then: (id) => {
          event("decided", store.owner, id, { decision: pick(["starts", "starts", "waits", "delayed", "replaced"]), subject: `ShowPost(id: ${number})` });
          return store.start(`request of App/Posts.swift:${pick([12, 31, 58])}`, "effect", id);
        },
      });
      running.push({ at: soon(0.15), finish: () => {
        if (random() < 0.1) return store.end(work, "cancelled");
        const title = JSON.stringify(pick(titles));
        const answer = store.message(`ShowPostSuccess(post: Post(id: ${number}, title: ${title}))`, "effect", work,
          (state) => ({ shown: post(number), requests: state.requests.filter((each) => each !== number) }), { thread: 3_000_009 });
        store.end(work);
        if (random() > 0.9) feed.message(`markRead(${number})`, "elsewhere", answer, (state) => ({
          page: state.page + 1, votes: { ...state.votes, [pick(["Ada", "Grace", "Alan"])]: below(9) },
          tags: { _: "set", members: [...new Set([...state.tags.members, pick(titles)])].slice(-4) },
        }));
        return undefined;
      } });
    } else if (choice < 0.995) {
      const query = Array.from({ length: 1 + below(5) }, () => pick([..."swift"])).join("");
      feed.message(`search(${JSON.stringify(query)})`, "caller", undefined, () => ({ query }));
    } else if (choice < 0.998) {
      event("dropped", store.owner, undefined, { message: `DeletePost(id: ${n})` });
    } else if (choice < 0.9985) {
      event("endlessChain", store.owner, store.created, { messages: Array.from({ length: 16 }, (_, i) => `Retry(${i})`) });
    } else {
      feed.message("importAll", "caller", undefined, (state) => ({ settings: { ...state.settings, size: state.settings.size + 1 } }), { cost: 0.04 });
    }
  }
  for (const owner of [feed, store, loop]) event("closed", owner.owner);
}

function hostile() {
  const owner = new Owner("Component<</script><script>alert(1)</script>, <img src=x onerror=alert(2)>>", 1, { _: "S", html: "<b>bold</b></script><!--", n: 0 });
  const texts = [
    "</script><script>document.title='owned'</script>", "<!--<script>", "\u202egnirts desrever", "\0\u0001\u001b[31mred\u0007",
    "a\u2028b\u2029c", "\\u003c\\", '"]}\'`${1}', "𝕊𝕊𝕊", "e\u0301".repeat(20), "x".repeat(10_000_000), "(".repeat(200_000),
    "[".repeat(100_000) + "]".repeat(100_000),
  ];
  for (const each of texts) {
    tick(0.01);
    owner.message(each, "caller", undefined, (state) => ({ html: each.slice(0, 1_000_000), n: state.n + 1 }));
  }
  const deep = (levels, wrap) => Array.from({ length: levels }).reduce(wrap, "1");
  const trees = [
    deep(60, (value) => ({ type: "A", parts: [["a", value]] })), deep(60, (value) => ({ members: [value] })), deep(200, (value) => ({ elements: [value] })),
    { elements: [], more: -1 }, { elements: ["1"], more: 2 ** 53 }, { entries: [["</script>", "<img src=x>"], ["", ""]] }, { case: "", parts: [["", "1"]] },
    { members: [{ type: "", parts: [["0", "1"], ["", "2"]] }, "</script>"] }, 7, null, [], {}, { elements: 3 }, { parts: [[1]] }, { type: {}, parts: [] }, "",
  ];
  for (const state of trees) event("changed", owner.owner, lastID, { state });
  event("changed", owner.owner, lastID, { state: { type: "S", parts: [["list", { elements: ["1", "2"], more: 3 }], ["set", { members: ["1"] }]] } });
  for (const change of [
    [{ path: ["list", 5], to: "6" }], [{ path: ["list", -1], to: "0" }], [{ path: ["list", 2 ** 60], from: "1" }], [{ path: ["set", "2"], to: "2" }],
    [{ path: [], to: { type: "S", parts: [["list", { elements: [] }]] } }], [{ path: Array.from({ length: 10_000 }, () => "a"), to: "1" }],
    [{ path: ["list", 0] }], [{ path: {} }], "no", [1, null], [{ path: ["</script>", "<b>"], from: "<i>", to: "</pre>" }],
    Array.from({ length: 20_000 }, (_, i) => ({ path: ["list", i], to: `"${i}"` })),
  ]) event("changed", owner.owner, lastID, { changes: change });
  write("not json\n[1,2]\n42\n{\"id\":\"7\"}\n{\"id\":-1,\"kind\":\"received\"}\n");
  const good = { id: 1000, kind: "received", owner: { name: "C", number: 9 }, root: 1000, time: 0.5, thread: 1, message: "ok", source: "caller" };
  const changes = [
    { cause: 999_999 }, { cause: 5000 }, { cause: "2" }, { message: { a: [1] } }, { source: "nobody" }, { kind: "newKind" },
    { time: "soon" }, { time: 1e300 }, { time: -5 }, { owner: "me" }, { kind: "handled", messageID: 123_456 },
    { kind: "ended", workID: 1000 }, { kind: "decided", decision: "maybe", subject: 4 },
    { kind: "changed", changes: "no", state: { a: 1 } }, { format: 2 }, { kind: "gap", missingEvents: 17 },
    { thread: -4 }, { kind: "endlessChain", messages: ["a", 3] },
  ];
  changes.forEach((change, i) => write(`${JSON.stringify({ ...good, id: 1001 + i, ...change })}\n`));
  write(`${"[".repeat(100_000)}\n`);
  for (let i = 0; i < 3; i += 1) write(`${JSON.stringify({ ...good, id: 1005 })}\n`);
  [lastID, now] = [0, 0];
  new Owner("Second", 1, { _: "T", a: 1 }).message("second trace", "caller");
  write('{"id":3,"kind":"rece');
}

/** What the page has to say something about, or to keep silent about. `hints.mjs` checks it. */
function hints() {
  const screen = new Owner("Component<Search, Search.Input>", 1, { _: "Search", text: "", results: [] });
  const ask = (owner, message, subject, source, decides) => owner.message(message, "caller", undefined, null, { then: (id) => {
    if (decides) event("decided", owner.owner, id, { decision: "starts", subject: message });
    return owner.start(subject, source, id);
  } });
  const answer = (owner, work, results) => {
    tick(0.01);
    owner.change(() => ({ results }), work);
    owner.end(work);
  };
  screen.start("clock", "subscription", undefined);
  // Two works of one name without a policy: the older one answers last.
  const typed = ["s", "sw"].map((text) => ask(screen, `typed("${text}")`, `typed("${text}")`, "action", false));
  answer(screen, typed[1], ["swift"]);
  answer(screen, typed[0], ["sweets"]);
  // A policy manages these, which therefore may end in any order.
  const opened = ["a", "b"].map((name) => ask(screen, `opened("${name}")`, `opened("${name}")`, "action", true));
  answer(screen, opened[1], ["b"]);
  answer(screen, opened[0], ["a"]);
  // Works without a name may be of several kinds.
  const unnamed = ["()", '("a", 1)'].map((subject) => ask(screen, "appeared", subject, "effect", false));
  answer(screen, unnamed[1], ["2"]);
  answer(screen, unnamed[0], ["1"]);
  stateEvent("changed", screen.owner, lastID, screen.state, screen.state, { observers: 1 });
  // The first message does nothing, and the second only calls a function that ends at once.
  for (const calls of [false, true]) {
    screen.message("ignored", "caller", undefined, null, { then: (id) => {
      if (calls) screen.end(screen.start("ignored", "action", id));
      return id;
    } });
  }
  // An effect that is registered twice requests twice.
  const shop = new Owner("Store<Shop>", 2, { _: "Shop", orders: [] });
  for (const line of [15, 46, 46]) shop.start(`ShopApp/main.swift:${line}`, "effect", undefined);
  shop.message("PayTapped(order: ShopApp.Order(cents: 5))", "caller", undefined, null, { then: (id) => {
    for (let i = 0; i < 2; i += 1) {
      event("decided", shop.owner, id, { decision: "starts", subject: "PayTapped(order: ShopApp.Order(cents: 5))" });
      event("gap", screen.owner, undefined, { missingEvents: 1 });
      shop.start("request of ShopApp/main.swift:46", "effect", id);
    }
    return id;
  } });
}

/**
 * A short trace, of which `shown.mjs` knows what the page must show. The comments are the numbers of the events. The
 * other run creates its owners in the other order, and has other numbers in the state of the cart.
 */
function shown(isOther) {
  const [cart, shop] = [["Component<Cart, Cart.Input>", 1], ["Store<Shop>", 2]];
  const cartState = (count, ids) => ({ _: "Cart", items: ids.map((id) => ({ _: "Item", id })), count });
  const shopState = (sold) => ({ _: "Shop", sold });
  let state = cartState(0, [1, 2, 3]);
  const at = (time, ...rest) => {
    now = time;
    return event(...rest);
  };
  const message = (time, owner, name, cause, body = () => {}, cost = 0.005) => {
    const id = at(time, "received", owner, cause, { message: name, source: cause ? "effect" : "caller" });
    body(id);
    at(time + cost, "handled", owner, id, { messageID: id });
    return id;
  };
  const start = (time, owner, subject, cause) => at(time, "started", owner, cause, { subject, source: "action" });
  const change = (time, cause, count, ids = [3, 1, 2]) => {
    const before = state;
    state = cartState(count, ids);
    now = time;
    stateEvent("changed", cart, cause, before, state, { observers: 1 });
  };
  const creations = [() => stateEvent("created", cart, undefined, null, state), () => stateEvent("created", shop, undefined, null, shopState(100))];
  for (const create of isOther ? creations.reverse() : creations) create(); // 1, 2
  message(0.1, cart, "sort", undefined, (id) => change(0.101, id, 0)); // 3 to 5
  let work;
  message(0.2, shop, "buy(1)", undefined, (id) => { // 6
    work = start(0.201, shop, "buy(1)", id); // 7
    now = 0.202;
    stateEvent("changed", shop, id, shopState(100), shopState(101)); // 8
  }); // 9
  message(0.21, cart, "bought(1)", work, (id) => change(0.211, id, isOther ? 11 : 1)); // 10 to 12
  at(0.22, "ended", shop, work, { workID: work }); // 13
  message(0.3, cart, "count", undefined, (id) => change(0.301, id, isOther ? 22 : 2)); // 14 to 16
  message(0.4, cart, "import", undefined, undefined, 0.06); // 17, 18
  message(0.5, cart, "read", undefined, undefined, 0.04); // 19, 20
  const loads = [1, 1, 2].map((number, i) => {
    let load;
    message(0.6 + i / 100, cart, "load", undefined, (id) => { load = start(0.601 + i / 100, cart, `load(${number})`, id); });
    return load;
  }); // 22, 25, 28
  at(0.65, "failed", cart, loads[0], { workID: loads[0], error: "offline" }); // 30
  at(0.66, "cancelled", cart, loads[1], { workID: loads[1] }); // 31
  at(0.67, "ended", cart, loads[2], { workID: loads[2] }); // 32
  message(0.7, cart, "search", undefined, (id) => { work = start(0.701, cart, "search", id); }); // 33 to 35
  message(0.71, cart, "search", undefined, (id) => at(0.711, "decided", cart, id, { decision: "replaced", subject: "search" })); // 36 to 38
  change(0.72, work, 3); // 39
  at(0.73, "ended", cart, work, { workID: work }); // 40
  at(0.8, "dropped", shop, undefined, { message: "refund", reason: "cancelled" }); // 41
  message(0.9, cart, "last", undefined, (id) => { work = start(0.901, cart, "last", id); }); // 42 to 44
  at(0.91, "closed", cart); // 45
  change(0.92, work, 4); // 46
  const late = start(0.93, cart, "load(2)", work); // 47, the same work as 28, which has ended
  for (const each of [work, late]) at(0.94, "ended", cart, each, { workID: each }); // 48, 49
}

if (what === "hostile") hostile();
else if (what === "hints") hints();
else if (what === "shown" || what === "other") shown(what === "other");
else realistic(Number(what));
flush();
fs.writeFileSync(`${path}.states`, states.join(""));
