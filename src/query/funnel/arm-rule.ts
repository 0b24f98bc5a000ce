import { MINUTE_MS } from '../../shared/time.ts';
import type { FoldRules } from './fold.ts';

/**
 * What an experiment counts (docs/experiments.md). A person who saw one arm, first at E (the time of
 * receipt of `$exposure`), has converted when there is a path through the funnel, by the rules of
 * funnels, on which
 *
 * - step 1 occurred at most the conversion window before E, or after it, and
 * - the last step occurred after E less ten minutes and was received after the exposure.
 *
 * Steps between are free. Devices tell when something occurred and this service when it was
 * received: the ten minutes forgive a slow clock, the order of receipt a fast one, and an event of
 * long ago that waited in a queue is too old for either.
 *
 * With a horizon the last step was also received within that time of the exposure: one clock, the
 * service's, so that what a person did is settled once their time is over.
 *
 * Each condition is on one event, so it takes the bit of step 1 or of the last step out of the
 * event's mask, and the fold then finds the path as always: the furthest step, from the most recent
 * start.
 */
const SLOW_CLOCK_US = 10 * MINUTE_MS * 1_000;

/** One row a person who was exposed: the arm, since when, and how many arms they saw. */
export const ARMS_TABLE = 'experiment_arms';

/** The arm of people who saw no arm, several, or one too late for their path. */
export const NO_ARM = 'none';
/** Its code among the values of a breakdown. */
export const NO_ARM_CODE = 1;

/** Receipt of an event; arrival is the tie-breaker of batches of one millisecond. */
export const RECEIPT_SQL = "{'at': epoch_us(received_at), 'arrival': arrival}";

/**
 * Adds the columns `arm` and `exposed` (null without an arm) to a relation with `person`; people
 * in no arm are left out with `exposedOnly`.
 */
export function withArmSql(relation: string, exposedOnly: boolean): string {
  return `(SELECT s.*, coalesce(a.arm, '${NO_ARM}') AS arm, a.exposed FROM ${relation} s
    ${exposedOnly ? '' : 'LEFT '}JOIN ${ARMS_TABLE} a ON a.person = s.person AND a.seen = 1)`;
}

/** Whether an event of `withArmSql` was received after the exposure and within the horizon. */
function receivedInTimeSql(horizonUs: number | undefined): string {
  const after = `${RECEIPT_SQL} > exposed`;
  if (horizonUs === undefined) return after;
  return `${after} AND epoch_us(received_at) <= exposed.at + ${horizonUs}`;
}

/** Whether an event of `withArmSql` counts as done after the exposure. */
export function doneAfterSql(horizonUs: number | undefined): string {
  return `epoch_us(occurred_at) >= exposed.at - ${SLOW_CLOCK_US} AND ${receivedInTimeSql(horizonUs)}`;
}

/** The mask of an event of `withArmSql` by the rule above; 0 for people in no arm. */
export function armMaskSql(mask: string, fold: FoldRules, horizonUs?: number): string {
  const last = 1 << (fold.stepCount - 1);
  const tooEarly = `epoch_us(occurred_at) < exposed.at - ${fold.windowUs}`;
  return `(CASE WHEN exposed IS NULL THEN 0 ELSE ${mask}
    & CASE WHEN ${tooEarly} THEN ~1 ELSE ~0 END
    & CASE WHEN ${doneAfterSql(horizonUs)} THEN ~0 ELSE ~${last} END END)`;
}

/** The values of a breakdown by arm, numbered. */
export function armValuesSql(): string {
  return `SELECT (row_number() OVER (ORDER BY value <> '${NO_ARM}', value))::INTEGER AS code, value
    FROM (SELECT '${NO_ARM}' AS value UNION SELECT arm FROM ${ARMS_TABLE} WHERE seen = 1)`;
}
