import { type Static, Type } from '@sinclair/typebox';
import { parser, Tolerant } from '../../../shared/schema.ts';
import { QueryFailure, type QueryFailureKind } from '../../failure/failure.ts';

const EngineError = Tolerant({
  message: Type.Optional(Type.String()),
  errorName: Type.Optional(Type.String()),
  errorType: Type.Optional(Type.String()),
});

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
    throw new QueryFailure('away', 'The engine answered something else than Trino does.', thrown);
  }
}

const TIME_LIMITS: ReadonlySet<string> = new Set([
  'EXCEEDED_TIME_LIMIT',
  'EXCEEDED_CPU_LIMIT',
  'ABANDONED_QUERY',
]);
const ENDED: ReadonlySet<string> = new Set([
  'USER_CANCELED',
  'ADMINISTRATIVELY_KILLED',
  'ADMINISTRATIVELY_PREEMPTED',
]);
/**
 * Passes, or is the operator's to mend: the engine is busy, lacks tables or rights, or the snapshot
 * (INVALID_ARGUMENTS).
 */
const AWAY: ReadonlySet<string> = new Set([
  'QUERY_QUEUE_FULL',
  'CATALOG_NOT_FOUND',
  'SCHEMA_NOT_FOUND',
  'TABLE_NOT_FOUND',
  'PERMISSION_DENIED',
  'INVALID_ARGUMENTS',
]);

function failureKind({
  errorName = '',
  errorType = '',
}: Static<typeof EngineError>): QueryFailureKind {
  if (TIME_LIMITS.has(errorName)) return 'timeout';
  if (ENDED.has(errorName)) return 'stopped';
  if (AWAY.has(errorName)) return 'away';
  if (errorType === 'INSUFFICIENT_RESOURCES') return 'memory';
  // A statement that it does not understand is a fault of ours.
  return errorType === 'USER_ERROR' ? 'failed' : 'away';
}

export function toQueryFailure(error: Static<typeof EngineError>): QueryFailure {
  const { errorName = 'an error', message = '' } = error;
  return new QueryFailure(failureKind(error), `The engine says ${errorName}: ${message}`);
}
