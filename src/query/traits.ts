import type { DuckDBConnection } from '@duckdb/node-api';
import { personKeySql } from '../event-store/read.ts';
import { armsSql } from './funnel/arms.ts';
import { ARM_COLUMNS } from './funnel/plan.ts';
import { loadDevices } from './memberships.ts';
import { firstSql, ORDER_COLUMNS } from './reading/duckdb/first-event.ts';
import { eventRelation } from './reading/duckdb/relation.ts';
import { loadTables } from './reading/duckdb/tables.ts';
import { type EventSource, selectEvents } from './reading/source/events.ts';
import { dimensionSql, type Trait, traitColumn } from './selection/dimension.ts';
import { ROW_COLUMNS } from './selection/member-sql.ts';
import type { AppSelection } from './selection/selection.ts';

const PEOPLE = 'people_of_trait';

const traitColumns = (by: Trait): string[] =>
  by.kind === 'first'
    ? [...ORDER_COLUMNS, dimensionSql(by.of).column]
    : ['occurred_at', 'props', ...ARM_COLUMNS];

function peopleSql(all: EventSource, by: Trait): string {
  if (by.kind === 'inArm') {
    return `SELECT person, arm AS text FROM (${armsSql(all, by, by.exposedBeforeUs)})
      WHERE seen = 1 AND NOT overridden`;
  }
  const { column, value } = dimensionSql(by.of);
  const events = eventRelation(selectEvents(all, { ofClients: true }), traitColumns(by));
  const first = `SELECT person, ${firstSql(column)} AS first FROM ${events} GROUP BY person`;
  return `SELECT person, ${value} AS text FROM
    (SELECT person, first.value AS ${column} FROM (${first}))`;
}

export function sourceOfTraits(selection: AppSelection): AppSelection {
  const { traits = [], beforeUs } = selection;
  if (traits.length === 0) return selection;
  const ends = traits.map((by) => (by.kind === 'first' ? beforeUs : by.exposedBeforeUs));
  return { ...selection, fromUs: 0, beforeUs: Math.max(beforeUs, ...ends) };
}

export async function loadTraits(
  connection: DuckDBConnection,
  source: EventSource,
  traits: readonly Trait[],
): Promise<void> {
  if (traits.length === 0) return;
  await loadTables(connection, source, {
    columns: ['name', ...ROW_COLUMNS, ...traits.flatMap(traitColumns)],
  });
  const devices = await loadDevices(connection, source);
  for (const by of traits) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${PEOPLE} AS ${peopleSql(source, by)}`);
    const own = `${personKeySql('person')} AS person`;
    const later = `${personKeySql('device')} AS person`;
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${traitColumn(by)} AS
      SELECT ${own}, false AS is_device, text FROM ${PEOPLE}
      UNION ALL SELECT ${own}, true, text FROM ${PEOPLE}
        WHERE person NOT IN (SELECT device FROM ${devices})
      UNION ALL SELECT ${later}, true, text FROM ${devices} JOIN ${PEOPLE} ON user_id = person`);
  }
}
