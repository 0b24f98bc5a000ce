import type { Deps } from '../../context.ts';
import { deliver } from './deliver.ts';
import type { Outgoing } from './formats.ts';
import { afterAttempt, mayRepeat, type PostState, retryError } from './posts.ts';
import { markGone, type SealedDestination } from './queries.ts';

type Attempt = {
  destination: SealedDestination & { orgId: string; destinationId: string };
  /** How often nobody knew whether it had arrived. */
  repeats: number;
  outgoing: Outgoing;
  settle: (state: PostState) => Promise<void>;
};

/**
 * Makes a claimed post and keeps what came of it. At least once where the receiver knows a
 * repetition, mail and JSON; a chat, which knows none, gets an uncertain post once more and never
 * again. Throws `unavailable` or `rate_limited` for one that is to be made again.
 */
export async function attemptPost(
  deps: Pick<Deps, 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  { destination, repeats, outgoing, settle }: Attempt,
): Promise<void> {
  const { kind } = destination;
  if (!mayRepeat(kind, repeats)) {
    await settle({ state: 'failed', error: 'Nobody knows whether it arrived.', repeats });
    return;
  }
  const outcome = await deliver(deps, destination, outgoing);
  const after = afterAttempt(kind, repeats, outcome);
  await settle(after);
  if (outcome.kind === 'gone') await markGone(deps.sql, destination, outcome.reason);
  if (after.state === 'pending') throw retryError(outcome);
}
