import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';

/** How bytes lie; other formats are rebuilt. */
export const PROJECTION_FORMAT = 1;
export const PROJECTION_REVISION = 2;
/** "MCPP" in little-endian. */
export const MAGIC = 0x5050434d;
/** Magic, format, header bytes, zero; then the checksum of the rest. */
export const PREFIX_BYTES = 24;
export const CHECKSUM_OFFSET = 16;
export const KEY_WORDS = 4;

/** Faster than a view of each. */
export function copyKey(from: Uint32Array, entry: number, into: Uint32Array, place: number): void {
  for (let word = 0; word < KEY_WORDS; word += 1) {
    into[place * KEY_WORDS + word] = from[entry * KEY_WORDS + word];
  }
}
const ALIGNMENT = 8;

const Count = Type.Integer({ minimum: 0 });

const Sender = Type.Object({
  platform: Nullable(Type.String()),
  version: Nullable(Type.String()),
  country: Nullable(Type.String()),
});
export type Sender = Static<typeof Sender>;

const Profile = Type.Object({
  isAnonymous: Type.Boolean(),
  /** As production clients sent them; unordered. */
  platforms: Type.Array(Nullable(Type.String())),
  versions: Type.Array(Nullable(Type.String())),
  /** Absent where it would take too much. */
  sender: Type.Optional(Sender),
});
export type Profile = Static<typeof Profile>;

const SectionHeader = Type.Object({
  name: Type.String(),
  isDevelopment: Type.Boolean(),
  rows: Count,
  stepBytes: Count,
  /** Scalars as JSON; a row's code is 0 for none, else value index + 1. */
  properties: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Type.String()) })),
  /** Rows have properties beyond these. */
  hasOthers: Type.Boolean(),
});

const Owner = Type.Object({ orgId: Type.String(), appId: Type.String() });

export const ProjectionHeader = Type.Object({
  owner: Type.Optional(Owner),
  entries: Count,
  /** Row times are offsets from it. */
  baseUs: Type.Integer(),
  /** Bytes of an offset above its lower four. */
  highBytes: Type.Union([Type.Literal(1), Type.Literal(2)]),
  profileBytes: Type.Union([Type.Literal(1), Type.Literal(2)]),
  profiles: Type.Array(Profile),
  sections: Type.Array(SectionHeader),
});
export type ProjectionHeader = Static<typeof ProjectionHeader>;

export const parseHeader = parser(ProjectionHeader, 'header of a projection');

export const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

export type Layout = {
  keys: number;
  profiles: number;
  sections: { low: number; high: number; steps: number; properties: number[] }[];
  end: number;
};

export function toLayout(header: ProjectionHeader, headerBytes: number): Layout {
  let next = aligned(PREFIX_BYTES + headerBytes);
  const take = (bytes: number) => {
    const offset = next;
    next += aligned(bytes);
    return offset;
  };
  const { entries, profileBytes, highBytes } = header;
  return {
    keys: take(entries * KEY_WORDS * 4),
    profiles: take(entries * profileBytes),
    sections: header.sections.map(({ rows, stepBytes, properties }) => ({
      low: take(rows * 4),
      high: take(rows * highBytes),
      steps: take(stepBytes),
      properties: properties.map(() => take(rows)),
    })),
    end: next,
  };
}

export const computeChecksum = (bytes: Uint8Array): bigint =>
  BigInt.asUintN(64, BigInt(Bun.hash.xxHash3(bytes.subarray(PREFIX_BYTES))));

/** Bytes of a varint (LEB128). */
export function stepLength(step: number): number {
  if (step < 0x80) return 1;
  if (step < 0x4000) return 2;
  return step < 0x200000 ? 3 : 4;
}
