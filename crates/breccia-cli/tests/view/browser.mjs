// Opens pages of `breccia view` in Chromium and uses them as a person would. Started by view_in_browser.rs with a JSON
// of addresses, the path of Chromium and a folder for screenshots. Prints a line per check; any failure ends it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const plan = JSON.parse(process.argv[2]);
const { chromium } = createRequire(path.join(plan.modules, "x.js"))("playwright-core");

const browser = await chromium.launch({
  executablePath: plan.chromium ?? undefined,
  args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

/** 100,000 spheres must turn at this rate without a graphics card [1/s], with so little script for each picture [ms]. Instances gave 0.1 to 0.7, points 5 to 8. */
const LEAST_RATE = 1, MOST_SCRIPT = 5;

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
  await page.waitForFunction(() => [...document.querySelectorAll("canvas.scene")].every((canvas) => canvas.dataset.still === "yes"));
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

/** What every method must allow: play, scrub, step, another colour, a body picked; all seen on the picture. */
async function useAll(page, kind, { name, frames, colour, legend }) {
  const last = await look(page, name);
  assert.ok(last.ink > 0.02 && last.colours > 12, `${name}: ${JSON.stringify(last)}`);
  const ends = await page.$$eval(`.legend[data-kind="${kind}"] .ends span`, (spans) => spans.map((span) => span.textContent));
  const [low, high] = await page.evaluate((kind) => [window.breccia.look.kinds[kind].low, window.breccia.look.kinds[kind].high], kind);
  const number = (text) => Number(text.replaceAll("−", "-"));
  assert.ok(Math.abs(number(ends[0]) - low) <= 1e-3 * Math.abs(low) && Math.abs(number(ends[2]) - high) <= 1e-3 * Math.abs(high), `${ends} for ${low}, ${high}`);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.selectOption("#rate", "50");
  await page.keyboard.press(" ");
  await at(page, frames - 1);
  await page.locator("#scrub").fill("1");
  await at(page, 1);
  await page.keyboard.press("ArrowLeft");
  await at(page, 0);
  assert.notEqual((await look(page, `${name}-begin`)).print, last.print, `${name}: the beginning is not the end`);
  await page.keyboard.press("End");
  await at(page, frames - 1);
  await page.selectOption(`#colour-${kind}`, colour);
  assert.match(await text(page, `.legend[data-kind="${kind}"] .what`), legend);
  const other = await look(page, `${name}-${colour}`);
  assert.notEqual(other.print, last.print, `${name}: ${colour} looks different`);
  await click(page, kind, null);
  assert.match(await text(page, ".picked .facts"), /\d/);
  assert.notEqual((await look(page, `${name}-picked`)).print, other.print, `${name}: what is picked stands out`);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".picked", { state: "detached" });
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

  async "turned, moved, enlarged, flat; typed ranges; hidden groups"() {
    const page = await open(plan.spheres.url);
    const box = await page.locator("canvas.scene").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const drag = async (button) => {
      await page.mouse.move(x, y);
      await page.mouse.down({ button });
      await page.mouse.move(x + 60, y + 30, { steps: 4 });
      await page.mouse.up({ button });
    };
    const prints = new Map([["begin", (await look(page, "view")).print]]);
    const acts = {
      turned: () => drag("left"),
      moved: () => drag("right"),
      nearer: () => page.mouse.wheel(0, -300),
      front: () => page.keyboard.press("1"),
      above: () => page.keyboard.press("3"),
      flat: () => page.keyboard.press("d"),
      farther: () => page.mouse.wheel(0, 300),
    };
    for (const [name, act] of Object.entries(acts)) {
      await act();
      const seen = await look(page, `view-${name}`);
      assert.ok(seen.ink > 0.01, `${name}: ${JSON.stringify(seen)}`);
      prints.set(name, seen.print);
    }
    assert.equal(new Set(prints.values()).size, prints.size, JSON.stringify([...prints]));
    await page.keyboard.press("r");
    assert.equal((await look(page, "view-whole")).print, prints.get("flat"), "R shows everything, as going flat does");
    await page.locator("#high-spheres").fill("12");
    await page.keyboard.press("Tab");
    assert.equal(await text(page, '.legend[data-kind="spheres"] .ends span:last-child'), "12");
    const all = await look(page, "view-range");
    await page.locator(".chips button", { hasText: "stream" }).click();
    assert.ok((await look(page, "view-hidden")).ink < all.ink);
    silent(page);
    await page.close();
  },

  async "pictures: one, and all frames in an archive"() {
    const page = await open(plan.grains.url);
    const [one] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
    const png = fs.readFileSync(await one.path());
    assert.ok(png.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")));
    fs.writeFileSync(path.join(plan.pictures, "saved.png"), png);
    const [film] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("v")]);
    const bytes = fs.readFileSync(await film.path());
    assert.equal(bytes.readUInt32LE(0), 0x04034b50);
    assert.equal(bytes.readUInt16LE(bytes.length - 12), plan.grains.frames);
    silent(page);
    await page.close();
  },

  async "clusters: bonds and fragments"() {
    const page = await open(plan.clusters.url);
    assert.equal(await count(page, "spheres"), plan.clusters.count);
    assert.equal(await count(page, "bonds"), plan.clusters.bonds);
    assert.match(await text(page, '.legend[data-kind="spheres"] .what'), /fragment size/);
    await useAll(page, "spheres", { name: "clusters", frames: plan.clusters.frames, colour: "fragment", legend: /fragment/ });
    await page.uncheck("#show-spheres");
    const bonds = await look(page, "clusters-bonds");
    assert.ok(bonds.ink > 0.005, JSON.stringify(bonds));
    await click(page, "bonds", null);
    assert.match(await text(page, ".picked .facts"), /tension over strength/);
    silent(page);
    await page.close();
  },

  async "meshes: spheres in them, tractions, opacity, picking an element"() {
    const page = await open(plan.mesh.url);
    assert.equal(await count(page, "meshes"), plan.mesh.elements);
    assert.equal(await count(page, "spheres"), plan.mesh.count);
    await useAll(page, "spheres", { name: "mesh", frames: plan.mesh.frames, colour: "velocity.2", legend: /velocity z \[m\/s\]/ });
    const glass = await look(page, "mesh-glass");
    await page.selectOption("#colour-meshes", "normal_traction");
    await page.locator("#opacity-meshes").fill("1");
    assert.match(await text(page, '.legend[data-kind="meshes"] .what'), /normal traction \[Pa\]/);
    const solid = await look(page, "mesh-traction");
    assert.notEqual(glass.print, solid.print);
    await click(page, "meshes", null);
    assert.match(await text(page, ".picked .facts"), /element.*normal traction/);
    await page.check("#show-contacts");
    assert.ok(await count(page, "contacts") > 50);
    silent(page);
    await page.close();
  },

  async "grains: outlines in 2D with force chains"() {
    const page = await open(plan.grains.url);
    assert.equal(await count(page, "grains"), plan.grains.count);
    assert.ok(await count(page, "contacts") > 10);
    assert.equal(await page.getAttribute("#tool-flat", "aria-pressed"), "true");
    assert.match(await text(page, '.legend[data-kind="grains"] .what'), /pressure \[Pa\]/);
    assert.match(await text(page, '.legend[data-kind="contacts"] .what'), /normal force \[N\/m\]/);
    await useAll(page, "grains", { name: "grains", frames: plan.grains.frames, colour: "velocity", legend: /speed \[m\/s\]/ });
    const seen = await look(page, "grains-chains");
    await page.uncheck("#show-contacts");
    assert.notEqual((await look(page, "grains-alone")).print, seen.print);
    await click(page, "grains", 5);
    assert.match(await text(page, ".picked .head"), /Grain 5/);
    silent(page);
    await page.close();
  },

  async "time moved back just as playing ends stays there"() {
    const page = await open(plan.grains.url);
    const last = plan.grains.frames - 1;
    await page.locator("#scrub").fill(String(last - 1));
    await at(page, last - 1);
    // A slow clock leaves time to move before its next tick.
    await page.selectOption("#rate", "1");
    await page.keyboard.press(" ");
    await at(page, last);
    await page.locator("#scrub").fill("0");
    await at(page, 0);
    await page.waitForTimeout(1500);
    assert.equal(await page.getAttribute("body", "data-frame"), "0");
    silent(page);
    await page.close();
  },

  async "solids: fields of elements and of nodes"() {
    const page = await open(plan.solids.url);
    assert.equal(await count(page, "solids"), plan.solids.elements);
    assert.equal(await count(page, "walls"), 1);
    assert.match(await text(page, '.legend[data-kind="solids"] .what'), /von mises \[Pa\]/);
    await useAll(page, "solids", { name: "solids", frames: plan.solids.frames, colour: "displacement", legend: /displacement, size \[m\]/ });
    silent(page);
    await page.close();
  },

  async "100,000 spheres are shown, coloured by clump, and turn"() {
    const page = await open(plan.many.url);
    assert.equal(await count(page, "spheres"), plan.many.count);
    assert.ok((await look(page, "many")).ink > 0.05);
    await page.selectOption("#colour-spheres", "clump");
    /** Pictures per second while it turns, and milliseconds of script for each. */
    const turn = () => page.evaluate(async () => {
      const { camera, panes: [{ stage, canvas }] } = window.breccia;
      const draw = stage.draw.bind(stage);
      let script = 0;
      stage.draw = (...all) => {
        const begin = performance.now();
        draw(...all);
        script += performance.now() - begin;
      };
      const [begin, before] = [performance.now(), Number(canvas.dataset.drawn)];
      while (performance.now() - begin < 2500) {
        camera.orbit(0.05, 0);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      const count = Number(canvas.dataset.drawn) - before;
      delete stage.draw;
      return { rate: 1000 * count / (performance.now() - begin), script: script / count, samples: stage.samples };
    });
    // A shared machine may be busy with something else for a while.
    let best = { rate: 0, script: Infinity };
    for (let tries = 0; tries < 4 && !(best.rate > LEAST_RATE && best.script < MOST_SCRIPT); tries++) {
      const seen = await turn();
      best = { rate: Math.max(best.rate, seen.rate), script: Math.min(best.script, seen.script), samples: seen.samples };
    }
    console.log(`   turning ${plan.many.count} spheres without a graphics card: ${best.rate.toFixed(1)} pictures/s, ${best.script.toFixed(2)} ms of script each, ${best.samples.toFixed(2)} samples a side`);
    assert.ok(best.rate > LEAST_RATE && best.script < MOST_SCRIPT, JSON.stringify(best));
    silent(page);
    await page.close();
  },

  async "two runs side by side"() {
    const page = await open(plan.pair.url);
    assert.equal(await page.locator(".pane").count(), 2);
    assert.equal(await page.locator(".legend").count(), 2);
    assert.match(await text(page, ".legend .what"), /speed/, "fragments are not in both");
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
    for (const index of [1, 2]) {
      await page.locator("#scrub").fill(String(index));
      await at(page, index);
      await page.waitForSelector(".message:not([hidden])");
      assert.match(await text(page, ".message"), /damaged/);
    }
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

  async "a run that failed says why"() {
    const page = await open(plan.failed.url);
    assert.match(await text(page, ".badge.failed"), /left the domain/);
    assert.match(await text(page, "#panel"), /on_exit/);
    assert.ok((await look(page, "failed")).ink > 0.002);
    silent(page);
    await page.close();
  },

  async "a run that goes on is followed to its end"() {
    const page = await open(plan.growing.url);
    assert.match(await text(page, ".message"), /no frames/i);
    const run = spawn(plan.growing.program, ["run", plan.growing.scene, "--out", plan.growing.folder], { stdio: "ignore" });
    const ended = new Promise((resolve) => run.on("exit", resolve));
    await page.waitForSelector(".badge.going");
    await page.waitForFunction(() => window.breccia.player.times.length > 1);
    const early = await page.evaluate(() => window.breccia.player.times.length);
    assert.equal(await ended, 0);
    await page.waitForSelector(".badge.finished");
    await at(page, plan.growing.frames - 1);
    assert.ok(early < plan.growing.frames, "frames came while it was watched");
    assert.ok((await look(page, "growing")).ink > 0.02);
    silent(page);
    await page.close();
  },
};

let failed = 0;
async function run([name, check]) {
  const begin = performance.now();
  try {
    await check();
    console.log(`ok ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}

const wanted = Object.entries(checks).filter(([name]) => !plan.only || name.includes(plan.only));
// What is timed runs alone, the rest in two rows, because much of it is waiting.
const [timed, rest] = [true, false].map((alone) => wanted.filter(([name]) => name.startsWith("100,000") === alone));
for (const one of timed) await run(one);
const row = async () => {
  while (rest.length) await run(rest.shift());
};
await Promise.all([row(), row()]);
await browser.close();
process.exit(failed ? 1 : 0);
