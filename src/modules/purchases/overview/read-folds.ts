import type { Deps } from '../../../context.ts';
import { parser } from '../../../shared/schema.ts';
import type { Store } from '../../../shared/stores.ts';
import { type Fold, countLengths, foldChain, foldRange } from './fold.ts';
import { FORMAT, type PackedFold, PackedSchema, unpackFold, packFold } from './pack.ts';
import * as queries from './queries.ts';

async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const ask = () => {
    const asked = items.next();
    // Thrown where it is awaited.
    asked.catch(() => undefined);
    return asked;
  };
  let asked = ask();
  try {
    for (;;) {
      const item = await asked;
      if (item.done) return;
      asked = ask();
      yield item.value;
    }
  } finally {
    await items.return?.();
  }
}

const BATCH = 500;

function saved({ history, ...row }: queries.UnfoldedChain) {
  const fold = foldChain(history);
  return { ...row, ...foldRange(fold), fold: packFold(fold), lengths: countLengths(fold) };
}

export async function foldChains(
  { sql }: Pick<Deps, 'sql'>,
  scope: queries.OverviewScope | null,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let done = 0; done < limit; done += BATCH) {
    const unfolded = await queries.selectUnfolded(sql, scope, BATCH);
    if (unfolded.length === 0) return;
    const folds = unfolded.map(saved);
    await sql.begin((tx) => queries.saveFolds(tx, folds));
    if (unfolded.length < BATCH) return;
  }
}

const packed = parser(PackedSchema, 'packed fold');

const BEGIN = `{"format":${FORMAT},`;
const END = '"}';
const KNOWN_MAX = 10_000;

/** Reads folds as text, digits last: a beginning that many share is parsed once. */
export class FoldTexts {
  private readonly known = new Map<string, PackedFold>();

  /** Null where it has to be made anew before it counts. */
  read(text: string): PackedFold | null {
    if (!text.startsWith(BEGIN)) return null;
    const end = text.length - END.length;
    const start = text.lastIndexOf('"', end - 1) + 1;
    const { format, willRenew, names, shared } = this.commonOf(text.slice(0, start));
    return { format, willRenew, names, shared, sold: text.slice(start, end) };
  }

  private commonOf(text: string): PackedFold {
    const known = this.known.get(text);
    if (known) return known;
    const common = packed.parse(JSON.parse(text + END));
    if (this.known.size < KNOWN_MAX) this.known.set(text, common);
    return common;
  }
}

type Asked = Omit<queries.FoldsInput, 'ids'>;
type Take<T> = (fold: T, row: { id: string; store: Store; isHeld: boolean }) => void;

export async function forEachPacked(
  sql: Deps['sql'],
  scope: queries.OverviewScope,
  asked: Asked,
  take: Take<PackedFold>,
): Promise<void> {
  const texts = new FoldTexts();
  const read = async (ids: readonly string[] | null): Promise<string[]> => {
    const foreign: string[] = [];
    for await (const rows of ahead(queries.readFolds(sql, scope, { ...asked, ids }))) {
      for (const { id, store, fold: kept, isHeld = false } of rows) {
        const packed = texts.read(kept);
        if (packed) take(packed, { id, store, isHeld });
        else foreign.push(id);
      }
    }
    return foreign;
  };
  const foreign = await read(null);
  if (foreign.length === 0) return;
  await queries.markUnfolded(sql, scope, foreign);
  await foldChains({ sql }, scope);
  await read(foreign);
}

export const forEachFold = (
  sql: Deps['sql'],
  scope: queries.OverviewScope,
  asked: Asked,
  take: Take<Fold>,
): Promise<void> =>
  forEachPacked(sql, scope, asked, (packed, row) => take(unpackFold(packed), row));
