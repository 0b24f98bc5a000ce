import { at } from '../../shared/assert.ts';
import { bucketSql } from '../reading/duckdb/buckets.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import { type Events, selectEvents } from '../reading/source/events.ts';
import type { SqlDialect } from '../selection/property.ts';
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

/** Starts with one value, or one of others: its place. */
export type Valued = { place: string; column: string };

type Asked = { as: 'id' | 'key'; by?: Valued | undefined };

/** A row a person and cohort; bit k of `active`: back in period k after that of the cohort. */
export function cohortRowsSql(events: Events, question: RetentionRules, asked: Asked): string {
  const rows =
    question.periodUs === null
      ? byCalendar(events, question, asked)
      : byHours(events, question, question.periodUs, asked);
  const place = asked.by ? ', place' : '';
  return `SELECT person${place}, cohort, coalesce(active, 0) AS active FROM (${rows})
    WHERE cohort < ${question.cohorts}`;
}

const chosenEvents = ({ source, selection }: Events, { events, where }: Selected): Events =>
  selectEvents(source, {
    ...selection,
    ...(events && { names: events }),
    ...(where && { where }),
  });

function bitsByValue(
  events: Events,
  question: RetentionRules,
  bit: string,
  { as, by }: { as: 'id' | 'key'; by: Valued },
): string {
  const bitsOf = (name: string): Kept => ({ name, aggregate: events.sql.dialect.mergeBits(bit) });
  const starts = personRows(
    chosenEvents(events, startSelection(question)),
    ['occurred_at', by.column],
    [bitsOf('starts')],
    { keys: [{ name: 'place', sql: by.place }], as },
  );
  const comingBack = chosenEvents(events, returnSelection(question));
  const returns = personRows(comingBack, ['occurred_at'], [bitsOf('returns')], { as });
  return `SELECT person, place, starts, returns
    FROM (${starts}) LEFT JOIN (${returns}) USING (person)`;
}

function bitsOfPeople(
  events: Events,
  question: RetentionRules,
  bit: string,
  as: 'id' | 'key',
): string {
  const { dialect } = events.sql;
  const [start, comingBack] = [startSelection(question), returnSelection(question)];
  const bitsOf = (selected: Selected) =>
    dialect.mergeBits(
      isAnything(selected) ? bit : `CASE WHEN ${isSelectedSql(selected, dialect)} THEN ${bit} END`,
    );
  const starts: Kept = { name: 'starts', aggregate: bitsOf(start) };
  const returns: Kept = { name: 'returns', aggregate: bitsOf(comingBack) };
  const isOne = isSame(start, comingBack);
  const columns = columnsRead(question, dialect);
  const rows = personRows(events, columns, isOne ? [starts] : [starts, returns], {
    as,
  });
  return isOne ? `SELECT *, starts AS returns FROM (${rows})` : rows;
}

/**
 * A person's intervals are bits of a number; of their first event only whether it came before all
 * of them.
 */
function byCalendar(events: Events, question: RetentionRules, { as, by }: Asked): string {
  const { boundariesUs, cohort, cohorts } = question;
  const { dialect } = events.sql;
  const before = `${dialect.sinceEpoch('occurred_at')} < ${at(boundariesUs, 0)}`;
  const bucket = `CASE WHEN ${before} THEN ${BEFORE_BIT} ELSE ${bucketSql(boundariesUs, dialect)} END`;
  const bit = dialect.bit(bucket);
  const rows = by
    ? bitsByValue(events, question, bit, { as, by })
    : bitsOfPeople(events, question, bit, as);
  const whose = by ? 'person, place' : 'person';
  const returned = dialect.bitsIn('returns', BEFORE - 1n);
  if (cohort === 'first') {
    const first = dialect.zerosBelow('starts');
    return `SELECT ${whose}, cohort, ${dialect.shiftRight('returned', 'cohort')} AS active
      FROM (SELECT ${whose}, ${returned} AS returned,
          CASE WHEN starts < ${BEFORE} THEN ${first} END AS cohort
        FROM (${rows}))`;
  }
  const each = Array.from({ length: cohorts }, (_, index) => index);
  return `SELECT ${whose}, cohort, ${dialect.shiftRight(returned, 'cohort')} AS active
    FROM (${rows}) CROSS JOIN UNNEST(ARRAY[${each.join(', ')}]) AS r(cohort)
    WHERE ${dialect.bitsIn(dialect.shiftRight('starts', 'cohort'), 1n)} = 1`;
}

function byHours(
  events: Events,
  question: RetentionRules,
  periodUs: number,
  { as, by }: Asked,
): string {
  const { boundariesUs, cohort } = question;
  const { dialect } = events.sql;
  const occurred = dialect.sinceEpoch('occurred_at');
  const columns = [...columnsRead(question, dialect), ...(by ? [by.column] : [])];
  const relation = eventRelation(events, columns, as);
  const chosen = (selected: Selected) =>
    `(SELECT * FROM ${relation} WHERE ${isSelectedSql(selected, dialect)})`;
  const whose = by ? `person, ${by.place} AS place` : 'person';
  const starts =
    cohort === 'first'
      ? `SELECT *, ${bucketSql(boundariesUs, dialect, 'started')} AS cohort
          FROM (SELECT ${whose}, min(${occurred}) AS started FROM ${chosen(startSelection(question))}
            GROUP BY ${by ? '1, 2' : '1'})`
      : `SELECT ${whose}, ${bucketSql(boundariesUs, dialect)} AS cohort, min(${occurred}) AS started
          FROM ${chosen(startSelection(question))} GROUP BY ${by ? '1, 2, 3' : '1, 2'}`;
  const period = dialect.quotient(`${occurred} - started`, periodUs);
  const place = by ? ', place' : '';
  return `SELECT s.person${place}, cohort,
      ${dialect.mergeBits(dialect.bit(`least(${period}, ${LAST_BIT})`))}
        FILTER (WHERE occurred_at IS NOT NULL) AS active
    FROM (${starts}) s LEFT JOIN ${chosen(returnSelection(question))} e
      ON e.person = s.person AND ${occurred} >= started + ${periodUs}
    GROUP BY s.person${place}, cohort`;
}

export function returnedSql(
  { criterion }: RetentionRules,
  period: number,
  sql: SqlDialect,
): string {
  const since = sql.shiftRight('active', String(period));
  return criterion === 'on' ? `${sql.bitsIn(since, 1n)} = 1` : `${since} <> 0`;
}
