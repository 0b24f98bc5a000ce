import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../shared/schema.ts';
import { QUERY_FAILURES } from './failure/failure.ts';
import { QUERY_FORMS } from './reading/run.ts';
import { CountedFrom } from './selection/provenance.ts';

export const QueryReply = Type.Union([
  Type.Object({
    answer: Type.Unknown(),
    form: Type.Optional(OneOf(QUERY_FORMS)),
    ...CountedFrom.properties,
  }),
  Type.Object({ fault: OneOf(QUERY_FAILURES), message: Type.String() }),
]);
export type QueryReply = Static<typeof QueryReply>;

const IN_LAKE = 'lake/';

export const lakePath = (kind: string): string => `${IN_LAKE}${kind}`;

export function parsePath(path: string): { kind: string; isForLake: boolean } {
  const isForLake = path.startsWith(IN_LAKE);
  return { kind: isForLake ? path.slice(IN_LAKE.length) : path, isForLake };
}

export const queryReply = parser(QueryReply, 'reply of a query process');

export { querySocket } from '../shared/query-socket.ts';
