import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** RFC 6238 with RFC 4226 behind it, beside the library that is asked. */
export function codeOf(key: Uint8Array, atSeconds: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atSeconds / 30)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const value = hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

/** Of `steps` half minutes from now. */
export const codeNow = (secret: string, steps = 0): string =>
  codeOf(fromBase32(secret), Date.now() / 1_000 + 30 * steps);
