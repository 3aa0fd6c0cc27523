// Drives a page in headless Chromium over its debugging protocol, with nothing but Node.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const keyCodes = {
  ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39, Enter: 13, Escape: 27, PageDown: 34, PageUp: 33, Home: 36,
  End: 35, Tab: 9,
};

export const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Starts a browser. `CHROMIUM` is the path of another one than `chromium`. */
export async function launch() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "inspector-"));
  const child = spawn(process.env.CHROMIUM ?? "chromium", [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--enable-precise-memory-info",
    "--no-first-run", `--user-data-dir=${folder}`, "about:blank",
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
  const waiting = new Map();
  const listeners = [];
  let [next, rest] = [0, Buffer.alloc(0)];
  child.on("exit", () => { for (const { reject } of waiting.values()) reject(new Error("The browser has ended.")); });
  child.stdio[4].on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString());
      rest = rest.subarray(end + 1);
      const call = waiting.get(message.id);
      if (!call) {
        for (const listener of listeners) listener(message);
        continue;
      }
      waiting.delete(message.id);
      if (message.error) call.reject(new Error(message.error.message)); else call.resolve(message.result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    next += 1;
    waiting.set(next, { resolve, reject });
    child.stdio[3].write(`${JSON.stringify({ id: next, method, params, sessionId })}\0`);
  });
  const listen = (listener) => listeners.push(listener);

  async function tab({ width = 1280, height = 800, isDark = false, scale = 1 } = {}) {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const errors = [];
    listen((message) => {
      if (message.sessionId !== sessionId) return;
      const { method, params } = message;
      if (method === "Runtime.exceptionThrown") {
        errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      }
      if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text);
    });
    for (const domain of ["Page", "Runtime", "Log"]) await call(`${domain}.enable`);
    await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: false });
    await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }] });
    const evaluate = async (expression) => {
      const result = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (result.exceptionDetails) throw new Error(result.exceptionDetails.exception?.description ?? result.exceptionDetails.text);
      return result.result.value;
    };
    const key = async (name) => {
      const text = name.length === 1 ? name : undefined;
      const code = keyCodes[name] ?? (/^[a-z0-9]$/i.test(name) ? name.toUpperCase().charCodeAt(0) : 0);
      await call("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key: name, text, windowsVirtualKeyCode: code });
      await call("Input.dispatchKeyEvent", { type: "keyUp", key: name, windowsVirtualKeyCode: code });
    };
    const open = async (url) => {
      await call("Page.navigate", { url });
      for (let i = 0; i < 2_400; i += 1) {
        if (await evaluate("performance.getEntriesByName('loaded').length").catch(() => 0)) return;
        await wait(50);
      }
      throw new Error(`${url} was not loaded. ${errors.join(" ")}`);
    };
    const picture = async (file) => {
      const { data } = await call("Page.captureScreenshot", { format: "png" });
      fs.writeFileSync(file, Buffer.from(data, "base64"));
    };
    const close = () => send("Target.closeTarget", { targetId });
    return { call, evaluate, key, open, picture, close, errors };
  }

  const close = async () => {
    await send("Browser.close").catch(() => {});
    await wait(300);
    try { process.kill(-child.pid, "SIGKILL"); } catch { /* It has ended. */ }
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  return { tab, send, listen, close };
}
