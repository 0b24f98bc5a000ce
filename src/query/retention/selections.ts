import { type Held, heldFor } from '../reading/projection/held.ts';
import { type Dimension, dimensionSql } from '../selection/dimension.ts';
import { DUCKDB, type SqlDialect } from '../selection/property.ts';
import { compileConditions } from '../selection/row-test.ts';
import { isAnything, selectedNames, type Selected, selectedSql } from '../selection/selected.ts';
import type { RetentionRules } from './model.ts';

type BrokenBy = { breakdown?: Dimension };

export const startSelection = ({ start = {} }: RetentionRules): Selected => start;

export const returnSelection = (question: RetentionRules): Selected => question.return ?? {};

/** Null where one of the two is not by name. */
export const namesRead = (question: RetentionRules): string[] | null =>
  selectedNames([startSelection(question), returnSelection(question)]);

/** Null where projections cannot answer: they know no periods of a person's own. */
export function heldForRetention(question: RetentionRules & BrokenBy): Held | null {
  if (question.periodUs !== null) return null;
  const [start, comingBack] = [startSelection(question), returnSelection(question)];
  const fieldsOf = ({ events, where }: Selected) => ({
    test: where ? compileConditions(where) : null,
    events: events ?? null,
  });
  return heldFor([{ ...fieldsOf(start), by: question.breakdown ?? null }, fieldsOf(comingBack)]);
}

export const isSelectedSql = (selected: Selected, sql: SqlDialect): string =>
  isAnything(selected) ? 'true' : selectedSql(selected, sql).condition;

export const columnsRead = (
  question: RetentionRules & BrokenBy,
  sql: SqlDialect = DUCKDB,
): string[] => [
  'occurred_at',
  ...(question.breakdown ? [dimensionSql(question.breakdown, sql).column] : []),
  ...[startSelection(question), returnSelection(question)].flatMap((selected) =>
    isAnything(selected) ? [] : selectedSql(selected, sql).columns,
  ),
];

export const isSame = (one: Selected, other: Selected): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
