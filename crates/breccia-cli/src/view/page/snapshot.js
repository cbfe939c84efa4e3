import { download } from "./dom.js";
import { drawScale, legends } from "./legend.js";
import { tell } from "./math.js";
import { zip } from "./zip.js";

/** The panes as one picture, with titles, time and legends drawn in. */
export async function picture(app) {
  for (const pane of app.panes) pane.stage.draw(2);
  const widths = app.panes.map((pane) => pane.canvas.width);
  const canvas = document.createElement("canvas");
  canvas.width = widths.reduce((sum, width) => sum + width, 0);
  canvas.height = Math.max(...app.panes.map((pane) => pane.canvas.height));
  const context = canvas.getContext("2d");
  const ratio = app.panes[0].canvas.width / app.panes[0].canvas.clientWidth;
  let x = 0;
  app.panes.forEach((pane, i) => {
    context.drawImage(pane.canvas, x, 0);
    context.save();
    context.translate(x, 0);
    context.scale(ratio, ratio);
    drawWords(context, app, pane, pane.canvas.height / ratio);
    context.restore();
    x += widths[i];
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png");
  });
}

function drawWords(context, app, pane, height) {
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue("--text");
  context.font = "600 15px system-ui, sans-serif";
  context.fillText(pane.info.title, 14, 26);
  context.font = "13px system-ui, sans-serif";
  // A run that is over shows its last frames while the other goes on.
  const time = Math.max(...[...pane.shown.values()].map((frame) => frame.time ?? -Infinity));
  context.fillText(`t = ${tell(Number.isFinite(time) ? time : app.player.time)} s`, 14, 46);
  let left = 14;
  for (const legend of legends(pane.stage, app.look, (layer, key) => pane.names(layer.frame, key))) {
    context.font = "600 12px system-ui, sans-serif";
    context.fillText(legend.title, left, height - 44);
    context.font = "11px system-ui, sans-serif";
    if (legend.entries) {
      const text = legend.entries.map(([name]) => name).join(", ");
      context.fillText(text, left, height - 26);
    } else {
      drawScale(context, legend.map, left, height - 38, 190, 11);
      context.fillText(tell(legend.low), left, height - 14);
      context.textAlign = "right";
      context.fillText(tell(legend.high), left + 190, height - 14);
      context.textAlign = "left";
    }
    left += 220;
  }
}

const fileName = (app) => app.panes.map((pane) => pane.info.name).join("-").replace(/[^\w.-]+/g, "_");

export async function savePicture(app) {
  download(await picture(app), `${fileName(app)}_${app.player.time.toPrecision(4)}s.png`);
}

/** All frames as numbered pictures in one archive; `onprogress` may return false to stop. */
export async function saveFilm(app, onprogress) {
  const files = [];
  const count = app.player.times.length, before = app.player.index;
  app.player.pause();
  for (let index = 0; index < count; index++) {
    if (onprogress(index, count) === false) break;
    await app.player.seek(index);
    const blob = await picture(app);
    const number = String(index).padStart(5, "0");
    files.push([`${fileName(app)}_${number}.png`, new Uint8Array(await blob.arrayBuffer())]);
  }
  await app.player.seek(before);
  if (files.length) download(zip(files), `${fileName(app)}_frames.zip`);
  return files.length;
}
