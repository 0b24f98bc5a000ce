import { outside } from '../../shared/assert.ts';
import type { Dimension } from '../selection/dimension.ts';
import { type EventSelection, named } from '../selection/selection.ts';
import { bounded } from './bounds.ts';
import type { ShownValues } from './projection/activity-reader.ts';
import type { Held } from './projection/held.ts';
import type { Part } from './projection/parts.ts';
import type { RankedValues } from './projection/ranked-values.ts';
import type { Share } from './projection/share.ts';
import { type Counting, type CountParts, read } from './read.ts';
import type { QueryRun } from './run.ts';
import {
  brokenDown,
  isAlwaysShown,
  type Shown,
  shownByParts,
  shownBySql,
  shownPlace,
} from './shown-values.ts';
import type { SqlRun } from './source/sql-rows.ts';

type Split = ReturnType<typeof shownPlace>;

export type ByValue<A, G> = {
  by: Dimension | undefined;
  meant: Omit<RankedValues, 'by'>;
  suits: Held | null;
  isTooMuch?: (parts: readonly Part[]) => boolean;
  start: (
    share: Share,
    values: ShownValues | null,
  ) => Omit<Counting<A>, 'answer'> & { counts: () => readonly G[] };
  /** By SQL; one without a split. */
  count: (split: Split | null) => Promise<readonly G[]>;
  answer: (counted: readonly G[], shown: Shown | null) => A;
};

function ranked<A, G>({ selection }: SqlRun, { meant }: ByValue<A, G>): EventSelection {
  const { names, ...others } = meant;
  return { environment: selection.environment, ...named(names), ...others };
}

export async function sqlByValue<A, G>(run: SqlRun, forms: ByValue<A, G>): Promise<A> {
  const { by, count, answer } = forms;
  const all = await count(null);
  if (!by) return answer(all, null);
  const shown = await shownBySql(run, by, ranked(run, forms));
  return answer([...all, ...(await count(shownPlace(shown, run.sql.dialect)))], shown);
}

export async function readByValue<Q extends { breakdown?: Dimension }, A, G>(
  run: QueryRun,
  asked: Q,
  toForms: (run: QueryRun, question: Q) => ByValue<A, G>,
): Promise<A> {
  const { breakdown } = asked;
  const bounds = breakdown && (await bounded(run, breakdown, ranked(run, toForms(run, asked))));
  const forms = toForms(run, { ...asked, ...(bounds && { breakdown: bounds }) });
  const { by, meant, suits, start, isTooMuch, answer } = forms;
  const count = async (countParts: CountParts, parts: readonly Part[]) => {
    if (isTooMuch?.(parts)) return null;
    const shown = by
      ? await shownByParts({ source: run.source, parts, countParts }, by, meant)
      : null;
    if (by && shown === null) return null;
    return countParts((share) => {
      const { counts, ...counting } = start(share, shown && { by: shown.by, shown: shown.values });
      return { ...counting, answer: () => answer(counts(), shown) };
    });
  };
  return read(run, { projected: suits && { suits, count }, sql: () => sqlByValue(run, forms) });
}

export function groupedAnswer<G extends { people: number }>(
  { source: { dataThroughMs } }: SqlRun,
  [total = outside(), ...groups]: readonly G[],
  shown: Shown | null,
) {
  if (shown === null) return { dataThroughMs, ...total };
  const named = groups.map((group, place) => ({ value: shown.values[place] ?? null, ...group }));
  return {
    ...{ dataThroughMs, ...total },
    groups: named.filter(({ value, people }) => isAlwaysShown(shown, value) || people > 0),
    brokenDown: brokenDown(shown),
  };
}
