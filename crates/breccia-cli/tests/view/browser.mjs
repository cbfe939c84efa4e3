// Opens pages of `breccia view` in Chromium and uses them as a person would. Started by view_in_browser.rs with a JSON
// of addresses, the path of Chromium and a folder for screenshots. Prints a line per check; any failure ends it.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const plan = JSON.parse(process.argv[2]);
const { chromium } = createRequire(path.join(plan.modules, "x.js"))("playwright-core");

const browser = await chromium.launch({
  executablePath: plan.chromium,
  args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

/** Opens a page and keeps all it complains about. */
async function open(url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  page.setDefaultTimeout(60_000);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.goto(url);
  await page.waitForSelector("body[data-ready=yes]");
  return page;
}

/** The scene's pixels: a screenshot, the share that is not background and the number of colours. */
async function look(page, name) {
  const drawn = () => page.$eval("canvas.scene", (canvas) => canvas.dataset.drawn);
  for (let before = null, now = await drawn(); before !== now; now = await drawn()) {
    before = now;
    await page.waitForTimeout(600);
  }
  const box = await page.locator(".pane").first().boundingBox();
  const file = path.join(plan.pictures, `${name}.png`);
  const bytes = await page.screenshot({ path: file, clip: box });
  await page.screenshot({ path: path.join(plan.pictures, `${name}-page.png`) });
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    const back = pixels.slice(4 * (image.width - 4), 4 * (image.width - 4) + 3);
    const colours = new Set();
    let ink = 0, print = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const apart = Math.abs(pixels[i] - back[0]) + Math.abs(pixels[i + 1] - back[1]) + Math.abs(pixels[i + 2] - back[2]);
      if (apart > 24) ink++;
      colours.add(pixels[i] >> 4 << 8 | pixels[i + 1] >> 4 << 4 | pixels[i + 2] >> 4);
      print = (print * 31 + pixels[i] + 256 * pixels[i + 1] + 65536 * pixels[i + 2]) >>> 0;
    }
    return { ink: ink / (pixels.length / 4), colours: colours.size, print };
  }, bytes.toString("base64"));
}

const count = (page, kind) => page.$eval(`#number-${kind}`, (element) => Number(element.dataset.count));
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const silent = (page) => assert.deepEqual(page.complaints, [], "the console must be free of errors");
const at = async (page, index) => page.waitForSelector(`body[data-frame="${index}"]`);

/** Clicks where the page says a body is seen. */
async function click(page, kind, index) {
  const place = await page.evaluate(([kind, index]) => {
    const { panes: [pane], inspector, camera } = window.breccia;
    const { clientWidth: width, clientHeight: height } = pane.canvas;
    const { view, projection } = camera.matrices(width / height, height);
    const times = (m, v) => [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, c) => sum + m[4 * c + row] * v[c], 0));
    const count = pane.shown.get(kind).count;
    for (let i = index ?? 0; i < (index === null ? Math.min(count, 200) : index + 1); i++) {
      inspector.pick(pane, { kind, index: i });
      const place = inspector.place();
      inspector.clear();
      const clip = times(projection, times(view, [...place, 1]));
      const at = [0.5 * width * (1 + clip[0] / clip[3]), 0.5 * height * (1 - clip[1] / clip[3])];
      if (at[0] < 4 || at[1] < 4 || at[0] > width - 4 || at[1] > height - 4) continue;
      const hit = pane.stage.pick(...at);
      if (hit?.kind === kind && (index === null || hit.index === index)) return at;
    }
    return null;
  }, [kind, index]);
  assert.ok(place, `some ${kind} can be clicked`);
  const box = await page.locator("canvas.scene").first().boundingBox();
  await page.mouse.click(box.x + place[0], box.y + place[1]);
  await page.waitForSelector(".picked");
}

const checks = {
  async "spheres: shown, played, scrubbed, coloured, picked, followed, cut"() {
    const page = await open(plan.spheres.url);
    const first = await look(page, "spheres");
    assert.ok(first.ink > 0.02 && first.colours > 20, JSON.stringify(first));
    assert.equal(await count(page, "spheres"), plan.spheres.count);
    assert.match(await text(page, ".legend .what"), /speed \[m\/s\]/);
    const ends = await page.$$eval(".legend .ends span", (spans) => spans.map((span) => span.textContent));
    assert.equal(ends[0], "0");
    const fastest = await page.evaluate(() => Math.max(...window.breccia.panes[0].shown.get("spheres").values("velocity").data));
    assert.ok(Math.abs(Number(ends[2]) / fastest - 1) < 1e-3, `${ends[2]} and ${fastest}`);

    await page.keyboard.press("Home");
    await at(page, 0);
    const begin = await look(page, "spheres-begin");
    assert.notEqual(begin.print, first.print);
    await page.selectOption("#rate", "25");
    await page.keyboard.press(" ");
    await at(page, plan.spheres.frames - 1);
    await page.locator("#scrub").fill("2");
    await at(page, 2);

    await page.selectOption("#colour-spheres", "radius");
    assert.match(await text(page, ".legend .what"), /radius \[m\]/);
    const coloured = await look(page, "spheres-radius");
    await page.selectOption("#colour-spheres", "id");
    await page.waitForSelector(".legend .names");
    assert.notEqual((await look(page, "spheres-id")).print, coloured.print);

    await click(page, "spheres", null);
    assert.match(await text(page, ".picked .facts"), /position\(.+\) m.*radius/);
    const id = await text(page, ".picked .head");
    await page.keyboard.press("f");
    await page.keyboard.press("End");
    await at(page, plan.spheres.frames - 1);
    assert.equal(await text(page, ".picked .head"), id);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".picked", { state: "detached" });

    const whole = await look(page, "spheres-whole");
    await page.keyboard.press("x");
    assert.notEqual((await look(page, "spheres-cut")).print, whole.print);
    await page.keyboard.press("x");
    await page.uncheck("#show-spheres");
    assert.ok((await look(page, "spheres-hidden")).ink < whole.ink);
    silent(page);
    await page.close();
  },

  async "pictures: one, and all frames in an archive"() {
    const page = await open(plan.grains.url);
    const [one] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
    assert.ok(fs.readFileSync(await one.path()).subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")));
    const [film] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("v")]);
    const bytes = fs.readFileSync(await film.path());
    assert.equal(bytes.readUInt32LE(0), 0x04034b50);
    assert.equal(bytes.readUInt16LE(bytes.length - 12), plan.grains.frames);
    silent(page);
    await page.close();
  },

  async "clusters: bonds and fragments"() {
    const page = await open(plan.clusters.url);
    const seen = await look(page, "clusters");
    assert.ok(seen.ink > 0.02, JSON.stringify(seen));
    assert.equal(await count(page, "spheres"), plan.clusters.count);
    assert.equal(await count(page, "bonds"), plan.clusters.bonds);
    await page.uncheck("#show-spheres");
    const bonds = await look(page, "clusters-bonds");
    assert.ok(bonds.ink > 0.005 && bonds.print !== seen.print);
    await click(page, "bonds", null);
    assert.match(await text(page, ".picked .facts"), /tension over strength/);
    silent(page);
    await page.close();
  },

  async "meshes: tractions, opacity, picking an element"() {
    const page = await open(plan.mesh.url);
    assert.equal(await count(page, "meshes"), plan.mesh.elements);
    const glass = await look(page, "mesh");
    await page.selectOption("#colour-meshes", "normal_traction");
    await page.locator("#opacity-meshes").fill("1");
    assert.match(await text(page, '.legend[data-kind="meshes"] .what'), /normal traction \[Pa\]/);
    const solid = await look(page, "mesh-traction");
    assert.notEqual(glass.print, solid.print);
    await click(page, "meshes", null);
    assert.match(await text(page, ".picked .facts"), /element.*normal traction/);
    silent(page);
    await page.close();
  },

  async "grains: outlines in 2D with force chains"() {
    const page = await open(plan.grains.url);
    assert.equal(await count(page, "grains"), 12);
    assert.equal(await count(page, "contacts"), 11);
    assert.equal(await page.getAttribute("#tool-flat", "aria-pressed"), "true");
    const seen = await look(page, "grains");
    assert.ok(seen.ink > 0.08, JSON.stringify(seen));
    await page.uncheck("#show-contacts");
    assert.notEqual((await look(page, "grains-alone")).print, seen.print);
    await click(page, "grains", 5);
    assert.match(await text(page, ".picked .head"), /Grain 5/);
    silent(page);
    await page.close();
  },

  async "solids: fields of elements and of nodes"() {
    const page = await open(plan.solids.url);
    assert.equal(await count(page, "solids"), 36);
    assert.match(await text(page, ".legend .what"), /von mises \[Pa\]/);
    const stress = await look(page, "solids");
    await page.selectOption("#colour-solids", "displacement");
    const moved = await look(page, "solids-displacement");
    assert.ok(stress.ink > 0.03 && moved.print !== stress.print);
    silent(page);
    await page.close();
  },

  async "100,000 spheres are shown, coloured by clump, and turn"() {
    const page = await open(plan.many.url);
    assert.equal(await count(page, "spheres"), plan.many.count);
    assert.ok((await look(page, "many")).ink > 0.05);
    await page.selectOption("#colour-spheres", "clump");
    // Software drawing on a shared machine: this only tells that it turns at all, the rate is printed.
    const rate = await page.evaluate(async () => {
      const { camera, panes: [pane] } = window.breccia;
      const begin = performance.now();
      let frames = 0;
      for (; performance.now() - begin < 3000; frames++) {
        camera.orbit(0.05, 0);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        pane.stage.gl.finish();
      }
      return 1000 * frames / (performance.now() - begin);
    });
    console.log(`   turning ${plan.many.count} spheres without a graphics card: ${rate.toFixed(1)} pictures/s`);
    assert.ok(rate > 0.1);
    silent(page);
    await page.close();
  },

  async "two runs side by side"() {
    const page = await open(plan.pair.url);
    assert.equal(await page.locator(".pane").count(), 2);
    assert.equal(await page.locator(".legend").count(), 2);
    assert.ok((await look(page, "pair")).ink > 0.02);
    silent(page);
    await page.close();
  },

  async "charts follow the time and lead it"() {
    const page = await open(plan.spheres.url);
    await page.keyboard.press("End");
    const canvas = page.locator(".chart canvas").first();
    const late = await text(page, ".chart .value");
    const box = await canvas.boundingBox();
    await page.mouse.click(box.x + 60, box.y + box.height / 2);
    await at(page, 0);
    assert.notEqual(await text(page, ".chart .value"), late);
    silent(page);
    await page.close();
  },

  async "help, dark and light, a phone"() {
    const page = await open(plan.clusters.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    const dark = await look(page, "phone");
    await page.tap("#tool-theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    assert.notEqual((await look(page, "phone-light")).print, dark.print);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} wide`);
    await page.tap("#tool-panel");
    await page.waitForSelector("#panel:not([hidden])");
    await page.tap("#tool-help");
    await page.waitForSelector("#help[open]");
    await page.screenshot({ path: path.join(plan.pictures, "phone-help.png") });
    silent(page);
    await page.close();
  },

  async "a damaged frame is told, others are shown"() {
    const page = await open(plan.damaged.url);
    await page.keyboard.press("Home");
    await at(page, 0);
    await page.locator("#scrub").fill("1");
    await page.waitForSelector(".message:not([hidden])");
    assert.match(await text(page, ".message"), /damaged/);
    await look(page, "damaged");
    await page.locator("#scrub").fill("3");
    await at(page, 3);
    await page.waitForSelector(".message", { state: "hidden" });
    assert.ok((await look(page, "damaged-next")).ink > 0.03);
    await page.close();
  },

  async "a folder without a run and a run that vanishes"() {
    const empty = await open(plan.empty.url);
    assert.match(await text(empty, ".message"), /no frames.*no run/i);
    await look(empty, "empty");
    silent(empty);
    await empty.close();
    const page = await open(plan.vanishing.url);
    fs.rmSync(plan.vanishing.folder, { recursive: true });
    await page.waitForSelector(".badge.gone", { timeout: 20_000 });
    assert.match(await text(page, ".message"), /gone/);
    await page.close();
  },

  async "a run that goes on is followed to its end"() {
    const [source, folder] = [plan.growing.source, plan.growing.folder];
    // Only a log that was written a moment ago is a sign of life.
    fs.writeFileSync(path.join(folder, "log.txt"), "breccia\n 10.0 %  t = 0.0 of 0.4 s\n");
    const page = await open(plan.growing.url);
    await page.waitForSelector(".badge.going");
    for (const name of fs.readdirSync(path.join(source, "frames"))) {
      fs.copyFileSync(path.join(source, "frames", name), path.join(folder, "frames", name));
    }
    for (const kind of plan.growing.collections) fs.copyFileSync(path.join(source, kind), path.join(folder, kind));
    await at(page, plan.grains.frames - 1);
    assert.ok((await look(page, "growing")).ink > 0.05);
    fs.copyFileSync(path.join(source, "summary.json"), path.join(folder, "summary.json"));
    await page.waitForSelector(".badge.finished");
    silent(page);
    await page.close();
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (plan.only && !name.includes(plan.only)) continue;
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
