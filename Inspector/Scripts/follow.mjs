// Follows a trace that grows, in Chromium: node follow.mjs INSPECTOR TRACE.jsonl FOLDER
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { launch, wait } from "./browser.mjs";

const [inspector, trace, folder] = process.argv.slice(2);
const lines = fs.readFileSync(trace, "utf8").split("\n").slice(0, 2_000);
const file = path.join(folder, "growing.jsonl");
fs.writeFileSync(file, `${lines.slice(0, 500).join("\n")}\n`);
const server = spawn(inspector, [file, "--follow"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((resolve, reject) => {
  let text = "";
  server.stdout.on("data", (data) => {
    text += data;
    const match = /http:\S+/.exec(text);
    if (match) resolve(match[0]);
  });
  server.on("exit", () => reject(new Error(`The inspector has ended. ${text}`)));
});
let failures = 0;
const expect = (isTrue, text) => {
  console.log(`${isTrue ? "ok    " : "FAILED"} ${text}`);
  if (!isTrue) failures += 1;
};
const { port } = new URL(address);
const status = (requestPath, headers, method = "GET") => new Promise((resolve, reject) => {
  http.request({ host: "127.0.0.1", port, path: requestPath, headers, method }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  }).on("error", reject).end();
});
const browser = await launch();
try {
  const page = await browser.tab();
  await page.open(address);
  const reaches = async (count) => {
    for (let i = 0; i < 400; i += 1) {
      // While the page is loaded again, it has no store.
      if ((await page.evaluate("page.store.count").catch(() => -1)) === count) return true;
      await wait(50);
    }
    return false;
  };
  expect(await reaches(500), "The page begins with what was written");
  const list = "document.getElementById('list')";
  const scroll = (top) => page.evaluate(`new Promise((done) => {
    ${list}.scrollTop = ${top};
    requestAnimationFrame(() => requestAnimationFrame(done));
  })`);
  const below = () => page.evaluate(`${list}.scrollHeight - ${list}.clientHeight - ${list}.scrollTop`);
  /** Waits until the list has become longer than \`height\` and what is below it is as expected. */
  const becomes = async (height, isExpected) => {
    for (let i = 0; i < 400; i += 1) {
      if (await page.evaluate(`${list}.scrollHeight`) > height && isExpected(await below())) return true;
      await wait(50);
    }
    return false;
  };
  await scroll(`${list}.scrollHeight`);
  const height = await page.evaluate(`${list}.scrollHeight`);
  fs.appendFileSync(file, `${lines.slice(500, 1_501).join("\n")}\n${lines[1_501].slice(0, 40)}`);
  expect(await reaches(1_501), "The page shows what is added, without a line that is not whole");
  expect(await becomes(height, (rest) => rest < 2), "A list that is at its end stays there");
  await scroll(0);
  fs.appendFileSync(file, `${lines[1_501].slice(40)}\n${lines.slice(1_502).join("\n")}\n`);
  expect(await reaches(2_000), "The page shows the rest of that line, and the next ones");
  expect(await page.evaluate(`${list}.scrollTop`) === 0, "A list that is not at its end stays where it is");
  const text = await page.evaluate(`(() => {
    const { row } = page.store.owners.flatMap((owner) => owner.states).reduce((last, each) => (each.row > last.row ? each : last));
    const owner = page.store.owner[row];
    return describe(atOnce(page.store.states(owner, [page.store.stateIndex(owner, row)]))[0]);
  })()`);
  const expected = fs.readFileSync(`${trace}.states`, "utf8").split("\n").findLast((line) => line && Number(line.split(" ")[0]) <= 2_000);
  expect(createHash("md5").update(text).digest("hex") === expected.split(" ")[1], "The last state is that of the trace");
  expect((await status("/", {})) === 200, "The page is served");
  expect((await status("/", { Host: "evil.example" })) === 403, "Another host is refused");
  expect((await status("/rows?after=0&run=1", { Origin: "http://evil.example" })) === 403, "Another origin is refused");
  expect((await status("/", {}, "POST")) === 405, "Only GET is answered");
  fs.writeFileSync(file, `${lines.slice(0, 10).join("\n")}\n`);
  expect(await reaches(10), "A program that begins again restarts the page");
  const says = async (text) => {
    for (let i = 0; i < 400; i += 1) {
      if ((await page.evaluate("document.getElementById('notice').textContent").catch(() => "")).includes(text)) return true;
      await wait(50);
    }
    return false;
  };
  fs.appendFileSync(file, "not json\n");
  expect(await says("Skipped: line 11 is not JSON."), "A line that is no event is named while the page follows");
  fs.appendFileSync(file, `${lines.slice(0, 20).join("\n")}\n`);
  expect(await reaches(20), "A second trace in the file restarts the page");
  expect(await says("The file contains 2 traces."), "The page says that it shows the last trace");
  expect(page.errors.length === 0, `Nothing is reported on the console ${page.errors.join(" ")}`);
} finally {
  await browser.close();
  server.kill();
}
process.exit(failures === 0 ? 0 : 1);
