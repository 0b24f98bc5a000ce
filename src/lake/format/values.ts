import { DAY_MS } from '../../shared/time.ts';
import type { Field, PartitionField, PartitionValue } from './types.ts';

/** Our ids are shorter. */
const BOUND_CHARACTERS = 64;
const HIGHEST = 0x10_ff_ff;
const SURROGATES = { first: 0xd8_00, after: 0xe0_00 };

const TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00$/;

/** Microseconds since 1970 from DuckDB's UTC text; null for other text. */
export function parseMicros(text: string): bigint | null {
  const parts = TIME.exec(text);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map(Number);
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  return BigInt(ms) * 1_000n + BigInt((parts[7] ?? '').padEnd(6, '0'));
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** The smallest text above all with this prefix; null without one. */
function successor(characters: readonly string[]): string | null {
  for (let length = characters.length; length > 0; length -= 1) {
    const code = characters[length - 1]?.codePointAt(0) ?? HIGHEST;
    if (code >= HIGHEST) continue;
    const next = code + 1 === SURROGATES.first ? SURROGATES.after : code + 1;
    return characters.slice(0, length - 1).join('') + String.fromCodePoint(next);
  }
  return null;
}

function textBound(text: string, end: 'lower' | 'upper'): Buffer | null {
  const characters = [...text];
  if (characters.length <= BOUND_CHARACTERS) return Buffer.from(text);
  const cut = characters.slice(0, BOUND_CHARACTERS);
  const bound = end === 'lower' ? cut.join('') : successor(cut);
  return bound === null ? null : Buffer.from(bound);
}

/** Iceberg's single-value serialization; null when inexpressible. */
export function boundBytes(
  type: Field['type'],
  text: string,
  end: 'lower' | 'upper',
): Buffer | null {
  if (type === 'string') return textBound(text, end);
  if (type !== 'timestamptz') return null;
  const micros = parseMicros(text);
  return micros === null ? null : int64(micros);
}

export function partitionBytes(value: PartitionValue): Buffer {
  return typeof value === 'string' ? Buffer.from(value) : int32(value);
}

const DAY_MICROS = BigInt(DAY_MS) * 1_000n;

/** Floor division, for times before 1970. */
function floorDay(micros: bigint): number {
  const days = micros / DAY_MICROS;
  return Number(micros % DAY_MICROS < 0n ? days - 1n : days);
}

/** Null for text that is no value of the column. */
export function transformed(
  transform: PartitionField['transform'],
  text: string,
): PartitionValue | null {
  if (transform === 'identity') return text;
  const micros = parseMicros(text);
  if (micros === null) return null;
  const days = floorDay(micros);
  if (transform === 'day') return days;
  const date = new Date(days * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}
