// Makes the pictures of the documentation: node pictures.mjs PAGE.html NUMBER NAME FOLDER
// NUMBER is the entry that is selected. Writes NAME.png and NAME~dark.png, which DocC chooses by the theme of the reader.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, wait } from "./browser.mjs";

const [page, number, name, folder] = process.argv.slice(2);
const browser = await launch();
try {
  for (const isDark of [false, true]) {
    const tab = await browser.tab({ width: 1180, height: 720, isDark });
    await tab.open(`${pathToFileURL(path.resolve(page)).href}#${number}`);
    await tab.evaluate("page.details.open('entry'), page.timeline.showSelected(), 0");
    await wait(600);
    await tab.picture(path.join(folder, `${name}${isDark ? "~dark" : ""}.png`));
    await tab.close();
  }
} finally {
  await browser.close();
}
