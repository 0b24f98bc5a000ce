import type { DeviceContext } from '../../../context.ts';
import { selectKnownIds } from '../../../event-store/people.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { type Ids, namedIds } from '../../../shared/identity.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import { withTimeout } from '../../../shared/timeout.ts';

const WAIT_MS = 2 * SECOND_MS;

type Known = Awaited<ReturnType<typeof selectKnownIds>>;

export type Join = { event: Ids; isOpen: boolean };

function settled({ event, isOpen }: Join, known: Known): Ids {
  const { anonymousId: one, userId: other = '' } = event;
  const [ofOne, ofOther] = [known.get(one), known.get(other)];
  if (ofOne?.isUser && ofOther?.isUser) return namedIds({ user: other });
  if (!isOpen || ofOther?.isUser) return { anonymousId: one, userId: other };
  if (ofOne?.isUser) return { anonymousId: other, userId: one };
  if (ofOne?.userOf) return { anonymousId: other, userId: ofOne.userOf };
  return { anonymousId: one, userId: ofOther?.userOf ?? other };
}

export async function settleJoins(
  { deps, orgId, appId }: DeviceContext<'log' | 'sql'>,
  joins: readonly Join[],
): Promise<void> {
  if (joins.length === 0) return;
  const ids = joins.flatMap(({ event: { anonymousId, userId = '' } }) => [anonymousId, userId]);
  try {
    const asked = selectKnownIds(deps.sql, { orgId, appId }, [...new Set(ids)]);
    const known = await withTimeout(asked, WAIT_MS);
    for (const join of joins) Object.assign(join.event, settled(join, known));
  } catch (thrown) {
    deps.log.warn({ err: errorMessage(thrown) }, 'joined ids could not be looked up');
  }
}
