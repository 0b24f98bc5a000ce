import { eventRelation } from '../reading/duckdb/relation.ts';
import { type Events, selectEvents } from '../reading/source/events.ts';
import { type Dimension, dimensionSql } from '../selection/dimension.ts';
import { armValuesSql, withArmSql } from './arm-rule.ts';
import type { ArmBreakdown } from './model.ts';
import { MAX_COUNTED_VALUES } from './outcomes.ts';
import { ANY_STEP, packedTimeSql } from './packed.ts';
import { type FunnelPlan, ARM_COLUMNS } from './plan.ts';

/** Arrivals are microseconds (51 bits) and batches have at most 100 events. */
const ARRIVAL_BITS = 52;
/** Tie-breaker of events at one instant: the order within the batch, then arrival. */
const TRUE_ORDER_SQL = `((batch_index::BIGINT << ${ARRIVAL_BITS}) | arrival)`;
export const ORDER_COLUMNS = ['batch_index', 'arrival'];

export const VALUES_TABLE = 'breakdown_values';
const VALUED_EVENTS = 'valued_events';

/** `sql`: a row a person, their packed step events as the list `events`. */
export type Lists = { tables: readonly string[]; sql: string };

export function stepEvents(
  events: Events,
  { columns, newPeopleOnly }: FunnelPlan,
  more: readonly string[],
  person: 'id' | 'key',
): string {
  const found = eventRelation(events, [...columns, ...more], person);
  if (!newPeopleOnly) return found;
  const before = selectEvents(events.source, {
    ofClients: true,
    beforeUs: events.selection.fromUs ?? 0,
  });
  const seen = `SELECT 1 FROM ${eventRelation(before, [], person)} b WHERE b.person = e.person`;
  return `(SELECT * FROM ${found} e WHERE NOT EXISTS (${seen}))`;
}

const structSql = (packed: string, code: string, order = TRUE_ORDER_SQL) =>
  `e: ${packed}, o: ${order}, c: ${code}`;

function armLists(events: Events, plan: FunnelPlan, by: ArmBreakdown): Lists {
  const relation = stepEvents(events, plan, [...ORDER_COLUMNS, ...ARM_COLUMNS], 'id');
  return {
    tables: [`CREATE OR REPLACE TEMP TABLE ${VALUES_TABLE} AS ${armValuesSql()}`],
    sql: `SELECT list({${structSql(plan.packed, 'coalesce(v.code, 0)')}, a: ${plan.inArm}}) AS events
      FROM ${withArmSql(relation, by.exposedOnly)} LEFT JOIN ${VALUES_TABLE} v ON v.value = arm
      GROUP BY person`,
  };
}

/** Files are read once. */
function valuedLists(events: Events, plan: FunnelPlan, by: Dimension): Lists {
  const { column, value } = dimensionSql(by);
  const relation = stepEvents(events, plan, [...ORDER_COLUMNS, column], 'key');
  return {
    tables: [
      `CREATE OR REPLACE TEMP TABLE ${VALUED_EVENTS} AS
        SELECT person, packed, true_order,
          CASE WHEN packed & ${plan.fold.isAnyOrder ? ANY_STEP : 1} <> 0 THEN ${value} END AS value
        FROM (SELECT person, ${plan.packed} AS packed, ${TRUE_ORDER_SQL} AS true_order, ${column}
          FROM ${relation})`,
      `CREATE OR REPLACE TEMP TABLE ${VALUES_TABLE} AS
        SELECT (row_number() OVER (ORDER BY seen DESC, value))::INTEGER AS code, value FROM (
          SELECT value, count(*) AS seen FROM ${VALUED_EVENTS}
          WHERE value IS NOT NULL AND ${packedTimeSql('packed')} < ${plan.fold.startBeforeUs}
          GROUP BY value ORDER BY seen DESC, value LIMIT ${MAX_COUNTED_VALUES})`,
    ],
    sql: `SELECT list({${structSql('packed', 'coalesce(v.code, 0)', 'true_order')}}) AS events
      FROM ${VALUED_EVENTS} e LEFT JOIN ${VALUES_TABLE} v USING (value) GROUP BY person`,
  };
}

export function personLists(events: Events, plan: FunnelPlan): Lists {
  const relation = stepEvents(events, plan, ORDER_COLUMNS, 'id');
  const list = `list({${structSql(plan.packed, '0')}})`;
  return { tables: [], sql: `SELECT ${list} AS events, person FROM ${relation} GROUP BY person` };
}

export function countedLists(events: Events, plan: FunnelPlan): Lists {
  const { breakdown, packed, isFiltered } = plan;
  if (breakdown === null) {
    const list = isFiltered ? `list({${structSql(packed, '0')}})` : `list(${packed})`;
    const relation = stepEvents(events, plan, isFiltered ? ORDER_COLUMNS : [], 'key');
    return { tables: [], sql: `SELECT ${list} AS events FROM ${relation} GROUP BY person` };
  }
  if (breakdown.kind !== 'arm') return valuedLists(events, plan, breakdown);
  return armLists(events, plan, breakdown);
}
