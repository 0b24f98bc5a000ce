import {
  Bool,
  type DataType,
  DateDay,
  Field,
  Float64,
  Int64,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { at } from '../../shared/assert.ts';
import type { SqlAnswer } from './model.ts';

type Cells = readonly unknown[];
type Kind = { vector: (cells: Cells) => Vector };

const column = (type: () => DataType, of: (cell: unknown) => unknown): Kind => ({
  vector: (cells) =>
    vectorFromArray(
      cells.map((cell) => (cell === null ? null : of(cell))),
      type(),
    ),
});

const TEXT = column(
  () => new Utf8(),
  (cell) => (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)),
);

function toMicroseconds(cell: unknown): bigint {
  const text = String(cell);
  const micros = /\.(\d+)/.exec(text)?.[1]?.slice(0, 6).padEnd(6, '0') ?? '0';
  const whole = Date.parse(text.replace(/\.\d+/, '').replace(' ', 'T').replace(/Z?$/, 'Z'));
  return BigInt(whole) * 1_000n + BigInt(micros);
}

/** The builder of the library takes milliseconds, of which a fraction is not exact. */
const instants = (type: () => TimestampMicrosecond): Kind => ({
  vector: (cells) => {
    const nullBitmap = new Uint8Array(Math.ceil(cells.length / 8));
    for (const [index, cell] of cells.entries()) {
      if (cell !== null)
        nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
    }
    const data = BigInt64Array.from(cells, (cell) => (cell === null ? 0n : toMicroseconds(cell)));
    const nullCount = cells.filter((cell) => cell === null).length;
    return makeVector(
      makeData({ type: type(), length: cells.length, nullCount, nullBitmap, data }),
    );
  },
});

const isInstant = (cell: unknown) =>
  typeof cell === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(cell);

const KINDS: readonly (Kind & { named: RegExp; fits: (cell: unknown) => boolean })[] = [
  {
    named: /^BOOLEAN$/,
    fits: (cell) => typeof cell === 'boolean',
    ...column(
      () => new Bool(),
      (cell) => cell,
    ),
  },
  {
    named: /^(U?(TINY|SMALL|BIG)INT|U?INTEGER|HUGEINT)$/,
    fits: (cell) => typeof cell === 'number',
    ...column(
      () => new Int64(),
      (cell) => BigInt(Number(cell)),
    ),
  },
  {
    named: /^(FLOAT|DOUBLE)$/,
    fits: (cell) => typeof cell === 'number',
    ...column(
      () => new Float64(),
      (cell) => cell,
    ),
  },
  {
    named: /^DATE$/,
    fits: (cell) => typeof cell === 'string' && /^\d{4}-\d\d-\d\d$/.test(cell),
    ...column(
      () => new DateDay(),
      (cell) => new Date(String(cell)),
    ),
  },
  {
    named: /^TIMESTAMP WITH TIME ZONE$/,
    fits: isInstant,
    ...instants(() => new TimestampMicrosecond('UTC')),
  },
  { named: /^TIMESTAMP$/, fits: isInstant, ...instants(() => new TimestampMicrosecond()) },
];

/** Text where one of the values does not fit, such as infinity. */
function kindOf(type: string, cells: Cells): Kind {
  const found = KINDS.find(({ named }) => named.test(type));
  return found && cells.every((cell) => cell === null || found.fits(cell)) ? found : TEXT;
}

export function answerArrow({ columns, rows }: Pick<SqlAnswer, 'columns' | 'rows'>): Uint8Array {
  const vectors = columns.map(({ type }, index) => {
    const cells = rows.map((row) => row[index] ?? null);
    return kindOf(type, cells).vector(cells);
  });
  // An object of columns would put a name such as "1" first.
  const fields = vectors.map(({ type }, index) => new Field(at(columns, index).name, type, true));
  const data = makeData({
    type: new Struct(fields),
    length: rows.length,
    nullCount: 0,
    children: vectors.flatMap((vector) => vector.data),
  });
  return tableToIPC(new Table([new RecordBatch(new Schema(fields), data)]), 'stream');
}
