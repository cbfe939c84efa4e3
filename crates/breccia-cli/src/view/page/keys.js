import { byId, make } from "./dom.js";

/** Keys, what they do and what the help says of it. */
export function keys(app) {
  return [
    [" ", "Space", "play, pause", () => app.player.toggle()],
    ["ArrowLeft", "←", "one frame back", () => app.player.step(-1)],
    ["ArrowRight", "→", "one frame on", () => app.player.step(1)],
    ["Home", "Home", "first frame", () => app.player.seek(0)],
    ["End", "End", "last frame; stays at the newest while a run goes on", () => app.player.followEnd(true)],
    ["[", "[", "slower", () => app.player.changeRate(-1)],
    ["]", "]", "faster", () => app.player.changeRate(1)],
    ["r", "R", "show everything", () => app.fit()],
    ["1", "1 2 3", "look from the front, the side, above", () => app.camera.look("front")],
    ["2", null, null, () => app.camera.look("side")],
    ["3", null, null, () => app.camera.look("top")],
    ["d", "D", "2D or 3D", () => app.toggleFlat()],
    ["f", "F", "follow the body that was clicked", () => app.toggleFollow()],
    ["x", "X", "cut on or off", () => app.toggleCut()],
    ["c", "C", "charts", () => app.toggleCharts()],
    ["s", "S", "save a picture (PNG)", () => app.savePicture()],
    ["v", "V", "save all frames as pictures (zip), for a film", () => app.saveFilm()],
    ["t", "T", "dark or light", () => app.toggleTheme()],
    ["?", "?", "this help", () => app.toggleHelp()],
    ["h", null, null, () => app.toggleHelp()],
    ["Escape", "Esc", "forget the body, close this", () => app.forget()],
  ];
}

export function beginKeys(app) {
  const table = new Map(keys(app).map(([key, , , act]) => [key, act]));
  window.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input[type=number], input[type=text], select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = table.get(event.key) ?? table.get(event.key.toLowerCase());
    if (!act || (byId("help").open && !["?", "h", "Escape"].includes(event.key))) return;
    event.preventDefault();
    act();
  });
}

/** Fills the help. */
export function fillHelp(app) {
  const rows = keys(app).filter(([, name]) => name).map(([, name, what]) => {
    const caps = name.split(" ").map((cap) => make("kbd", { textContent: cap }));
    return make("tr", {}, make("td", {}, ...caps), make("td", { textContent: what }));
  });
  const mouse = [["drag", "turn (in 2D: move)"], ["Shift + drag, two fingers", "move"], ["wheel, pinch", "nearer, farther"], ["click", "data of a body"]];
  const gestures = mouse.map(([what, does]) => make("tr", {}, make("td", { textContent: what }), make("td", { textContent: does })));
  const close = make("button", { textContent: "Close", onclick: () => byId("help").close() });
  byId("help").replaceChildren(
    make("h2", { textContent: "Keys and mouse" }),
    make("table", {}, make("tbody", {}, ...gestures, ...rows)),
    make("p", { className: "quiet", textContent: "Films: ffmpeg -framerate 25 -i NAME_%05d.png -pix_fmt yuv420p film.mp4 makes one of the numbered pictures." }),
    close,
  );
}
