// Shaders. View space: x right, y up, z towards the viewer [m].

export const SURFACE_ATTRIBUTES = ["place", "value", "thing"];

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

/** Colour of a value, and of the thing that is picked. */
const COLOUR = `
uniform sampler2D iScale;
uniform int iMode;          // 0 one colour, 1 scale, 2 distinct colours
uniform vec2 range;
uniform vec3 plain;
uniform float selected;

vec3 colourOf(float value, float thing) {
  vec3 colour = plain;
  if (iMode == 1) {
    float part = (value - range.x) / max(range.y - range.x, 1e-30);
    colour = part == part ? texture(iScale, vec2(clamp(part, 0.0, 1.0) * 0.996 + 0.002, 0.5)).rgb : vec3(0.5);
  } else if (iMode == 2) {
    colour = texelFetch(iScale, ivec2(int(mod(value + 0.5, 20.0)), 0), 0).rgb;
  }
  return thing == selected ? vec3(1.0, 0.18, 0.47) : colour;
}
`;

/** Light, opacity as a pattern of dots, and the colours that picking reads. */
const SURFACE = COLOUR + `
uniform float opacity;
uniform int iPicking;
uniform int iLayer;
flat in float vThing;
out vec4 shown;

vec3 bodyColour(float value) { return colourOf(value, vThing); }

float dots() {
  ivec2 at = ivec2(gl_FragCoord.xy) & 3;
  int order[16] = int[16](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
  return (float(order[at.y * 4 + at.x]) + 0.5) / 16.0;
}

vec4 pickColour() {
  int number = int(vThing) + 1;
  return vec4(float(number & 255), float((number >> 8) & 255), float((number >> 16) & 255), float(iLayer)) / 255.0;
}

vec3 lit(vec3 colour, vec3 normal, vec3 toEye) {
  vec3 lamp = normalize(vec3(-0.45, 0.75, 0.62));
  float facing = max(dot(normal, lamp), 0.0);
  float sky = 0.5 + 0.5 * normal.y;
  float shine = pow(max(dot(normal, normalize(lamp + toEye)), 0.0), 40.0);
  return (0.94 * colour + 0.06) * (0.50 + 0.20 * sky + 0.48 * facing) + 0.13 * shine;
}
`;

const CUT = `
uniform vec4 cut;           // normal and offset [world]; nothing is cut where the normal is zero
bool isCut(vec3 place) { return dot(cut.xyz, place) > cut.w && dot(cut.xyz, cut.xyz) > 0.0; }
`;

/**
 * Spheres and lines lie in textures, so many in a row; vertices find theirs by their number. Instances would be simpler, but
 * software drawing pays for each of them as for a call of its own.
 */
export const THINGS_PER_ROW = 512;
/** Texels of a sphere: centre and radius; value and number. Of a line: begin and width; end and value; number. */
export const SPHERE_TEXELS = 2, LINE_TEXELS = 3;

const fetching = (texels) => `
uniform sampler2D iThings;
vec4 fetchTexel(int thing, int texel) {
  return texelFetch(iThings, ivec2(${texels} * (thing % ${THINGS_PER_ROW}) + texel, thing / ${THINGS_PER_ROW}), 0);
}
/** Corner of one of two triangles: −1 or 1 both ways. */
vec2 cornerOf(int vertex) {
  int corner = vertex % 6;
  return vec2(corner == 1 || corner == 2 || corner == 4 ? 1.0 : -1.0, corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0);
}
`;

const FETCH_SPHERE = fetching(SPHERE_TEXELS) + `
flat out vec4 vBody;        // centre [view] and radius
flat out float vValue, vThing;
uniform mat4 view, projection;
uniform float orthographic;
/** Centre [world]. */
vec3 fetchSphere(int number) {
  vec4 body = fetchTexel(number, 0), rest = fetchTexel(number, 1);
  vBody = vec4((view * vec4(body.xyz, 1.0)).xyz, body.w);
  vValue = rest.x;
  vThing = rest.y;
  return body.xyz;
}
`;

/** Two triangles a sphere. */
export const SPHERE_VERTEX = HEAD + CUT + FETCH_SPHERE + `
void main() {
  vec3 centre = fetchSphere(gl_VertexID / 6);
  vec2 across = cornerOf(gl_VertexID);
  // A square across the line of sight, as large as the sphere's outline seen from here.
  float radius = vBody.w, distance = max(length(vBody.xyz), radius * 1.01);
  vec3 sight = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : vBody.xyz / distance;
  vec3 side = normalize(cross(sight, vec3(0.0, 1.0, 0.0)) + vec3(1e-9, 0.0, 0.0));
  float reach = orthographic > 0.5 ? radius : radius * distance / sqrt(distance * distance - radius * radius);
  vec3 place = vBody.xyz + reach * (across.x * side + across.y * cross(side, sight));
  gl_Position = isCut(centre) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(place, 1.0);
}`;

const POINT = `
uniform vec2 viewport;
void placePoint(vec3 centre) {
  gl_Position = isCut(centre) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(vBody.xyz, 1.0);
  // Away from the middle of the picture a sphere's outline is longer than wide.
  float away = max(-vBody.z - vBody.w, 1e-9);
  float scale = orthographic > 0.5 ? 1.0 : length(vBody.xyz) / (away * away);
  gl_PointSize = 1.0 + vBody.w * viewport.y * projection[1][1] * scale;
}
`;

/** A point a sphere: a third of the work, for spheres of a few pixels. */
export const POINT_VERTEX = HEAD + CUT + FETCH_SPHERE + POINT + `
void main() { placePoint(fetchSphere(gl_VertexID)); }`;

/** The same where drawing is slow: discs with the light of a sphere, all at the depth of their centres. */
export const QUICK_VERTEX = HEAD + CUT + FETCH_SPHERE + POINT + COLOUR + `
flat out vec3 vColour;
void main() {
  placePoint(fetchSphere(gl_VertexID));
  vColour = colourOf(vValue, vThing);
}`;

export const QUICK_FRAGMENT = HEAD + `
flat in vec3 vColour;
out vec4 shown;
void main() {
  vec2 at = 2.0 * gl_PointCoord - 1.0;
  float square = dot(at, at);
  if (square > 1.0) discard;
  float light = 0.62 - 0.20 * at.x * 0.8 - 0.30 * at.y + 0.34 * (1.0 - square);
  shown = vec4(vColour * light, 1.0);
}`;

export const SPHERE_FRAGMENT = HEAD + `
flat in vec4 vBody;
flat in float vValue;
uniform mat4 projection;
uniform float orthographic;
uniform vec2 viewport;
` + SURFACE + `
void main() {
  vec2 across = (2.0 * gl_FragCoord.xy / viewport - 1.0) / vec2(projection[0][0], projection[1][1]);
  vec3 origin = orthographic > 0.5 ? vec3(across, 0.0) : vec3(0.0);
  vec3 ray = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(vec3(across, -1.0));
  vec3 between = origin - vBody.xyz;
  float b = dot(between, ray);
  float inside = b * b - dot(between, between) + vBody.w * vBody.w;
  if (inside < 0.0 || (opacity < 0.999 && opacity < dots())) discard;
  vec3 place = origin + (-b - sqrt(inside)) * ray;
  vec4 clip = projection * vec4(place, 1.0);
  gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
  if (iPicking == 1) { shown = pickColour(); return; }
  shown = vec4(lit(bodyColour(vValue), (place - vBody.xyz) / vBody.w, -ray), 1.0);
}`;

export const LINE_VERTEX = HEAD + CUT + fetching(LINE_TEXELS) + `
uniform mat4 view, projection;
uniform float orthographic, pixel, leastPixels, lift;
out vec3 vSide, vSight;
out float vAcross, vValue;
flat out float vThing;
void main() {
  vec4 first = fetchTexel(gl_VertexID / 6, 0), second = fetchTexel(gl_VertexID / 6, 1);
  vec3 begin = first.xyz, end = second.xyz;
  float width = first.w;
  vec2 corner = cornerOf(gl_VertexID);
  vec3 a = (view * vec4(begin, 1.0)).xyz, b = (view * vec4(end, 1.0)).xyz;
  vec3 place = mix(a, b, 0.5 + 0.5 * corner.x);
  vec3 toEye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-place);
  vec3 side = cross(normalize(b - a + vec3(0.0, 1e-12, 0.0)), toEye);
  side = length(side) > 1e-6 ? normalize(side) : vec3(1.0, 0.0, 0.0);
  float perPixel = pixel * (orthographic > 0.5 ? 1.0 : max(-place.z, 0.0));
  float half_width = 0.5 * max(width, leastPixels * perPixel);
  vSide = side;
  vSight = toEye;
  vAcross = corner.y;
  vValue = second.w;
  vThing = fetchTexel(gl_VertexID / 6, 2).x;
  bool gone = isCut(0.5 * (begin + end)) || width < 0.0;
  gl_Position = gone ? vec4(2.0, 2.0, 2.0, 1.0)
                     : projection * vec4(place + corner.y * half_width * side + lift * toEye, 1.0);
}`;

export const LINE_FRAGMENT = HEAD + `
in vec3 vSide, vSight;
in float vAcross, vValue;
uniform float flatness;
` + SURFACE + `
void main() {
  if (iPicking == 1) { shown = pickColour(); return; }
  if (opacity < dots()) discard;
  vec3 normal = vSide * vAcross + vSight * sqrt(max(0.0, 1.0 - vAcross * vAcross));
  vec3 colour = bodyColour(vValue);
  shown = vec4(mix(lit(colour, normalize(normal), vSight), colour, flatness), 1.0);
}`;

export const SURFACE_VERTEX = HEAD + `
in vec3 place;
in float value, thing;
uniform mat4 view, projection;
out vec3 vPlace, vWorld;
out float vValue;
flat out float vThing;
void main() {
  vWorld = place;
  vPlace = (view * vec4(place, 1.0)).xyz;
  vValue = value;
  vThing = thing;
  gl_Position = projection * vec4(vPlace, 1.0);
}`;

export const SURFACE_FRAGMENT = HEAD + CUT + `
in vec3 vPlace, vWorld;
in float vValue;
uniform float orthographic, flatness;
` + SURFACE + `
void main() {
  if (isCut(vWorld)) discard;
  if (iPicking == 1) { shown = pickColour(); return; }
  vec3 normal = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
  vec3 toEye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-vPlace);
  if (dot(normal, toEye) < 0.0) normal = -normal;
  vec3 colour = bodyColour(vValue);
  float grazing = pow(1.0 - clamp(dot(normal, toEye), 0.0, 1.0), 3.0);
  // Glass is darker where it is seen edge on.
  float cover = opacity >= 0.999 ? 1.0 : clamp(opacity + 0.4 * grazing * (1.0 - opacity), 0.0, 1.0);
  shown = vec4(mix(lit(colour, normal, toEye), colour, flatness), cover);
}`;

export const COMPOSITE_VERTEX = HEAD + `
in vec2 corner;
out vec2 at;
void main() { at = 0.5 + 0.5 * corner; gl_Position = vec4(corner, 0.0, 1.0); }`;

/** Darkens what lies behind nearer things next to it on the picture, which tells depth without shadows. */
export const COMPOSITE_FRAGMENT = HEAD + `
in vec2 at;
uniform sampler2D iColour, iDepth;
uniform vec2 texel, planes;
uniform float orthographic, depthScale, strength;
out vec4 shown;
float away(vec2 place) {
  float depth = texture(iDepth, place).r;
  if (orthographic > 0.5) return mix(planes.x, planes.y, depth);
  return planes.x * planes.y / (planes.y - depth * (planes.y - planes.x));
}
void main() {
  vec4 colour = texture(iColour, at);
  shown = vec4(colour.rgb, 1.0);
  if (strength <= 0.0 || texture(iDepth, at).r >= 1.0) return;
  float here = away(at), hidden = 0.0;
  for (int ring = 0; ring < 2; ring++) {
    float reach = ring == 0 ? 1.6 : 6.0;
    for (int i = 0; i < 8; i++) {
      float angle = 0.785398 * float(i) + 0.39 * float(ring);
      float step = (here - away(at + reach * texel * vec2(cos(angle), sin(angle)))) / depthScale;
      hidden += clamp(step, 0.0, 1.0);
    }
  }
  shown.rgb *= 1.0 - strength * min(1.0, hidden / 9.0);
}`;
