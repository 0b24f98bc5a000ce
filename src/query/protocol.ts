import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../shared/schema.ts';
import { QUERY_FAULTS } from './fault.ts';

/**
 * Between the API and the query processes: HTTP over a unix socket, one POST a question, the kind
 * of the question in the path.
 */
export const QUERY_KINDS = ['funnel', 'funnel-people'] as const;
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

/** Answers hold at most 1,000 people or 20 values by 12 steps. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;
