import type { DuckDBConnection } from '@duckdb/node-api';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import type { QueryRun } from '../reading/run.ts';
import { selectEvents } from '../reading/source/events.ts';
import { DUCKDB } from '../selection/property.ts';
import { named } from '../selection/selection.ts';
import { ARMS_TABLE, doneAfterSql, RECEIPT_SQL, withArmSql } from './arm-rule.ts';
import type { Step } from './model.ts';
import { ARM_COLUMNS } from './plan.ts';
import { selectedBy } from './steps.ts';

export type Exposures = { experimentId: string; exposedFromUs: number };

export type ArmPeople = {
  people: Map<string, number>;
  mixed: number;
  /** Shown an arm by hand; they are in no arm and not among the mixed. */
  overridden: number;
};

const OVERRIDDEN_SQL = DUCKDB.text('overridden');

/** People who have `seen` two arms, from two devices, or one by hand are in none. */
export function armsSql(
  source: QueryRun['source'],
  { experimentId, exposedFromUs }: Exposures,
  beforeUs: number,
): string {
  const exposed = selectEvents(source, {
    names: [EXPOSURE_EVENT],
    filters: { property: { prop: 'experiment', equals: experimentId } },
    fromUs: exposedFromUs,
    beforeUs,
  });
  const exposures = eventRelation(exposed, ['props', ...ARM_COLUMNS]);
  return `SELECT person, min(arm) AS arm, count(DISTINCT arm) AS seen, min(receipt) AS exposed,
      bool_or(by_hand) AS overridden
    FROM (SELECT person, ${RECEIPT_SQL} AS receipt, ${DUCKDB.text('arm')} AS arm,
        ${OVERRIDDEN_SQL} IS NOT NULL AS by_hand
      FROM ${exposures})
    GROUP BY person`;
}

export async function loadArms(
  { connection, source }: QueryRun,
  exposures: Exposures,
  beforeUs: number,
): Promise<ArmPeople> {
  const arms = armsSql(source, exposures, beforeUs);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ARMS_TABLE} AS ${arms}`);
  const overridden = await connection.run(
    `DELETE FROM ${ARMS_TABLE} WHERE overridden RETURNING person`,
  );
  const mixed = await connection.run(`SELECT count(*)::INTEGER FROM ${ARMS_TABLE} WHERE seen > 1`);
  return {
    people: await peopleByArm(connection),
    mixed: Number((await mixed.getRows())[0]?.[0]),
    overridden: (await overridden.getRows()).length,
  };
}

async function peopleByArm(connection: DuckDBConnection): Promise<Map<string, number>> {
  const result = await connection.run(
    `SELECT arm, count(*)::INTEGER FROM ${ARMS_TABLE} WHERE seen = 1 GROUP BY arm`,
  );
  const rows = await result.getRows();
  return new Map(rows.map(([arm, count]) => [String(arm), Number(count)]));
}

export async function keepExposedBefore(
  connection: DuckDBConnection,
  beforeUs: number,
): Promise<Map<string, number>> {
  await connection.run(`DELETE FROM ${ARMS_TABLE} WHERE exposed.at >= ${beforeUs}`);
  return peopleByArm(connection);
}

export async function peopleWhoDid(
  { connection, source }: QueryRun,
  step: Step,
  horizonUs: number,
): Promise<Map<string, number>> {
  const { events: names, where } = selectedBy(step);
  const done = { ...named(names ?? null), ...(where && { where }) };
  const events = eventRelation(selectEvents(source, done), ['occurred_at', ...ARM_COLUMNS]);
  const result = await connection.run(`SELECT arm, count(DISTINCT person)::INTEGER
    FROM ${withArmSql(events, true)} WHERE ${doneAfterSql(horizonUs)} GROUP BY arm`);
  const rows = await result.getRows();
  return new Map(rows.map(([arm, count]) => [String(arm), Number(count)]));
}
