import type { DuckDBConnection } from '@duckdb/node-api';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import { RECENT_NEEDS, toStoredEvent } from '../recent/latest.ts';
import { type EventSource, eventRelation } from '../source.ts';
import type { PersonAnswer, PersonQuestion } from './model.ts';

/** Everything that one person did, as it is stored, in order of receipt; reserved events too. */
export async function personEvents(
  connection: DuckDBConnection,
  source: EventSource,
  { personId, after, beforeUs, limit }: PersonQuestion,
): Promise<PersonAnswer> {
  // Files are sorted by person: with the ids that theirs can be under, most are not read at all.
  const devices = source.lateAliases.filter(({ userId }) => userId === personId);
  const ids = [personId, ...devices.map(({ anonymousId }) => anonymousId)];
  const where = `person_id IN (${textList(ids)})`;
  const relation = eventRelation(source, { columns: RECENT_NEEDS.columns, where, beforeUs });
  const onward = after
    ? `AND (arrival, batch_index) > (${after.arrival}::BIGINT, ${after.batchIndex}::INTEGER)`
    : '';
  const result = await connection.runAndReadAll(
    `SELECT *, epoch_us(occurred_at) AS occurred, epoch_us(received_at) AS received
      FROM ${relation} WHERE person = ${textLiteral(personId)} ${onward}
      ORDER BY arrival, batch_index LIMIT ${limit}`,
  );
  return {
    events: result.getRowObjects().map((row) => ({
      ...toStoredEvent(row),
      arrival: Number(row.arrival),
      batchIndex: Number(row.batch_index),
    })),
  };
}
