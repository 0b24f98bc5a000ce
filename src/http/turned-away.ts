import { AppError, type ErrorCode } from '../shared/errors.ts';
import type { Access } from './access.ts';
import type { Caller } from './authenticate.ts';
import { identify } from './guard.ts';
import type { RequestState } from './state.ts';

/** Refusals before the handler, which counts its own. */
const REASONS: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
];

function count({ deps, rawBody }: RequestState, caller: Caller | null, error: AppError): void {
  if (caller?.kind !== 'device') return;
  const said = rawBody || (error.hint ?? '');
  const nowMs = deps.clock().getTime();
  deps.events.rejections.add(caller, error.code, said || null, nowMs);
}

const isOfBatch = (access: Access, error: unknown): error is AppError =>
  access.countsRejections === true && error instanceof AppError && REASONS.includes(error.code);

export function countTurnedAway(state: RequestState, access: Access, error: unknown): void {
  if (isOfBatch(access, error)) count(state, state.caller, error);
}

/** Before authentication. */
export async function countUnread(
  state: RequestState,
  access: Access,
  headers: Headers,
  error: unknown,
): Promise<void> {
  if (!isOfBatch(access, error)) return;
  const caller = await identify(state, access, headers).catch(() => null);
  count(state, caller, error);
}
