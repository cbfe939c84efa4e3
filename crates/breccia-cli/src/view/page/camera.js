import { add, cross, dot, lookAt, normalize, orthographic, perspective, rotate, scale, sub } from "./math.js";

const FIELD_OF_VIEW = 0.5;

/** Where the viewer stands. One camera serves all panes, so that two runs are seen alike. */
export class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.size = 1;
    this.distance = 4;
    this.up = [0, 0, 1];
    this.direction = normalize([1, -1.7, 0.75]);
    this.flat = false;
    this.onchange = () => {};
  }

  /** Takes the direction against gravity as up; in the plane of grains and solids that is y, whatever gravity says. */
  begin(gravity, isFlat) {
    const hasGravity = gravity?.length === 3 && dot(gravity, gravity) > 0;
    this.up = isFlat ? [0, 1, 0] : hasGravity ? normalize(scale(gravity, -1)) : [0, 0, 1];
    this.flat = isFlat;
    this.look("start");
  }

  /** Directions to look from: start, front, side, top. */
  look(name) {
    const away = this.front();
    const side = normalize(cross(this.up, away));
    this.direction = {
      start: this.flat ? away : normalize(add(add(scale(away, 1.7), side), scale(this.up, 0.75))),
      front: away,
      side,
      top: normalize(add(this.up, scale(away, 1e-3))),
    }[name];
    this.onchange();
  }

  /** Level direction towards the viewer: −y where z is up, z where y is up. */
  front() {
    const [x, y, z] = this.up.map(Math.abs);
    return y >= x && y >= z ? [0, 0, 1] : z >= x ? [0, -1, 0] : [0, 0, 1];
  }

  /** Shows the whole of a box on a picture of this aspect, above a part of its height that is taken by other things. */
  fit([low, high], aspect, taken = 0) {
    if (!low.every(Number.isFinite) || !high.every(Number.isFinite)) return;
    this.target = scale(add(low, high), 0.5);
    const span = sub(high, low);
    this.size = Math.max(0.5 * Math.hypot(...span), 1e-9);
    const [right, up] = this.axes();
    const slope = Math.tan(FIELD_OF_VIEW / 2);
    let needed = 0;
    for (let corner = 0; corner < 8; corner++) {
      const part = span.map((side, axis) => (corner >> axis & 1 ? 0.5 : -0.5) * side);
      const across = Math.max(Math.abs(dot(part, right)) / aspect, Math.abs(dot(part, up)) / (1 - taken));
      needed = Math.max(needed, across / slope + (this.flat ? 0 : dot(part, this.direction)));
    }
    this.distance = 1.06 * needed || 1;
    this.target = sub(this.target, scale(up, taken * this.halfHeight()));
    this.onchange();
  }

  setFlat(flat) {
    this.flat = flat;
    if (flat) this.direction = this.front();
    else this.look("start");
    this.onchange();
  }

  /** Right and up of the picture [world]. */
  axes() {
    const back = this.direction;
    const right = normalize(cross(this.up, back));
    return [right, cross(back, right)];
  }

  orbit(dx, dy) {
    if (this.flat) return;
    this.direction = rotate(this.direction, this.up, -dx);
    const [right] = this.axes();
    const turned = rotate(this.direction, right, -dy);
    // Not over the poles: up would flip.
    if (Math.abs(dot(turned, this.up)) < 0.999) this.direction = normalize(turned);
    this.onchange();
  }

  /** Moves the target by parts of the picture's height. */
  pan(dx, dy) {
    const [right, up] = this.axes();
    const height = 2 * this.halfHeight();
    this.target = sub(add(this.target, scale(up, dy * height)), scale(right, dx * height));
    this.onchange();
  }

  /** Comes nearer (factor below 1), towards a point of the picture if one is given (−1 to 1, in heights). */
  zoom(factor, towards = [0, 0]) {
    const before = this.halfHeight();
    this.distance = Math.min(Math.max(this.distance * factor, this.size * 1e-3), this.size * 1e3);
    const [right, up] = this.axes();
    const gained = before - this.halfHeight();
    this.target = add(this.target, add(scale(right, towards[0] * gained), scale(up, towards[1] * gained)));
    this.onchange();
  }

  /** Half the height seen at the target [m]. */
  halfHeight() {
    return this.distance * Math.tan(FIELD_OF_VIEW / 2);
  }

  /** What shaders need, for a picture of this aspect and height in pixels. */
  matrices(aspect, height) {
    const { distance } = this;
    const eye = add(this.target, scale(this.direction, distance));
    const reach = 4 * this.size;
    const near = Math.max(distance - reach, distance * 0.01), far = distance + reach;
    const half = this.halfHeight();
    return {
      view: lookAt(eye, this.target, this.up),
      projection: this.flat ? orthographic(half, aspect, near, far) : perspective(FIELD_OF_VIEW, aspect, near, far),
      orthographic: this.flat ? 1 : 0,
      planes: [near, far],
      pixel: this.flat ? 2 * half / height : 2 * Math.tan(FIELD_OF_VIEW / 2) / height,
    };
  }
}

/** Mouse, wheel and fingers on a canvas. `ontap(x, y)` is told of clicks, in pixels of the page. */
export function attachGestures(canvas, camera, ontap) {
  const pointers = new Map();
  let moved = 0, spread = 0;
  const inHeights = (x, y) => [x / canvas.clientHeight, y / canvas.clientHeight];
  const fingers = () => [...pointers.values()];
  const between = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (pointers.size === 1) moved = 0;
    if (pointers.size === 2) spread = between(fingers());
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.offsetX - last.x, event.offsetY - last.y];
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    moved += Math.abs(dx) + Math.abs(dy);
    const [px, py] = inHeights(dx, dy);
    if (pointers.size === 2) {
      camera.pan(0.5 * px, 0.5 * py);
      const now = between(fingers());
      if (now > 0 && spread > 0) camera.zoom(spread / now);
      spread = now;
    } else if (camera.flat || event.shiftKey || event.buttons & 6) camera.pan(px, py);
    else camera.orbit(3.5 * px, 3.5 * py);
  });
  const release = (event) => {
    if (pointers.delete(event.pointerId) && event.type === "pointerup" && moved < 6 && pointers.size === 0) {
      ontap(event.offsetX, event.offsetY);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const [x, y] = inHeights(event.offsetX - canvas.clientWidth / 2, canvas.clientHeight / 2 - event.offsetY);
    camera.zoom(Math.exp(Math.min(Math.max(event.deltaY, -200), 200) * 0.0015), [2 * x, 2 * y]);
  }, { passive: false });
}
