import { AppError } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { DestinationKind } from './destination.model.ts';

export type Outcome =
  | { kind: 'sent' }
  /** For good: the address is gone, or may not be reached. */
  | { kind: 'gone'; reason: string }
  | { kind: 'retry'; reason: string; retryAfterSeconds: number | null }
  /** It may have arrived. */
  | { kind: 'unknown'; reason: string };

/** Longer than any attempt. */
export const CLAIM_SECONDS = 60;

/** Mail by its Message-ID, JSON by its `webhook-id`; chats do not. */
const RECOGNIZES_REPETITIONS: ReadonlySet<DestinationKind> = new Set(['mail', 'json']);
const MOST_REPEATS_IN_CHAT = 1;

export type PostState = {
  state: 'pending' | 'sent' | 'failed';
  error: string | null;
  repeats: number;
};

/** After an attempt with an unknown outcome. */
export const mayRepeat = (kind: DestinationKind, repeats: number): boolean =>
  RECOGNIZES_REPETITIONS.has(kind) || repeats <= MOST_REPEATS_IN_CHAT;

export function afterAttempt(kind: DestinationKind, repeats: number, outcome: Outcome): PostState {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'sent', error: null, repeats };
    case 'gone':
      return { state: 'failed', error: outcome.reason, repeats };
    case 'retry':
      return { state: 'pending', error: outcome.reason, repeats };
    case 'unknown': {
      const state = mayRepeat(kind, repeats + 1) ? 'pending' : 'failed';
      return { state, error: outcome.reason, repeats: repeats + 1 };
    }
  }
}

export function retryError(outcome: Outcome): AppError {
  if (outcome.kind === 'retry' && outcome.retryAfterSeconds !== null) {
    const { reason, retryAfterSeconds } = outcome;
    return new AppError('rate_limited', reason, { retryAfterSeconds });
  }
  return new AppError('unavailable', outcome.kind === 'sent' ? '' : outcome.reason);
}

export type ClaimTimes = {
  at: Date;
  /** Claims before this belong to workers that died. */
  staleBefore: Date;
};

export const staleClaim = (now: Date): Date => new Date(now.getTime() - CLAIM_SECONDS * SECOND_MS);

/** The other worker may have died: its claim is stale by then. */
export const beingPosted = (): AppError =>
  new AppError('unavailable', 'Another worker is posting it.', {
    retryAfterSeconds: CLAIM_SECONDS,
  });
