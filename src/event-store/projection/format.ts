import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';

/** The format that is written; files of another one are not read and are made anew. */
export const PROJECTION_FORMAT = 1;
/** "MCPP" in the order of this machine's bytes, which are those of every machine that we run on. */
export const MAGIC = 0x5050434d;
/** Magic, format, bytes of the header, zero; then the checksum of everything after it. */
export const PREFIX_BYTES = 24;
export const CHECKSUM_OFFSET = 16;
export const KEY_WORDS = 4;
const ALIGNMENT = 8;

const Count = Type.Integer({ minimum: 0 });

/** Who the events of an entry are by: values of what a client of production sent, without order. */
const Profile = Type.Object({
  isAnonymous: Type.Boolean(),
  platforms: Type.Array(Nullable(Type.String())),
  versions: Type.Array(Nullable(Type.String())),
});
export type Profile = Static<typeof Profile>;

const SectionHeader = Type.Object({
  name: Type.String(),
  isDevelopment: Type.Boolean(),
  rows: Count,
  stepBytes: Count,
  /** Scalars as JSON; the code of a row is 0 without one of them, else the place of its value + 1. */
  properties: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Type.String()) })),
  /** Rows have properties beyond these. */
  hasOthers: Type.Boolean(),
});

/** Whose rows they are. */
const Owner = Type.Object({ orgId: Type.String(), appId: Type.String() });

export const ProjectionHeader = Type.Object({
  /** Absent in those of earlier releases, and of rows in memory. */
  owner: Type.Optional(Owner),
  entries: Count,
  /** The earliest time, of which the times of rows are offsets. */
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

/** Where the columns of a file begin. */
export type Layout = {
  keys: number;
  profiles: number;
  sections: { low: number; high: number; steps: number; properties: number[] }[];
  end: number;
};

export function layoutOf(header: ProjectionHeader, headerBytes: number): Layout {
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

export const checksumOf = (bytes: Uint8Array): bigint =>
  BigInt.asUintN(64, BigInt(Bun.hash.xxHash3(bytes.subarray(PREFIX_BYTES))));

/** Bytes of a number of which seven bits go into each, the lower ones first. */
export function stepLength(step: number): number {
  if (step < 0x80) return 1;
  if (step < 0x4000) return 2;
  return step < 0x200000 ? 3 : 4;
}
