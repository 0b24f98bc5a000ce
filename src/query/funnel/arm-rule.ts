import { MINUTE_MS } from '../../shared/time.ts';
import type { FoldRules } from './fold.ts';

/**
 * The conversion of an experiment: docs/experiments.md. Ten minutes forgive a slow clock, the order
 * of receipt a fast one; late events of long ago fail both. Each condition is on one event, so it
 * clears a bit of that event's mask.
 */
const SLOW_CLOCK_US = 10 * MINUTE_MS * 1_000;

export const ARMS_TABLE = 'experiment_arms';

/** For people with no arm, several, or one too late for their path. */
export const NO_ARM = 'none';
export const NO_ARM_CODE = 1;

/** Receipt of an event; arrival is the tie-breaker of batches of one millisecond. */
export const RECEIPT_SQL = "{'at': epoch_us(received_at), 'arrival': arrival}";

/** `exposed` is null without an arm. */
export function withArmSql(relation: string, exposedOnly: boolean): string {
  return `(SELECT s.*, coalesce(a.arm, '${NO_ARM}') AS arm, a.exposed FROM ${relation} s
    ${exposedOnly ? '' : 'LEFT '}JOIN ${ARMS_TABLE} a ON a.person = s.person AND a.seen = 1)`;
}

function receivedInTimeSql(horizonUs: number | undefined): string {
  const after = `${RECEIPT_SQL} > exposed`;
  if (horizonUs === undefined) return after;
  return `${after} AND epoch_us(received_at) <= exposed.at + ${horizonUs}`;
}

export function doneAfterSql(horizonUs: number | undefined): string {
  return `epoch_us(occurred_at) >= exposed.at - ${SLOW_CLOCK_US} AND ${receivedInTimeSql(horizonUs)}`;
}

/** 0 for people in no arm. */
export function armMaskSql(mask: string, fold: FoldRules, horizonUs?: number): string {
  const last = 1 << (fold.stepCount - 1);
  const tooEarly = `epoch_us(occurred_at) < exposed.at - ${fold.windowUs}`;
  return `(CASE WHEN exposed IS NULL THEN 0 ELSE ${mask}
    & CASE WHEN ${tooEarly} THEN ~1 ELSE ~0 END
    & CASE WHEN ${doneAfterSql(horizonUs)} THEN ~0 ELSE ~${last} END END)`;
}

export function armValuesSql(): string {
  return `SELECT (row_number() OVER (ORDER BY value <> '${NO_ARM}', value))::INTEGER AS code, value
    FROM (SELECT '${NO_ARM}' AS value UNION SELECT arm FROM ${ARMS_TABLE} WHERE seen = 1)`;
}
