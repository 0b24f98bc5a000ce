import { type Static, Type } from '@sinclair/typebox';
import { parser, Tolerant } from '../../shared/schema.ts';
import { QueryFault, type QueryFaultKind } from '../fault.ts';

const EngineError = Tolerant({
  message: Type.Optional(Type.String()),
  errorName: Type.Optional(Type.String()),
  errorType: Type.Optional(Type.String()),
});

/** What Trino answers to a statement and to each of its pages. */
const Page = Tolerant({
  nextUri: Type.Optional(Type.String()),
  columns: Type.Optional(Type.Array(Tolerant({ name: Type.String() }))),
  data: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
  error: Type.Optional(EngineError),
  stats: Tolerant({ state: Type.String() }),
});
export type Page = Static<typeof Page>;

const page = parser(Page, 'page of Trino');

export function parsePage(text: string): Page {
  try {
    return page.parse(JSON.parse(text));
  } catch (thrown) {
    throw new QueryFault('away', 'The engine answered something else than Trino does.', thrown);
  }
}

const TIME_LIMITS: ReadonlySet<string> = new Set([
  'EXCEEDED_TIME_LIMIT',
  'EXCEEDED_CPU_LIMIT',
  'ABANDONED_QUERY',
]);
/** The operator's to set right: the engine does not see the tables, or may not. */
const SET_UP: ReadonlySet<string> = new Set([
  'CATALOG_NOT_FOUND',
  'SCHEMA_NOT_FOUND',
  'TABLE_NOT_FOUND',
  'PERMISSION_DENIED',
]);

function kindOf({ errorName = '', errorType = '' }: Static<typeof EngineError>): QueryFaultKind {
  if (TIME_LIMITS.has(errorName)) return 'timeout';
  if (errorName === 'USER_CANCELED' || errorName === 'ADMINISTRATIVELY_KILLED') return 'stopped';
  if (errorType === 'INSUFFICIENT_RESOURCES') return 'memory';
  // A statement that it does not understand is a fault of ours.
  return errorType === 'USER_ERROR' && !SET_UP.has(errorName) ? 'failed' : 'away';
}

export function faultOf(error: Static<typeof EngineError>): QueryFault {
  const { errorName = 'an error', message = '' } = error;
  return new QueryFault(kindOf(error), `The engine says ${errorName}: ${message}`);
}
