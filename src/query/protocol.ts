import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../shared/schema.ts';
import { QUERY_FAILURES } from './failure.ts';

/** HTTP over a unix socket, one POST a question, the kind of the question in the path. */
export const QueryReply = Type.Union([
  Type.Object({ answer: Type.Unknown() }),
  Type.Object({ fault: OneOf(QUERY_FAILURES), message: Type.String() }),
]);
export type QueryReply = Static<typeof QueryReply>;

export const queryReply = parser(QueryReply, 'reply of a query process');

/** Where query process `index` of this host listens. */
export function querySocket(runDir: string, index: number): string {
  return join(runDir, `query-${index}.sock`);
}
