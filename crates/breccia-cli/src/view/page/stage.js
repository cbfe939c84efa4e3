import { texels } from "./colours.js";
import { KINDS } from "./fields.js";
import { Geometry, program, setUniforms, Target, whenDrawn } from "./gl.js";
import { colouring, LineGeometry, shownThings, SphereGeometry, SurfaceGeometry } from "./layers.js";
import * as S from "./shaders.js";

/** Kinds in the order they are drawn; numbers in it are the layers of picking. */
const ORDER = ["spheres", "grains", "solids", "bonds", "contacts", "meshes", "walls"];
/** A still picture is drawn with so many samples along each side of a pixel. */
const STILL_SAMPLES = 2;
/** Milliseconds that a picture may take while things move. */
const SLOW = 45;
/** Least samples along each side of a pixel while things move. */
const LEAST_SAMPLES = 0.5;
/** Spheres up to so many pixels are drawn as points; larger ones would vanish at the rim of the picture. */
const MOST_POINT_PIXELS = 40;
/** Milliseconds without change after which a picture counts as still. */
const STILL_AFTER = 200;

/** Draws one run on one canvas. */
export class Stage {
  constructor(canvas, camera, look) {
    this.canvas = canvas;
    this.camera = camera;
    this.look = look;
    this.gl = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false });
    if (!this.gl) throw new Error("This browser cannot draw: it has no WebGL 2.");
    const { gl } = this;
    this.programs = {
      spheres: program(gl, S.SPHERE_VERTEX, S.SPHERE_FRAGMENT, []),
      points: program(gl, S.POINT_VERTEX, S.SPHERE_FRAGMENT, []),
      quick: program(gl, S.QUICK_VERTEX, S.QUICK_FRAGMENT, []),
      lines: program(gl, S.LINE_VERTEX, S.LINE_FRAGMENT, []),
      surface: program(gl, S.SURFACE_VERTEX, S.SURFACE_FRAGMENT, S.SURFACE_ATTRIBUTES),
      composite: program(gl, S.COMPOSITE_VERTEX, S.COMPOSITE_FRAGMENT, ["corner"]),
    };
    this.target = new Target(gl);
    this.pickTarget = new Target(gl);
    this.scales = new Map();
    this.layers = new Map();
    this.selected = null;
    this.screen = new Geometry(gl);
    this.screen.set(0, 2, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.largestPoint = Math.min(MOST_POINT_PIXELS, gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)[1]);
    this.busy = false;
    this.wanted = false;
    this.samples = 1;
  }

  /** Takes what a kind shows now; null takes it away. */
  setFrame(kind, frame) {
    if (!frame) {
      this.layers.delete(kind);
      return;
    }
    const layer = this.layers.get(kind) ?? { kind, body: this.geometryFor(kind), edges: null };
    layer.frame = frame;
    layer.flat = KINDS[kind].draw === "surface" && isFlat(frame);
    this.layers.set(kind, layer);
    this.fill(layer);
  }

  geometryFor(kind) {
    const Geometry = { spheres: SphereGeometry, lines: LineGeometry, surface: SurfaceGeometry }[KINDS[kind].draw];
    return new Geometry(this.gl);
  }

  /** Fills buffers anew after a change of colours or groups. */
  refill() {
    for (const layer of this.layers.values()) this.fill(layer);
  }

  fill(layer) {
    const { frame, kind } = layer;
    const { colour: key, hidden } = this.look.kinds[kind];
    layer.colour = colouring(frame, key);
    if (KINDS[kind].draw === "lines") return this.fillLines(layer, hidden);
    layer.body.fill(frame, layer.colour, hidden);
    if (KINDS[kind].draw !== "surface") return;
    layer.edges ??= new LineGeometry(this.gl);
    const { edges, edge_cell: cells, edge_is_feature: marks } = frame.shape;
    const isShown = shownThings(frame, hidden);
    layer.edges.fill(frame, edges, cells, () => 0, () => 0, (cell, i) => marks[i] === 1 && isShown(cell));
  }

  /** Force chains are as thick as the square root of the force; bonds are all alike. */
  fillLines(layer, hidden) {
    const { frame, kind, colour } = layer;
    const force = kind === "contacts" ? frame.arrays.get("normal_force")?.data : null;
    const thick = this.bodySize() * (kind === "contacts" ? 0.5 : 0.32) * this.look.thickness;
    let most = 0;
    if (force) for (const f of force) most = Math.max(most, f);
    most = Math.max(most, this.look.mostForce ?? 0);
    this.look.mostForce = most;
    const width = (cell) => (force ? thick * Math.sqrt(Math.max(force[cell], 0) / (most || 1)) : thick);
    layer.body.fill(frame, frame.shape.lines, frame.shape.line_cell, width, colour.at, shownThings(frame, hidden));
  }

  /** Mean radius of the spheres, or what takes its place where there are none [m]. */
  bodySize() {
    return this.layers.get("spheres")?.body.mean || this.camera.size / 40;
  }

  /** Asks for a new picture at the next occasion: when the one before is finished, so that pictures never queue up. */
  invalidate() {
    this.wanted = true;
    this.canvas.dataset.still = "no";
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.stillTimer);
    requestAnimationFrame(() => this.drawMoving());
  }

  async drawMoving() {
    this.wanted = false;
    const begin = performance.now();
    this.draw(this.samples, this.samples < 0.9);
    await whenDrawn(this.gl);
    this.keepPace(performance.now() - begin);
    this.busy = false;
    if (this.wanted) this.invalidate();
    // What is slow with one sample would hold the page up with more.
    else this.stillTimer = setTimeout(() => this.drawStill(), STILL_AFTER);
  }

  drawStill() {
    this.draw(this.samples < 0.9 ? 1 : STILL_SAMPLES);
    this.canvas.dataset.still = "yes";
  }

  /** Where drawing cannot keep pace, fewer samples are better than fewer pictures. */
  keepPace(took) {
    if (took > SLOW) this.samples = Math.max(LEAST_SAMPLES, this.samples * Math.max(0.5, Math.sqrt(SLOW / took)));
    else if (took < 0.5 * SLOW) this.samples = Math.min(1, this.samples * 1.1);
  }

  /** Draws now, with so many samples along each side of a pixel; `quickly` leaves out what is only fine to have. */
  draw(samples, quickly = false) {
    const { canvas } = this;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map((x) => Math.max(1, Math.round(x)));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const inner = [width, height].map((x) => Math.max(1, Math.round(x * samples)));
    this.target.resize(...inner);
    const shared = { ...this.camera.matrices(width / height, canvas.clientHeight), ...this.cut() };
    this.paint(this.target, { ...shared, quickly }, false);
    this.compose(shared, inner, [width, height], samples * ratio, quickly ? 0 : this.look.depthCue);
    canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
    this.ondraw?.();
  }

  paint(target, shared, picking) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame);
    gl.viewport(0, 0, ...target.size);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    const back = picking ? [0, 0, 0, 0] : [...this.look.background, 1];
    gl.clearColor(...back);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const layers = ORDER.map((kind) => this.layers.get(kind)).filter((l) => l && this.look.kinds[l.kind].visible);
    const isGlass = (layer) => KINDS[layer.kind].draw === "surface" && this.look.kinds[layer.kind].opacity < 0.999;
    for (const layer of layers.filter((l) => picking === "all" || !isGlass(l))) this.drawLayer(layer, shared, target.size, picking);
    if (picking) return;
    for (const layer of layers.filter((l) => l.edges)) this.drawEdges(layer, shared);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const layer of layers.filter(isGlass)) this.drawLayer(layer, shared, target.size, false);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** Size of the largest sphere, were it the nearest [pixels]. */
  pointPixels({ body, frame }, { view, projection, orthographic }, [, height]) {
    const [low, high] = frame.bounds();
    let nearest = Infinity;
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map((axis) => (corner >> axis & 1 ? high : low)[axis]);
      nearest = Math.min(nearest, -(view[2] * x + view[6] * y + view[10] * z + view[14]));
    }
    const away = orthographic ? 1 : nearest;
    return away > 0 ? 1.2 * body.largest * height * projection[5] / away : Infinity;
  }

  drawLayer(layer, shared, viewport, picking) {
    const style = this.look.kinds[layer.kind];
    const { draw } = KINDS[layer.kind];
    const isSelected = this.selected?.kind === layer.kind;
    const asPoints = draw === "spheres" && this.pointPixels(layer, shared, viewport) <= this.largestPoint;
    const quickly = shared.quickly && style.opacity > 0.999;
    this.use(this.programs[asPoints ? (quickly ? "quick" : "points") : draw], style, {
      ...shared,
      viewport,
      iMode: layer.colour.mode,
      range: [style.low, style.high],
      plain: this.plain(layer.kind),
      opacity: style.opacity,
      selected: isSelected ? this.selected.index : -1,
      iPicking: picking ? 1 : 0,
      iLayer: ORDER.indexOf(layer.kind) + 1,
      leastPixels: picking ? 6 : 1.2,
      lift: layer.flat || this.camera.flat ? 0.02 * this.camera.size : 0,
      flatness: layer.flat ? 1 : 0,
    });
    this.emit(layer.body.body, asPoints);
  }

  drawEdges(layer, shared) {
    const style = this.look.kinds[layer.kind];
    this.use(this.programs.lines, style, {
      ...shared, iMode: 0, range: [0, 1], plain: this.look.edge, opacity: 1, selected: -1, iPicking: 0, iLayer: 0,
      leastPixels: layer.flat ? 1.0 : 1.1, lift: 0.002 * this.camera.size, flatness: 1,
    });
    this.emit(layer.edges.body);
  }

  use(shader, style, values) {
    const { gl } = this;
    gl.useProgram(shader.built);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.scale(values.iMode === 2 ? "distinct" : style.map));
    setUniforms(gl, shader, { ...values, iScale: 0, iThings: 1 });
  }

  emit(body, asPoints = false) {
    if (body.count === 0) return;
    const { gl } = this;
    gl.bindVertexArray(body.array);
    if (body.texture) {
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, body.texture);
      gl.activeTexture(gl.TEXTURE0);
    }
    if (asPoints) gl.drawArrays(gl.POINTS, 0, body.count);
    else gl.drawArrays(gl.TRIANGLES, 0, (body.texture ? 6 : 1) * body.count);
    gl.bindVertexArray(null);
  }

  compose(shared, inner, [width, height], density, strength) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.DEPTH_TEST);
    const shader = this.programs.composite;
    gl.useProgram(shader.built);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.target.colour);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.target.depth);
    setUniforms(gl, shader, {
      iColour: 0, iDepth: 1, texel: [density / inner[0], density / inner[1]], planes: shared.planes,
      orthographic: shared.orthographic, depthScale: 2.5 * this.bodySize(), strength,
    });
    gl.bindVertexArray(this.screen.array);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindVertexArray(null);
    gl.activeTexture(gl.TEXTURE0);
  }

  plain(kind) {
    return kind === "spheres" || kind === "grains" || kind === "solids" ? this.look.body : this.look.glass;
  }

  scale(name) {
    if (this.scales.has(name)) return this.scales.get(name);
    const { gl } = this;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(name));
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    this.scales.set(name, texture);
    return texture;
  }

  cut() {
    const { cut, box } = this.look;
    if (!cut.on || !box) return { cut: [0, 0, 0, 0] };
    const axis = "xyz".indexOf(cut.axis), sign = cut.flip ? -1 : 1;
    const normal = [0, 0, 0];
    normal[axis] = sign;
    const at = box[0][axis] + cut.at * (box[1][axis] - box[0][axis]);
    return { cut: [...normal, sign * at] };
  }

  /** What is drawn at a place of the canvas: kind and number, or null. Bodies are found through glass, else the glass. */
  pick(x, y) {
    return this.find(x, y, true) ?? this.find(x, y, false);
  }

  find(x, y, through) {
    const { gl, canvas } = this;
    const size = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, side));
    this.pickTarget.resize(...size);
    const shared = { ...this.camera.matrices(size[0] / size[1], size[1]), ...this.cut() };
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(Math.floor(x) - 2, size[1] - Math.floor(y) - 3, 5, 5);
    this.paint(this.pickTarget, shared, through ? "bodies" : "all");
    const pixels = new Uint8Array(4 * 25);
    gl.readPixels(Math.floor(x) - 2, size[1] - Math.floor(y) - 3, 5, 5, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    // The middle first, then whatever is near: fingers are not exact.
    for (const at of [12, 7, 11, 13, 17, ...Array(25).keys()]) {
      const [r, g, b, layer] = pixels.subarray(4 * at, 4 * at + 4);
      if (layer > 0 && layer <= ORDER.length) return { kind: ORDER[layer - 1], index: r + 256 * g + 65536 * b - 1 };
    }
    return null;
  }
}

function isFlat(frame) {
  const [low, high] = frame.bounds();
  return high[2] - low[2] <= 1e-9 * Math.max(high[0] - low[0], high[1] - low[1]);
}
