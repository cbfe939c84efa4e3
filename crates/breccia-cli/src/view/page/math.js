// Vectors are arrays of three numbers, matrices Float32Array in column order, as WebGL takes them.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const normalize = (a) => scale(a, 1 / (length(a) || 1));

/** Turns `v` about the unit vector `axis` by `angle` [rad]. */
export function rotate(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  const along = scale(axis, dot(axis, v) * (1 - c));
  return add(add(scale(v, c), scale(cross(axis, v), s)), along);
}

/** view_from_world: x right, y up, z towards the viewer. */
export function lookAt(eye, target, up) {
  const z = normalize(sub(eye, target));
  const x = normalize(cross(up, z));
  const y = cross(z, x);
  return new Float32Array([
    x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1,
  ]);
}

export function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView / 2);
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0,
    0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0,
  ]);
}

/** Parallel rays; `half` is half the height seen [m]. */
export function orthographic(half, aspect, near, far) {
  return new Float32Array([
    1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0,
    0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1,
  ]);
}

/** Round numbers between two values, at most about `count`. */
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !isFinite(span)) return [];
  const raw = span / Math.max(1, count);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? raw;
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * span; i++) found.push(i * step);
  return found;
}

/** A number for people: at most four digits, exponents only where they are needed. */
export function tell(value) {
  if (value === undefined || value === null || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [digits, power] = value.toExponential(2).split("e");
    return `${Number(digits)}e${Number(power)}`.replaceAll("-", "−");
  }
  const digits = Math.max(0, 3 - Math.floor(Math.log10(size)));
  return String(Number(value.toFixed(Math.min(digits, 6)))).replace("-", "−");
}
