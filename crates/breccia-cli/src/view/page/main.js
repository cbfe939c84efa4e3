import { FrameStore, fetchOverview, fetchRun, fetchTable } from "./api.js";
import { attachGestures, Camera } from "./camera.js";
import { Charts } from "./charts.js";
import { byId, make } from "./dom.js";
import { icon } from "./icons.js";
import { Inspector } from "./inspector.js";
import { beginKeys, fillHelp } from "./keys.js";
import { Look, takeTheme } from "./look.js";
import { Pane } from "./pane.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { saveFilm, savePicture } from "./snapshot.js";
import { parseTable } from "./table.js";
import { beginTheme } from "./theme.js";

/** Milliseconds between two looks at runs that go on, and at those that are over. */
const WATCH = 1500, WATCH_IDLE = 6000;
/** A run in one of these states may still write. */
const MAY_GROW = ["going", "silent", "empty"];

class App {
  constructor() {
    this.camera = new Camera();
    this.look = new Look();
    this.store = new FrameStore();
    this.panes = [];
    this.inspector = new Inspector();
    this.player = new Player(() => this.showTime());
    this.charts = new Charts((time) => this.player.seekTime(time));
    this.panel = new Panel(this);
    this.camera.onchange = () => this.panes.forEach((pane) => pane.stage?.invalidate());
    this.toggleTheme = beginTheme(() => {
      takeTheme(this.look);
      this.charts.draw();
      this.redraw();
    });
    this.buildTools();
    beginKeys(this);
    fillHelp(this);
    byId("panel").hidden = window.innerWidth < 760;
    byId("charts").hidden = window.innerHeight < 560;
  }

  buildTools() {
    const tool = (name, title, act, wide) => {
      const button = make("button", { title, ariaLabel: title, id: `tool-${name}`, onclick: () => act.call(this) }, icon(name));
      if (wide) button.className = "wide";
      return button;
    };
    this.flatButton = make("button", { textContent: "2D", title: "2D or 3D  D", id: "tool-flat", onclick: () => this.toggleFlat() });
    byId("tools").append(
      this.flatButton,
      tool("fit", "Show everything  R", () => this.fit()),
      tool("chart", "Charts  C", this.toggleCharts),
      tool("camera", "Save a picture  S", this.savePicture),
      tool("film", "Save all frames as pictures  V", this.saveFilm, true),
      tool("theme", "Dark or light  T", () => this.toggleTheme()),
      tool("help", "Help  ?", this.toggleHelp),
      tool("panel", "Settings", this.togglePanel),
    );
  }

  async begin() {
    const { runs } = await fetchOverview();
    byId("stages").replaceChildren();
    runs.forEach((info, number) => {
      const pane = new Pane(number, this.camera, this.look, this.store);
      pane.info = info;
      this.panes.push(pane);
      byId("stages").append(pane.root);
      pane.begin();
      attachGestures(pane.canvas, this.camera, (x, y) => this.pick(pane, x, y));
      if (runs.length > 1) pane.name.textContent = info.title === runs[1 - number].title ? info.name : info.title;
    });
    this.takeInfo();
    if (runs.some((info) => info.state === "going")) this.player.setAtEnd(true);
    await this.showFirst();
    await this.loadTables();
    this.watch();
  }

  /** Shows the last of the first frames there are, all of it; things in the plane are looked at from above it. */
  async showFirst() {
    const infos = this.panes.map((pane) => pane.info);
    const kinds = infos.flatMap((info) => Object.keys(info.kinds));
    const isFlat = kinds.some((kind) => kind === "grains" || kind === "solids") && !kinds.includes("spheres");
    this.camera.begin(infos[0].gravity, isFlat);
    this.look.kinds.contacts.visible = isFlat;
    const { times } = this.player;
    this.look.meet((await Promise.all(this.panes.map((pane) => pane.framesAt(times.at(-1))))).flat());
    await this.player.seek(times.length - 1);
    // What moved since the beginning was somewhere else then.
    this.fit(await Promise.all(this.panes.map(async (pane) => pane.bounds(await pane.framesAt(times[0])))));
    this.panel.build();
    this.showFlat();
  }

  /** Shows what is known of the runs: titles, states, times. */
  takeInfo() {
    const infos = this.panes.map((pane) => pane.info);
    const titles = [...new Set(infos.map((info) => info.title))].join(" | ");
    byId("title").textContent = titles;
    document.title = `${titles} – breccia`;
    byId("badges").replaceChildren(...infos.map((info) => make("span", { className: `badge ${info.state}`, title: info.progress || info.words, textContent: badgeText(info) })));
    byId("live").hidden = !infos.some((info) => info.state === "going");
    const times = [...new Set(this.panes.flatMap((pane) => pane.times()))].sort((a, b) => a - b);
    this.player.setTimes(times);
    for (const pane of this.panes) {
      const { state, words, kinds, troubles } = pane.info;
      if (state === "gone") pane.say("The folder of this run is no longer there. What was fetched before can still be seen.", "The run is gone");
      else if (Object.keys(kinds).length === 0) pane.say([...(troubles ?? []), words].join("\n"), "There are no frames", state !== "going");
    }
  }

  async loadTables() {
    const tables = await Promise.all(this.panes.map((pane) => (pane.info.has_table ? fetchTable(pane.number).then(parseTable, () => []) : [])));
    this.charts.setTables(tables.filter((table) => table.length), this.panes.map((pane) => pane.info.name));
  }

  /** Looks again and again whether runs went on, ended or vanished. */
  async watch() {
    for (;;) {
      const mayGrow = this.panes.some((pane) => MAY_GROW.includes(pane.info.state));
      await new Promise((resolve) => setTimeout(resolve, mayGrow ? WATCH : WATCH_IDLE));
      const before = this.panes.map((pane) => pane.info);
      try {
        for (const pane of this.panes) pane.info = { ...pane.info, ...await fetchRun(pane.number).catch(goneOr) };
      } catch (error) {
        this.toast(error.message);
        continue;
      }
      const news = this.panes.filter((pane, i) => JSON.stringify(pane.info) !== JSON.stringify(before[i]));
      if (news.length === 0) continue;
      const hadFrames = this.player.times.length > 0;
      if (!hadFrames && news.some((pane) => pane.info.state === "going")) this.player.setAtEnd(true);
      this.takeInfo();
      const changed = news.filter((pane) => pane.info.state !== before[pane.number].state);
      changed.forEach((pane) => this.toast(`${pane.info.title}: ${pane.info.words}`));
      if (!hadFrames && this.player.times.length) await this.showFirst();
      else if (this.player.atEnd) await this.player.seek(this.player.times.length - 1);
      // The panel is left alone while somebody may be typing in it.
      if (changed.length) this.panel.build();
      if (news.some((pane) => pane.info.state !== "gone")) await this.loadTables();
    }
  }

  async showTime() {
    const { time, times, index } = this.player;
    await Promise.all(this.panes.map((pane) => (pane.info.state === "gone" && !pane.shown.size ? null : pane.show(time))));
    this.inspector.update(this.panes);
    if (this.inspector.follow) this.centre();
    this.charts.setTime(time);
    this.panel.update();
    document.body.dataset.frame = String(index);
    const ahead = this.player.playing ? 3 : 1;
    for (let i = 1; i <= ahead && index + i < times.length; i++) this.panes.forEach((pane) => pane.fetchAhead(times[index + i]));
  }

  /** Draws again what is there. */
  redraw() {
    for (const pane of this.panes) if (pane.stage) pane.refresh();
  }

  /** Fills buffers again, after a change of colours or groups. */
  refill() {
    for (const pane of this.panes) pane.stage.refill();
    this.redraw();
  }

  colourBy(kind, key) {
    this.look.kinds[kind].colour = key;
    this.fitRange(kind);
    this.panel.build();
  }

  /** Takes the range of what is shown now. */
  fitRange(kind) {
    this.look.forget(kind);
    for (const pane of this.panes) if (pane.shown.has(kind)) this.look.widen(pane.shown.get(kind));
    this.refill();
    this.panel.update();
  }

  /** Shows everything, and other boxes besides. */
  fit(others = []) {
    const shown = this.panes.filter((pane) => pane.shown.size).map((pane) => pane.bounds());
    const boxes = [...shown, ...others].filter(([low]) => Number.isFinite(low[0]));
    if (boxes.length === 0) return;
    const low = [0, 1, 2].map((i) => Math.min(...boxes.map((box) => box[0][i])));
    const high = [0, 1, 2].map((i) => Math.max(...boxes.map((box) => box[1][i])));
    this.look.box = [low, high];
    const { canvas, legends } = this.panes[0];
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(side, 1));
    const taken = legends.clientHeight ? Math.min(0.3, (legends.clientHeight + 12) / height) : 0;
    this.camera.fit([low, high], width / height, this.camera.flat || height < 420 ? taken : 0);
    // Lines are as thick as bodies, or as the scene where there are none.
    this.refill();
  }

  pick(pane, x, y) {
    this.inspector.pick(pane, pane.stage.pick(x, y));
    this.inspector.update(this.panes);
    this.panel.showSelection();
    byId("panel").scrollTop = 0;
    if (this.inspector.picked && byId("panel").hidden) byId("panel").hidden = false;
    this.redraw();
  }

  forget() {
    byId("help").close();
    this.inspector.clear();
    this.inspector.update(this.panes);
    this.panel.showSelection();
    this.redraw();
  }

  toggleFollow() {
    if (!this.inspector.picked) return;
    this.inspector.follow = !this.inspector.follow;
    if (this.inspector.follow) this.centre();
    this.panel.showSelection();
  }

  centre() {
    const place = this.inspector.place();
    if (!place) return;
    this.camera.target = place;
    this.camera.onchange();
  }

  toggleFlat() {
    this.camera.setFlat(!this.camera.flat);
    this.showFlat();
    this.fit();
  }

  showFlat() {
    this.flatButton.ariaPressed = String(this.camera.flat);
  }

  toggleCut() {
    this.look.cut.on = !this.look.cut.on;
    this.panel.build();
    this.redraw();
  }

  toggleCharts() {
    byId("charts").hidden = !byId("charts").hidden;
    this.charts.draw();
  }

  togglePanel() {
    byId("panel").hidden = !byId("panel").hidden;
  }

  toggleHelp() {
    const help = byId("help");
    if (help.open) help.close();
    else {
      help.showModal();
      // The button that gets the focus is at its end.
      help.scrollTop = 0;
    }
  }

  savePicture() {
    return savePicture(this).catch((error) => this.toast(error.message));
  }

  async saveFilm() {
    if (this.filming) {
      this.filming = false;
      return;
    }
    this.filming = true;
    try {
      const count = await saveFilm(this, (index, all) => {
        this.toast(`Picture ${index + 1} of ${all}; V stops`);
        return this.filming;
      });
      this.toast(`${count} pictures saved`);
    } catch (error) {
      this.toast(error.message);
    }
    this.filming = false;
  }

  toast(words) {
    const toast = byId("toast");
    toast.textContent = words;
    toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => (toast.hidden = true), 4000);
  }
}

/** A run that is gone is news, not a failure. */
function goneOr(error) {
  if (/no longer there/.test(error.message)) return { state: "gone", words: error.message };
  throw error;
}

function badgeText({ state, words, progress }) {
  const share = state === "going" ? progress?.match(/^\d+(\.\d+)? %/)?.[0] : null;
  return share ? `${words}, ${share}` : words;
}

const app = new App();
window.breccia = app;
app.begin().then(
  () => (document.body.dataset.ready = "yes"),
  (error) => {
    document.body.dataset.ready = "failed";
    byId("stages").replaceChildren(make("div", { className: "pane" }, make("div", { className: "message bad", role: "alert" }, make("strong", { textContent: "The run cannot be shown" }), make("p", { textContent: error.message }))));
  },
);
