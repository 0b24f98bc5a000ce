import type { DuckDBConnection } from '@duckdb/node-api';
import { EXPOSURE_EVENT } from '../../modules/experiments/exposure.ts';
import { propertyMatchSql, propertyTextSql } from '../property.ts';
import { type EventSource, eventRelation } from '../source.ts';

/** One row a person who was exposed: the arm, since when, and how many arms they saw. */
export const ARMS_TABLE = 'experiment_arms';

export type Exposures = { experimentId: string; exposedFromUs: number };

export type ArmPeople = {
  /** People of each arm, by its id; those who saw several arms are in none. */
  people: Map<string, number>;
  mixed: number;
};

/** Makes the table for one query. Who saw two arms (by signing in on two devices) tells nothing. */
export async function loadArms(
  connection: DuckDBConnection,
  source: EventSource,
  { experimentId, exposedFromUs }: Exposures,
  beforeUs: number,
): Promise<ArmPeople> {
  const exposures = eventRelation(source, {
    columns: ['props', 'occurred_at'],
    names: [EXPOSURE_EVENT],
    where: propertyMatchSql({ prop: 'experiment', equals: experimentId }),
    fromUs: exposedFromUs,
    beforeUs,
  });
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ARMS_TABLE} AS
    SELECT person, min(arm) AS arm, count(DISTINCT arm) AS seen, min(occurred_at) AS exposed_at
    FROM (SELECT person, occurred_at, ${propertyTextSql('arm')} AS arm FROM ${exposures})
    GROUP BY person`);
  const result = await connection.run(
    `SELECT seen > 1, arm, count(*)::INTEGER FROM ${ARMS_TABLE} GROUP BY ALL`,
  );
  const people = new Map<string, number>();
  let mixed = 0;
  for (const [several, arm, count] of await result.getRows()) {
    if (several) mixed += Number(count);
    else people.set(String(arm), Number(count));
  }
  return { people, mixed };
}

/**
 * Adds the column `arm` to a relation with `person` and `occurred_at`: what the person had been
 * dealt by then, `none` for others, who are left out with `exposedOnly`.
 */
export function withArmSql(relation: string, exposedOnly: boolean): string {
  return `(SELECT s.*, coalesce(a.arm, 'none') AS arm FROM ${relation} s
    ${exposedOnly ? '' : 'LEFT '}JOIN ${ARMS_TABLE} a
    ON a.person = s.person AND a.seen = 1 AND a.exposed_at <= s.occurred_at)`;
}
