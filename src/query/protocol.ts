import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../shared/schema.ts';
import { QUERY_FAULTS } from './fault.ts';

/**
 * Between the API and the query processes: HTTP over a unix socket, one POST a question, the kind
 * of the question in the path.
 */
export const QUERY_KINDS = [
  'funnel',
  'funnel-people',
  'summary',
  'recent',
  'person',
  'experiment',
] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

export const QueryReply = Type.Union([
  Type.Object({ answer: Type.Unknown() }),
  Type.Object({ fault: OneOf(QUERY_FAULTS), message: Type.String() }),
]);
export type QueryReply = Static<typeof QueryReply>;

export const queryReply = parser(QueryReply, 'reply of a query process');

/** Where query process `index` of this host listens. */
export function querySocket(runDir: string, index: number): string {
  return join(runDir, `query-${index}.sock`);
}
