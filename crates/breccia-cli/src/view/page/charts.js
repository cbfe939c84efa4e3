import { byId, choice, make } from "./dom.js";
import { tell, ticks } from "./math.js";

const COLOURS = { light: ["#0072b2", "#d55e00"], dark: ["#6cc0f0", "#f09a5c"] };
const FIRST = ["kinetic_translation", "kinetic", "pair_contacts", "broken_share", "coordination", "elastic", "relative_closure_error", "largest_overlap"];
const MARGIN = { left: 58, right: 12, top: 6, bottom: 20 };

/** Charts of the columns of table.csv, linked to the time shown. */
export class Charts {
  constructor(onseek) {
    this.root = byId("charts");
    this.onseek = onseek;
    this.tables = [];
    this.charts = [];
    this.time = 0;
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  /** Takes the tables of the runs; columns with the same name go into one chart. */
  setTables(tables, names) {
    this.tables = tables;
    this.names = names;
    const columns = this.columns();
    if (this.charts.length === 0 && columns.length) {
      const alive = columns.filter((name) => this.isAlive(name));
      const first = FIRST.filter((name) => alive.includes(name));
      for (const name of [...new Set([...first, ...alive])].slice(0, window.innerWidth < 760 ? 2 : 3)) this.add(name);
    }
    this.root.dataset.columns = String(columns.length);
    this.draw();
  }

  columns() {
    return [...new Set(this.tables.flatMap((table) => table.slice(1).map((column) => column.name)))];
  }

  /** Whether a column changes: a flat line tells little. */
  isAlive(name) {
    return this.tables.some((table) => {
      const values = table.find((column) => column.name === name)?.values ?? [];
      return values.some((value) => value !== values[0]);
    });
  }

  add(name) {
    const chart = { name, canvas: make("canvas"), value: make("span", { className: "value" }) };
    const entries = this.columns().map((column) => [column, column.replaceAll("_", " ")]);
    const select = choice(entries, name, (column) => {
      chart.name = column;
      this.draw();
    }, { "aria-label": "Column" });
    const close = make("button", { textContent: "×", title: "Remove this chart", onclick: () => this.remove(chart) });
    chart.card = make("div", { className: "chart" }, make("div", { className: "head" }, select, chart.value, close), chart.canvas);
    const seek = (event) => event.buttons & 1 && chart.axis && this.onseek(chart.axis(event.offsetX));
    chart.canvas.addEventListener("pointerdown", seek);
    chart.canvas.addEventListener("pointermove", seek);
    this.charts.push(chart);
    this.arrange();
  }

  remove(chart) {
    this.charts = this.charts.filter((other) => other !== chart);
    this.arrange();
    this.draw();
  }

  arrange() {
    const unused = () => this.columns().find((name) => this.isAlive(name) && !this.charts.some((c) => c.name === name));
    const more = make("button", { textContent: "+", title: "One more chart", onclick: () => {
      const name = unused() ?? this.columns()[0];
      if (name) this.add(name);
      this.draw();
    } });
    this.root.replaceChildren(...this.charts.map((chart) => chart.card), make("div", { className: "chart-add" }, more));
  }

  setTime(time) {
    this.time = time;
    this.draw();
  }

  draw() {
    if (this.root.hidden) return;
    for (const chart of this.charts) this.drawChart(chart);
  }

  drawChart(chart) {
    const { canvas } = chart;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width < 40 || height < 40) return;
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const series = this.tables.map((table) => {
      const column = table.find((c) => c.name === chart.name);
      return column && { times: table[0].values, values: column.values, unit: column.unit };
    });
    const frame = plotFrame(series, width, height);
    chart.axis = frame.timeAt;
    const style = getComputedStyle(document.documentElement);
    const ink = { text: style.getPropertyValue("--faint"), line: style.getPropertyValue("--line"), accent: style.getPropertyValue("--accent") };
    drawAxes(context, frame, ink, width, height);
    series.forEach((one, i) => one && drawCurve(context, frame, one, COLOURS[document.documentElement.dataset.theme][i]));
    drawNow(context, frame, this.time, ink, height);
    const values = series.map((one) => one && tell(valueAt(one, this.time)));
    const unit = series.find(Boolean)?.unit ?? "";
    chart.value.textContent = `${values.filter(Boolean).join(" · ")} ${unit}`.trim();
  }
}

/** Scales of a plot over all its series. */
function plotFrame(series, width, height) {
  const span = (lists) => {
    let [low, high] = [Infinity, -Infinity];
    for (const list of lists) for (const v of list) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
    if (!(high >= low)) return [0, 1];
    return high > low ? [low, high] : [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
  };
  const there = series.filter(Boolean);
  const [t0, t1] = span(there.map((one) => one.times));
  const [y0, y1] = span(there.map((one) => one.values));
  const room = 0.06 * (y1 - y0);
  const [low, high] = [y0 - room, y1 + room];
  const inner = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  return {
    times: [t0, t1], values: [low, high],
    x: (t) => MARGIN.left + inner[0] * (t - t0) / (t1 - t0),
    y: (v) => MARGIN.top + inner[1] * (high - v) / (high - low),
    timeAt: (x) => t0 + Math.min(1, Math.max(0, (x - MARGIN.left) / inner[0])) * (t1 - t0),
  };
}

function drawAxes(context, frame, ink, width, height) {
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = ink.text;
  context.strokeStyle = ink.line;
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const value of ticks(...frame.values, 4)) {
    const y = Math.round(frame.y(value)) + 0.5;
    context.beginPath();
    context.moveTo(MARGIN.left, y);
    context.lineTo(width - MARGIN.right, y);
    context.stroke();
    context.fillText(tell(value), MARGIN.left - 6, y);
  }
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const marks = ticks(...frame.times, Math.max(2, width / 90));
  marks.forEach((time, i) => {
    const text = tell(time) + (i === marks.length - 1 ? " s" : "");
    const half = 0.5 * context.measureText(text).width;
    context.fillText(text, Math.min(frame.x(time), width - half - 2), height - 6);
  });
}

function drawCurve(context, frame, { times, values }, colour) {
  context.beginPath();
  let down = false;
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(values[i])) down = false;
    else {
      context[down ? "lineTo" : "moveTo"](frame.x(times[i]), frame.y(values[i]));
      down = true;
    }
  }
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  context.lineJoin = "round";
  context.stroke();
}

function drawNow(context, frame, time, ink, height) {
  const x = frame.x(Math.min(Math.max(time, frame.times[0]), frame.times[1]));
  context.strokeStyle = ink.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, MARGIN.top);
  context.lineTo(x, height - MARGIN.bottom);
  context.stroke();
}

/** Value at the last row not after `time`. */
function valueAt({ times, values }, time) {
  let found = values[0];
  for (let i = 0; i < times.length && times[i] <= time * (1 + 1e-12); i++) found = values[i];
  return found;
}
