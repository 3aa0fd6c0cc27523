// The header of each page: the way home, and a search over titles, headings, summaries and symbols of all modules.
//
// The renderer shows an element with the name "custom-header" above each page. It would define the element itself if a template
// had this id.
(() => {
    "use strict";
    const base = window.baseUrl || "/";
    const limit = 25;

    // Pages, and how much a match in them counts.
    const weights = { article: 14, tutorial: 14, module: 12, type: 8, member: 0 };

    const words = text => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const singular = word => word.length > 3 ? word.replace(/ies$/, "y").replace(/([^su])s$/, "$1") : word;
    // "Policies" is found by "polici" and by "policy".
    const forms = text => words(text).flatMap(word => [...new Set([word, singular(word)])]);
    // "TestStore" is found by "store", too.
    const parts = text => forms(text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
    const ignored = new Set(words("a an and are as at be by can do does for from how i in is it my of on or the to use using with"));

    function queryWords(text) {
        const all = words(text);
        const chosen = all.filter(word => !ignored.has(word));
        return (chosen.length ? chosen : all).map(singular);
    }

    function prepare(page) {
        page.name = words(page.t.replace(/\(.*$/, "")).map(singular).join(" ");
        page.titleWords = forms(page.t);
        page.titleParts = parts(page.t);
        page.keyWords = forms(page.w || "");
        page.summaryWords = parts(page.s || "");
        page.headings = (page.h || []).map(([text, anchor]) => ({ text, anchor, words: forms(text).concat(parts(text)) }));
        page.pathWords = page.p.split("/");
        return page;
    }

    // How well one word of the query matches a list of words.
    function best(query, list) {
        let score = 0;
        for (const word of list) {
            if (word === query) return 1;
            if (word.startsWith(query)) score = Math.max(score, 0.7);
            else if (query.length > 3 && word.includes(query)) score = Math.max(score, 0.3);
        }
        return score;
    }

    // Where a page has each word of the query: in its title, a heading, its summary.
    function match(page, query) {
        let heading = null;
        const values = query.map(word => {
            const inTitle = Math.max(40 * best(word, page.titleWords), 28 * best(word, page.titleParts));
            const inKeys = 34 * best(word, page.keyWords);
            const inPath = page.pathWords.some(part => part.includes(word)) ? 12 : 0;
            let inHeading = 0;
            for (const candidate of page.headings) {
                const value = 26 * best(word, candidate.words);
                if (value > inHeading) {
                    inHeading = value;
                    if (value > inTitle && value > inKeys) heading = candidate;
                }
            }
            const inSummary = 14 * best(word, page.summaryWords);
            return Math.max(inTitle, inKeys, inHeading, inSummary, inPath) + inTitle / 25;
        });
        return { page, heading, values, count: values.filter(Boolean).length };
    }

    // Pages with all words, then those with some. A word that few pages have counts most.
    function ranked(pages, query) {
        const found = pages.map(page => match(page, query)).filter(result => result.count > 0);
        const rarity = query.map((_, index) => {
            const pages = found.filter(result => result.values[index] > 0).length;
            return pages && 1 / Math.log2(1 + pages);
        });
        for (const result of found) {
            const { page, values } = result;
            const sum = values.reduce((sum, value, index) => sum + value * rarity[index], 0) / Math.max(...rarity);
            const isName = page.name === query.join(" ");
            result.score = sum + weights[page.k] + (isName ? (page.k === "member" ? 6 : 20) : 0) - page.t.length / 100;
        }
        return found.sort((a, b) => b.count - a.count || b.score - a.score);
    }

    const headerStyle = `
        .code-listing[data-syntax="text"] pre, .code-listing[data-syntax="text"] code, .code-listing[data-syntax="text"] code *
        { white-space: pre-wrap; overflow-wrap: anywhere; }
        .tutorial { overflow-x: clip; }
        .code-preview .runtime-preview.disabled, .mobile-code-preview span.toggle-preview { display: none; }
        .tutorial-hero .hero .bg {
            left: auto; right: max(40px, 50% - 490px); top: 50%; width: 360px; height: 180px; transform: translateY(-50%);
            border-radius: 8px; background-size: contain; opacity: 1;
        }
        @media (max-width: 1250px) { .tutorial-hero .hero .bg { display: none; } }
        @media (max-width: 735px) {
            main :is(h1, h2, h3) { overflow-wrap: anywhere; }
            .code-listing :is(pre, code) { min-width: 0; }
            .code-listing code .code-line-container { display: inline-flex; font-size: min(1em, 13px); }
            .code-listing code .code-line {
                flex: 1; min-width: 0; white-space: pre-wrap; padding-left: var(--hang); text-indent: calc(-1 * var(--hang));
            }
        }`;

    // A line of code that is wrapped continues below its beginning.
    new MutationObserver(() => {
        for (const line of document.querySelectorAll(".code-line:not([style])")) {
            line.style.setProperty("--hang", `${Math.min(line.textContent.search(/\S|$/) + 2, 16)}ch`);
        }
    }).observe(document.body, { childList: true, subtree: true });

    class SiteHeader extends HTMLElement {
        constructor() {
            super();
            const template = document.getElementById("site-header");
            this.attachShadow({ mode: "open" }).appendChild(template.content.cloneNode(true));
        }

        connectedCallback() {
            if (this.isReady) return;
            this.isReady = true;
            const root = this.shadowRoot;
            for (const link of root.querySelectorAll("nav > a")) link.href = base + link.getAttribute("href");
            this.input = root.querySelector("input");
            this.panel = root.querySelector(".panel");
            this.list = root.querySelector("ul");
            this.status = root.querySelector("p");
            this.input.addEventListener("focus", () => this.load());
            this.input.addEventListener("input", () => this.search());
            root.querySelector("form").addEventListener("submit", event => {
                event.preventDefault();
                this.list.querySelector("a")?.click();
            });
            root.addEventListener("keydown", event => this.move(event));
            document.addEventListener("click", event => { if (event.target !== this) this.close(); });
            // Before the renderer, whose search knows one module only.
            window.addEventListener("keydown", event => {
                const isText = event.composedPath().some(node => /^(INPUT|TEXTAREA|SELECT)$/.test(node.nodeName));
                if (event.key !== "/" || isText || event.metaKey || event.ctrlKey || event.altKey) return;
                event.preventDefault();
                event.stopImmediatePropagation();
                this.input.focus();
            }, true);
            const style = document.createElement("style");
            style.textContent = headerStyle;
            document.head.append(style);
        }

        async load() {
            this.loading ||= fetch(base + "index/search.json")
                .then(response => {
                    if (!response.ok) throw new Error(`${response.status}`);
                    return response.json();
                })
                .then(pages => { this.pages = pages.map(prepare); })
                .catch(() => { this.loading = null; });
            await this.loading;
            if (this.input.value) this.search();
        }

        search() {
            const query = queryWords(this.input.value);
            if (!query.length) return this.close();
            if (!this.pages) {
                this.load();
                return this.show("Loading …", []);
            }
            const found = ranked(this.pages, query);
            const full = found.filter(result => result.count === query.length).length;
            const text = found.length === 0 ? "Nothing found. Try another word, or look at all pages."
                : full === 0 ? "No page has all of the words. These have some:"
                : full === 1 ? "1 result" : `${full} results` + (full > limit ? `, the first ${limit}` : "");
            const isPartial = full > 0 && full < Math.min(found.length, limit);
            this.show(text + (isPartial ? ", then pages with some of the words" : ""), found.slice(0, limit), query);
        }

        show(text, results, query = []) {
            this.status.textContent = text;
            this.list.replaceChildren(...results.map(({ page, heading }) => {
                const item = document.createElement("li");
                const link = document.createElement("a");
                link.href = base + page.p.replace(/^\//, "") + "/" + (heading ? "#" + heading.anchor : "");
                const title = document.createElement("span");
                title.className = "title";
                this.highlight(title, heading ? `${page.t}: ${heading.text}` : page.t, query);
                const where = document.createElement("span");
                where.className = "where";
                where.textContent = page.k === "member" ? `${page.m} · ${page.o}` : `${page.m} · ${page.k}`;
                link.append(title, where);
                item.append(link);
                return item;
            }));
            this.panel.hidden = false;
            this.input.setAttribute("aria-expanded", "true");
        }

        highlight(element, text, query) {
            const pattern = new RegExp(`(${query.map(word => word.replace(/[^\p{L}\p{N}]/gu, "")).join("|")})`, "giu");
            for (const [index, part] of text.split(pattern).entries()) {
                if (!part) continue;
                const node = document.createElement(index % 2 ? "mark" : "span");
                node.textContent = part;
                element.append(node);
            }
        }

        move(event) {
            const links = [...this.list.querySelectorAll("a")];
            const index = links.indexOf(this.shadowRoot.activeElement);
            if (event.key === "Escape") {
                this.close();
                this.input.focus();
            } else if (event.key === "ArrowDown" && links.length) {
                links[Math.min(index + 1, links.length - 1)].focus();
                event.preventDefault();
            } else if (event.key === "ArrowUp" && index >= 0) {
                (index === 0 ? this.input : links[index - 1]).focus();
                event.preventDefault();
            }
            // The renderer has shortcuts of its own.
            event.stopPropagation();
        }

        close() {
            this.panel.hidden = true;
            this.input.setAttribute("aria-expanded", "false");
        }
    }

    customElements.define("custom-header", SiteHeader);
})();
