import { Type } from '@sinclair/typebox';
import { onlyRow } from '../../shared/assert.ts';
import { parser } from '../../shared/schema.ts';
import { countedEvents } from '../reading/duckdb/relation.ts';
import type { QueryRun } from '../reading/run.ts';
import { tallyEvents } from '../reading/tally.ts';
import { jsonTextSql } from '../selection/property.ts';
import * as model from './model.ts';

export async function listNames(run: QueryRun): Promise<model.NamesAnswer> {
  const { names } = await tallyEvents(run);
  const byEvents = [...names].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { names: byEvents.slice(0, model.MAX_NAMES).map(([name]) => name) };
}

export async function findFirstEvent(run: QueryRun): Promise<model.FirstEventAnswer> {
  const events = countedEvents(run, ['occurred_at']);
  const result = await run.connection.run(`SELECT epoch_us(min(occurred_at)) FROM ${events}`);
  const [first] = onlyRow(await result.getRows());
  return { firstAtUs: first == null ? null : Number(first) };
}

const found = parser(
  Type.Array(model.PropertiesAnswer.properties.properties.items),
  'properties of events',
);

export async function listProperties(run: QueryRun): Promise<model.PropertiesAnswer> {
  const events = countedEvents(run, ['arrival', 'props']);
  await run.connection.run(`CREATE OR REPLACE TEMP TABLE last_props AS
    SELECT props FROM ${events} ORDER BY arrival DESC LIMIT ${model.MAX_PROPERTY_EVENTS}`);
  const result = await run.connection.runAndReadAll(
    `WITH members AS (
        SELECT unnest(json_keys(props)) AS name, unnest(json_extract(props, '$.*')) AS value, events
        FROM (SELECT props::JSON AS props, count(*) AS events FROM last_props
          WHERE props IS NOT NULL GROUP BY ALL)),
      valued AS (
        SELECT name, coalesce(${jsonTextSql("(value ->> '$')", 'json_type(value)')}, 'null') AS value, sum(events)::DOUBLE AS events,
          list(DISTINCT CASE json_type(value) WHEN 'VARCHAR' THEN 'string'
            WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' ELSE 'number' END) AS types
        FROM members GROUP BY ALL),
      ranked AS (
        SELECT *, row_number() OVER (PARTITION BY name ORDER BY events DESC, value) AS place
        FROM valued)
      SELECT to_json({name: name, events: sum(events),
        types: list_sort(list_distinct(flatten(list(types)))),
        "values": coalesce(list({value: value, events: events} ORDER BY place)
          FILTER (WHERE place <= ${model.MAX_PROPERTY_VALUES}), [])}) AS property
      FROM ranked GROUP BY name ORDER BY sum(events) DESC, name LIMIT ${model.MAX_PROPERTIES}`,
  );
  const counted = await run.connection.runAndReadAll('SELECT count(*) FROM last_props');
  return {
    dataThroughMs: run.source.dataThroughMs,
    events: Number(onlyRow(counted.getRows())[0]),
    properties: found.parse(result.getRows().map(([property]) => JSON.parse(String(property)))),
  };
}
