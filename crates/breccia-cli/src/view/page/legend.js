import { colourAt, distinctColour } from "./colours.js";
import { isCategory, KINDS } from "./fields.js";
import { make } from "./dom.js";
import { tell } from "./math.js";

/** Legends of the kinds that are shown in colours, as plain data: also drawn into pictures. */
export function legends(stage, look, names) {
  const found = [];
  for (const [kind, layer] of stage.layers) {
    const style = look.kinds[kind];
    if (!style.visible || style.colour === "plain" || layer.colour.mode === 0 || layer.frame.count === 0) continue;
    const choice = layer.frame.choices().find(([key]) => key === style.colour);
    const title = `${KINDS[kind].title}: ${choice?.[1] ?? style.colour}`;
    if (isCategory(style.colour)) found.push({ kind, title, entries: categories(layer, style, names) });
    else found.push({ kind, title: layer.colour.unit ? `${title} [${layer.colour.unit}]` : title, map: style.map, low: style.low, high: style.high });
  }
  return found;
}

/** Names of the first few numbers of a field. */
function categories(layer, style, names) {
  const numbers = [...new Set(layer.colour.data)].sort((a, b) => a - b);
  const known = names(layer, style.colour);
  const entries = numbers.slice(0, 6).map((number) => [known[number] || String(number), distinctColour(number)]);
  if (numbers.length > 6) entries.push([`and ${numbers.length - 6} more`, null]);
  return entries;
}

const css = (rgb) => `rgb(${rgb.join(" ")})`;

export function drawScale(context, map, x, y, width, height) {
  const { fillStyle } = context;
  for (let i = 0; i < width; i++) {
    context.fillStyle = css(colourAt(map, i / Math.max(1, width - 1)));
    context.fillRect(x + i, y, 1, height);
  }
  context.fillStyle = fillStyle;
}

/** Puts legends into an element of the page. */
export function showLegends(element, list) {
  element.replaceChildren(...list.map((legend) => {
    const card = make("div", { className: "legend", data: { kind: legend.kind } }, make("div", { className: "what", textContent: legend.title }));
    if (legend.entries) {
      const entry = ([text, colour]) => {
        const mark = make("i");
        if (colour) mark.style.background = css(colour);
        return make("span", {}, colour ? mark : null, text);
      };
      card.append(make("div", { className: "names" }, ...legend.entries.map(entry)));
      return card;
    }
    const bar = make("canvas", { width: 200, height: 11 });
    drawScale(bar.getContext("2d"), legend.map, 0, 0, 200, 11);
    const middle = 0.5 * (legend.low + legend.high);
    const ends = [legend.low, middle, legend.high].map((value) => make("span", { textContent: tell(value) }));
    card.append(bar, make("div", { className: "ends" }, ...ends));
    return card;
  }));
}
