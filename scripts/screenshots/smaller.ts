import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const COLOURS = 256;
/** By the kind of colour: red, green, blue, with or without opacity. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };
const PALETTE = 3;

function chunksOf(png: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += length + FRAME_BYTES;
  }
  return chunks;
}

function written(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const byLeft = Math.abs(guess - left);
  const byUp = Math.abs(guess - up);
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** The colours of all points, as 0xRRGGBB. */
function pointsOf(packed: Buffer, width: number, height: number, channels: number): Uint32Array {
  const raw = inflateSync(packed);
  const stride = width * channels;
  const points = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const filter = raw[start] ?? 0;
    const line = new Uint8Array(stride);
    for (let x = 0; x < stride; x += 1) {
      const left = line[x - channels] ?? 0;
      const corner = above[x - channels] ?? 0;
      line[x] = (raw[start + 1 + x] ?? 0) + predicted(filter, left, above[x] ?? 0, corner);
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * channels;
      points[y * width + x] =
        ((line[at] ?? 0) << 16) | ((line[at + 1] ?? 0) << 8) | (line[at + 2] ?? 0);
    }
    above = line;
  }
  return points;
}

function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red * 2 + green * green * 4 + blue * blue;
}

/** The most frequent colours, and of each colour the place of the nearest among them. */
function paletteOf(points: Uint32Array) {
  const counts = new Map<number, number>();
  for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
  const byUse = [...counts].toSorted(([, one], [, other]) => other - one);
  const palette = byUse.slice(0, COLOURS).map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const [colour] of byUse.slice(COLOURS)) {
    let nearest = 0;
    for (const [place, other] of palette.entries()) {
      if (distance(colour, other) < distance(colour, palette[nearest] ?? 0)) nearest = place;
    }
    places.set(colour, nearest);
  }
  return { palette, places };
}

/**
 * A picture with the 256 colours that it has most of: a screen of few tokens looks the same, and takes
 * a third of the bytes. Pictures that browsers do not write stay as they are.
 */
export function smaller(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const head = Buffer.from(chunks.get('IHDR') ?? []);
  const channels = CHANNELS[head[9] ?? -1];
  const packed = chunks.get('IDAT');
  if (channels === undefined || !packed) return png;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const points = pointsOf(packed, width, height, channels);
  const { palette, places } = paletteOf(points);
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, point] of points.entries()) {
    rows[at + Math.floor(at / width) + 1] = places.get(point) ?? 0;
  }
  head[9] = PALETTE;
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    written('IHDR', head),
    written(
      'PLTE',
      Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255])),
    ),
    written('IDAT', deflateSync(rows, { level: 9 })),
    written('IEND', Buffer.alloc(0)),
  ]);
}
