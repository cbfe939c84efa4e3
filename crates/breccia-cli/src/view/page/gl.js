import { THINGS_PER_ROW } from "./shaders.js";

/** Compiles a program; `attributes` fixes their places, so that vertex arrays can be shared. */
export function program(gl, vertex, fragment, attributes) {
  const built = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(`shader: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(built, shader);
  }
  attributes.forEach((name, place) => gl.bindAttribLocation(built, place, name));
  gl.linkProgram(built);
  if (!gl.getProgramParameter(built, gl.LINK_STATUS)) throw new Error(`program: ${gl.getProgramInfoLog(built)}`);
  const uniforms = {};
  const count = gl.getProgramParameter(built, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < count; i++) {
    const { name } = gl.getActiveUniform(built, i);
    uniforms[name] = gl.getUniformLocation(built, name);
  }
  return { built, uniforms };
}

/** Sets uniforms by name; numbers, arrays of 2 to 4 and matrices of 16. Names the program does not use are passed over. */
export function setUniforms(gl, { uniforms }, values) {
  for (const [name, value] of Object.entries(values)) {
    const place = uniforms[name];
    if (place === undefined) continue;
    if (value.length === undefined) {
      if (name.startsWith("i")) gl.uniform1i(place, value);
      else gl.uniform1f(place, value);
    } else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
    else gl[`uniform${value.length}fv`](place, value);
  }
}

/** Resolves when all that was asked for so far is drawn. */
export async function whenDrawn(gl) {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  // Its state only changes between tasks; a context that is lost has no fence.
  do await new Promise((resolve) => setTimeout(resolve, 2));
  while (fence && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED);
  gl.deleteSync(fence);
}

/** A vertex array from buffers. */
export class Geometry {
  constructor(gl) {
    this.gl = gl;
    this.array = gl.createVertexArray();
    this.buffers = new Map();
    this.count = 0;
  }

  set(place, components, data) {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    if (!this.buffers.has(place)) this.buffers.set(place, gl.createBuffer());
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.get(place));
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, components, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
  }
}

/** Numbers in a texture, `texels` times four for each thing, which vertices find by their number. */
export class ThingTexture {
  constructor(gl, texels) {
    Object.assign(this, { gl, texels, texture: gl.createTexture(), array: gl.createVertexArray(), count: 0, rows: 0 });
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  }

  /** Room for the numbers of so many things. */
  room(count) {
    const length = 4 * this.texels * THINGS_PER_ROW * Math.max(1, Math.ceil(count / THINGS_PER_ROW));
    if (this.data?.length !== length) this.data = new Float32Array(length);
    return this.data;
  }

  /** Hands over the numbers of the first `count` things. */
  send(count) {
    const { gl } = this;
    const [width, rows] = [this.texels * THINGS_PER_ROW, this.data.length / (4 * this.texels * THINGS_PER_ROW)];
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (rows === this.rows) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, rows, gl.RGBA, gl.FLOAT, this.data);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, rows, 0, gl.RGBA, gl.FLOAT, this.data);
    Object.assign(this, { count, rows });
  }
}

/** Colour and depth to draw into and to read from. */
export class Target {
  constructor(gl) {
    this.gl = gl;
    this.frame = gl.createFramebuffer();
    this.colour = gl.createTexture();
    this.depth = gl.createTexture();
    this.size = [0, 0];
  }

  resize(width, height) {
    if (this.size[0] === width && this.size[1] === height) return;
    const { gl } = this;
    this.size = [width, height];
    const texture = (which, inner, format, type, filter) => {
      gl.bindTexture(gl.TEXTURE_2D, which);
      gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, type, null);
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, filter);
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    };
    texture(this.colour, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, gl.LINEAR);
    texture(this.depth, gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.colour, 0);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.depth, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
}
