import { LRUCache } from 'lru-cache';
import type { Deps } from '../../context.ts';
import { selectKnownIds } from '../../event-store/people.ts';
import type { AppScope } from '../../shared/app.ts';
import { errorMessage } from '../../shared/errors.ts';
import { type Ids, namedIds } from '../../shared/identity.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';

const WAIT_MS = 2 * SECOND_MS;

type KnownId = { isUser: boolean; userOf: string | null };

/** Longer than the way into files. */
const recentIds = new LRUCache<string, KnownId>({ max: 100_000, ttl: MINUTE_MS });

const toKey = (appId: string, id: string) => `${appId} ${id}`;

const UNKNOWN: KnownId = { isUser: false, userOf: null };

const combine = (first = UNKNOWN, later = UNKNOWN): KnownId => ({
  isUser: first.isUser || later.isUser,
  userOf: first.userOf ?? later.userOf,
});

const findRecent = (appId: string, id: string): KnownId | undefined =>
  recentIds.get(toKey(appId, id));

function note(appId: string, id: string, found: KnownId): void {
  recentIds.set(toKey(appId, id), combine(findRecent(appId, id), found));
}

/** Users whom devices name, ahead of their way into files. */
export function noteNamed(appId: string, events: readonly Ids[]): void {
  let last: Ids | undefined;
  for (const event of events) {
    const { anonymousId, userId } = event;
    const isSame = last?.anonymousId === anonymousId && last.userId === userId;
    if (isSame || userId === undefined || userId === anonymousId) continue;
    last = event;
    note(appId, userId, { isUser: true, userOf: null });
    note(appId, anonymousId, { isUser: false, userOf: userId });
  }
}

type Join = { event: Ids; isOpen: boolean };
/** A join has `isOpen`: whether the device is a guess. */
export type Named = Pick<Join, 'event'> & Partial<Join>;

const isJoin = (named: Named): named is Join => named.isOpen !== undefined;

function settled({ event, isOpen }: Join, known: ReadonlyMap<string, KnownId>): Ids {
  const { anonymousId: one, userId: other = '' } = event;
  const [ofOne, ofOther] = [known.get(one), known.get(other)];
  if (ofOne?.isUser && (ofOther?.isUser || !isOpen)) return namedIds({ user: other });
  if (!isOpen || ofOther?.isUser) return { anonymousId: one, userId: other };
  if (ofOne?.isUser) return { anonymousId: other, userId: one };
  if (ofOne?.userOf) return { anonymousId: other, userId: ofOne.userOf };
  return { anonymousId: one, userId: ofOther?.userOf ?? other };
}

export async function settleJoins(
  deps: Pick<Deps, 'log' | 'sql'>,
  { orgId, appId }: AppScope,
  named: readonly Named[],
): Promise<void> {
  const [joins, others] = [named.filter(isJoin), named.filter((one) => !isJoin(one))];
  noteNamed(
    appId,
    others.map(({ event }) => event),
  );
  if (joins.length === 0) return;
  const ids = joins.flatMap(({ event: { anonymousId, userId = '' } }) => [anonymousId, userId]);
  try {
    const asked = selectKnownIds(deps.sql, { orgId, appId }, [...new Set(ids)]);
    const stored = await withTimeout(asked, WAIT_MS);
    const known = new Map(
      ids.map((id) => [id, combine(stored.get(id), findRecent(appId, id))] as const),
    );
    for (const join of joins) Object.assign(join.event, settled(join, known));
  } catch (thrown) {
    deps.log.warn({ err: errorMessage(thrown) }, 'joined ids could not be looked up');
  }
}
