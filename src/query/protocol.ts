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

export const queryReply = parser(QueryReply, 'reply of a query process');

export { querySocket } from '../shared/query-socket.ts';
