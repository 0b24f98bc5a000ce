import { AppError } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { DestinationKind } from './model.ts';

/** What came of one attempt at a destination. */
export type Outcome =
  | { kind: 'sent' }
  /** Never again: the address is not there any more, or may not be reached. */
  | { kind: 'gone'; reason: string }
  | { kind: 'retry'; reason: string; retryAfterSeconds: number | null }
  /** Nobody knows whether it arrived. */
  | { kind: 'unknown'; reason: string };

/** A worker that posts has ended by then, one way or the other. */
export const CLAIM_SECONDS = 60;

/** Mail is known again by its Message-ID, JSON by its `webhook-id`; chats know no repetition. */
const KNOWS_REPETITIONS: ReadonlySet<DestinationKind> = new Set(['mail', 'json']);
/** A chat may get a message twice rather than not at all, but never more often. */
const MOST_REPEATS_IN_CHAT = 1;

export type PostState = {
  state: 'pending' | 'sent' | 'failed';
  error: string | null;
  repeats: number;
};

/** Whether a post of which nobody knows whether it arrived may be made once more. */
export const mayRepeat = (kind: DestinationKind, repeats: number): boolean =>
  KNOWS_REPETITIONS.has(kind) || repeats <= MOST_REPEATS_IN_CHAT;

/** What a post is after an attempt. */
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

/** Has the attempt made again: when the receiver says, or by the run's own pauses. */
export function retryError(outcome: Outcome): AppError {
  if (outcome.kind === 'retry' && outcome.retryAfterSeconds !== null) {
    const { reason, retryAfterSeconds } = outcome;
    return new AppError('rate_limited', reason, { retryAfterSeconds });
  }
  return new AppError('unavailable', outcome.kind === 'sent' ? '' : outcome.reason);
}

/** Claims made before this are of workers that died. */
export const staleClaim = (now: Date): Date => new Date(now.getTime() - CLAIM_SECONDS * SECOND_MS);

/** Another worker is posting, or has died while it did: by then it is known. */
export const beingPosted = (): AppError =>
  new AppError('unavailable', 'Another worker is posting it.', {
    retryAfterSeconds: CLAIM_SECONDS,
  });
