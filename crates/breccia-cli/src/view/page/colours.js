// Colour scales by a few of their colours, and colours that differ.

const SCALES = {
  viridis: ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"],
  inferno: ["1b0c41", "4a0c6b", "781c6d", "a52c60", "cf4446", "ed6925", "fb9b06", "f7d13d", "fcffa4"],
  batlow: ["011959", "103f60", "1c5a62", "3c6d56", "687b3e", "9d892b", "d29343", "f8a17b", "fdb7bc", "faccfa"],
  vik: ["001261", "033e7d", "1e6f9d", "71a8c4", "c9dde7", "eacebd", "d39774", "be6533", "8b2706", "590008"],
  grey: ["1c1c1c", "f2f2f2"],
};

/** Okabe and Ito's colours and lighter and darker sisters. */
const DISTINCT = [
  "0072b2", "e69f00", "009e73", "d55e00", "cc79a7", "56b4e9", "b5a642", "7a5195", "5f9e6e", "b55d60", "857aab", "8d7866",
  "2f4b7c", "ef9b7c", "6acc64", "c44e52", "dda0dd", "4c72b0", "f0e442", "64b5cd",
];

export const SCALE_NAMES = Object.keys(SCALES);
const rgb = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** Colour at `part` (0 to 1) of a scale, 0 to 255. */
export function colourAt(name, part) {
  const stops = SCALES[name] ?? SCALES.viridis;
  const at = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const [a, b] = [rgb(stops[low]), rgb(stops[low + 1])];
  return a.map((x, i) => Math.round(x + (at - low) * (b[i] - x)));
}

/** Colour of a name given as number. */
export const distinctColour = (number) => rgb(DISTINCT[(number >>> 0) % DISTINCT.length]);

const TEXELS = 256;

/** RGBA texels: the scale, or the distinct colours repeated by the shader. */
export function texels(name) {
  const data = new Uint8Array(4 * TEXELS);
  for (let i = 0; i < TEXELS; i++) {
    const colour = name === "distinct" ? distinctColour(i) : colourAt(name, i / (TEXELS - 1));
    data.set([...colour, 255], 4 * i);
  }
  return data;
}
export const DISTINCT_COUNT = DISTINCT.length;
