import { at } from '../../shared/assert.ts';
import { bucketSql, OCCURRED_US } from '../reading/duckdb/buckets.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import type { Events } from '../reading/source/events.ts';
import { isAnything, type Selected } from '../selection/selected.ts';
import { MAX_RETENTION_BUCKETS, type RetentionRules } from './model.ts';
import {
  columnsRead,
  isSame,
  isSelectedSql,
  returnSelection,
  startSelection,
} from './selections.ts';

/** Returns later than any period that is asked for share the last bit. */
const LAST_BIT = MAX_RETENTION_BUCKETS - 1;
/** The bit after those of intervals: before them all. */
const BEFORE_BIT = MAX_RETENTION_BUCKETS;
const BEFORE = 1n << BigInt(BEFORE_BIT);

/**
 * One row a person and cohort: `person`, `cohort` (its number) and `active`, in which bit k says that
 * they came back in period k after that of the cohort.
 */
export function cohortRowsSql(events: Events, question: RetentionRules, as: 'id' | 'key'): string {
  const rows =
    question.periodUs === null
      ? byCalendar(events, question, as)
      : byHours(events, question, question.periodUs, as);
  return `SELECT person, cohort, coalesce(active, 0) AS active FROM (${rows})
    WHERE cohort < ${question.cohorts}`;
}

/**
 * A person's intervals are bits of a number; of their first event only whether it came before all
 * of them.
 */
function byCalendar(events: Events, question: RetentionRules, as: 'id' | 'key'): string {
  const { boundariesUs, cohort, cohorts } = question;
  const [start, comingBack] = [startSelection(question), returnSelection(question)];
  const before = `${OCCURRED_US} < ${at(boundariesUs, 0)}`;
  const bucket = `CASE WHEN ${before} THEN ${BEFORE_BIT} ELSE ${bucketSql(boundariesUs)} END`;
  const bit = `1::BIGINT << (${bucket})::INTEGER`;
  const bitsOf = (selected: Selected) =>
    `bit_or(${isAnything(selected) ? bit : `CASE WHEN ${isSelectedSql(selected)} THEN ${bit} END`})`;
  const starts: Kept = { name: 'starts', aggregate: bitsOf(start) };
  const returns: Kept = { name: 'returns', aggregate: bitsOf(comingBack) };
  const kept = isSame(start, comingBack) ? [starts] : [starts, returns];
  const rows = personRows(events, columnsRead(question), kept, { as });
  const returned = `(${at(kept, kept.length - 1).name} & ${BEFORE - 1n})`;
  if (cohort === 'first') {
    // The number of zeros below the lowest bit.
    const first = 'bit_count((starts & -starts) - 1)::INTEGER';
    return `SELECT person, cohort, returned >> cohort AS active
      FROM (SELECT person, ${returned} AS returned,
          CASE WHEN starts < ${BEFORE} THEN ${first} END AS cohort
        FROM (${rows}))`;
  }
  return `SELECT person, cohort, ${returned} >> cohort::INTEGER AS active
    FROM (${rows}), range(${cohorts}) r(cohort)
    WHERE (starts >> cohort::INTEGER) & 1 = 1`;
}

/** Periods are counted from each person's own start, in their cohort. */
function byHours(
  events: Events,
  question: RetentionRules,
  periodUs: number,
  as: 'id' | 'key',
): string {
  const { boundariesUs, cohort } = question;
  const relation = eventRelation(events, columnsRead(question), as);
  const chosen = (selected: Selected) =>
    `(SELECT * FROM ${relation} WHERE ${isSelectedSql(selected)})`;
  const starts =
    cohort === 'first'
      ? `SELECT person, started, ${bucketSql(boundariesUs, 'started')} AS cohort
          FROM (SELECT person, min(${OCCURRED_US}) AS started FROM ${chosen(startSelection(question))}
            GROUP BY person)`
      : `SELECT person, ${bucketSql(boundariesUs)} AS cohort, min(${OCCURRED_US}) AS started
          FROM ${chosen(startSelection(question))} GROUP BY ALL`;
  const period = `((${OCCURRED_US} - started) // ${periodUs})`;
  return `SELECT s.person, cohort,
      bit_or(1::BIGINT << least(${period}, ${LAST_BIT})::INTEGER)
        FILTER (WHERE occurred_at IS NOT NULL) AS active
    FROM (${starts}) s LEFT JOIN ${chosen(returnSelection(question))} e
      ON e.person = s.person AND ${OCCURRED_US} >= started + ${periodUs}
    GROUP BY s.person, cohort`;
}

export function returnedSql({ criterion }: RetentionRules, period: number): string {
  return criterion === 'on' ? `(active >> ${period}) & 1 = 1` : `(active >> ${period}) <> 0`;
}
