// A zip archive of files stored as they are: pictures do not get smaller.

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function record(signature, fields, name) {
  const size = 4 + fields.reduce((sum, [width]) => sum + width, 0);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return [new Uint8Array(view.buffer), name];
}

/** A blob of files given as [name, bytes]. */
export function zip(files) {
  const parts = [], directory = [];
  let offset = 0, directorySize = 0;
  for (const [title, bytes] of files) {
    const name = new TextEncoder().encode(title);
    const common = [[2, 20], [2, 0x0800], [2, 0], [2, 0], [2, 0x21], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
    const local = record(0x04034b50, common, name);
    const central = record(0x02014b50, [[2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]], name);
    parts.push(...local, bytes);
    directory.push(...central);
    offset += local[0].length + name.length + bytes.length;
    directorySize += central[0].length + name.length;
  }
  const end = record(0x06054b50, [[2, 0], [2, 0], [2, files.length], [2, files.length], [4, directorySize], [4, offset], [2, 0]])[0];
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
