import { LRUCache } from 'lru-cache';
import type { Deps } from '../../context.ts';
import { devicesOfUsers } from '../../event-store/people.ts';
import { MAX_PAGE_OF_SEGMENT } from '../../query/segment/model.ts';
import { membershipKey } from '../../query/selection/conditions.ts';
import type { Membership } from '../../query/selection/segment-rules.ts';
import type { AppScope } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { selectSegments } from './queries.ts';
import { type ResolveContext, resolveNow, segmentQuestion } from './resolve.ts';
import { checkNamed, type NamedMember } from './rules/check-named.ts';

export async function resolveMembers(
  ctx: ResolveContext,
  named: readonly NamedMember[],
): Promise<Membership[]> {
  const different = new Map(named.map(({ condition }) => [membershipKey(condition), condition]));
  const { resolved, beforeUs } = await resolveNow(ctx, (segments) => {
    const rules = checkNamed(named, segments);
    return [...different.values()].map(({ segment }) => rules(segment));
  });
  return [...different].map(([id, { asOf = 'now' }], index) => ({
    ...{ id, asOf, beforeUs },
    rules: at(resolved, index),
  }));
}

/** Found anew when somebody asks and they are older. */
const FRESH_MS = MINUTE_MS;
/** How long an evaluation waits for the first members; nobody is in the segment until then. */
const FIRST_WAIT_MS = 2 * SECOND_MS;
/** Per segment, with devices; nobody is in a larger one. */
const MAX_IDS = 500_000;
const MAX_IDS_KEPT = 2_000_000;

type Found = { ids: Set<string>; atMs: number };
type Asked = AppScope & { segmentId: string };
type Needed = Pick<Deps, 'clock' | 'log' | 'purchaseProfiles' | 'queries' | 'sql'>;

export type MemberIds = {
  find: (asked: Asked) => Promise<ReadonlySet<string>>;
  forget: (app: AppScope, ids: readonly string[]) => void;
};

async function peopleNow(deps: Needed, { segmentId, ...scope }: Asked): Promise<string[]> {
  const segments = await selectSegments(deps.sql, scope);
  const segment = segments.find(({ id }) => id === segmentId);
  if (!segment) return [];
  const { question } = await segmentQuestion({ deps, scope }, segment.rule, DEFAULT_SCOPE);
  const people: string[] = [];
  for (let after: string | null = null, hasMore = true; hasMore; ) {
    const page: { people: string[]; hasMore: boolean } = await deps.queries.ask(
      'segment',
      {
        ...{ ...question, after, limit: MAX_PAGE_OF_SEGMENT },
      },
      { startWaitMs: SECOND_MS },
    );
    people.push(...page.people);
    after = page.people.at(-1) ?? null;
    hasMore = page.hasMore && people.length <= MAX_IDS;
  }
  return people;
}

async function idsNow(deps: Needed, asked: Asked): Promise<Set<string>> {
  const people = await peopleNow(deps, asked);
  const devices = await devicesOfUsers(deps.sql, asked, people);
  if (people.length + devices.length <= MAX_IDS) return new Set([...people, ...devices]);
  deps.log.warn({ ...asked, people: people.length }, 'segment too large for flags');
  return new Set();
}

export function createMemberIds(deps: Needed): MemberIds {
  const kept = new LRUCache<string, Found>({
    maxSize: MAX_IDS_KEPT,
    sizeCalculation: ({ ids }) => ids.size + 1,
  });
  const once = singleFlight<Set<string>>();
  const erasedMeanwhile = new Map<string, Set<string>>();
  const refresh = (key: string, asked: Asked) =>
    once(key, async () => {
      const atMs = deps.clock().getTime();
      const before = kept.get(key);
      const erased = new Set<string>();
      erasedMeanwhile.set(key, erased);
      try {
        const ids = (await idsNow(deps, asked)).difference(erased);
        kept.set(key, { ids, atMs });
        return ids;
      } catch (thrown) {
        // The last answer goes on, and is asked for again a minute later.
        const ids = (before?.ids ?? new Set<string>()).difference(erased);
        kept.set(key, { ids, atMs });
        deps.log.warn({ ...asked, err: thrown }, 'members of a segment not found');
        return ids;
      } finally {
        erasedMeanwhile.delete(key);
      }
    });
  return {
    find: async (asked) => {
      const key = `${asked.orgId} ${asked.appId} ${asked.segmentId}`;
      const known = kept.get(key);
      if (!known) return withTimeout(refresh(key, asked), FIRST_WAIT_MS).catch(() => new Set());
      if (deps.clock().getTime() - known.atMs >= FRESH_MS) void refresh(key, asked);
      return known.ids;
    },
    forget: ({ orgId, appId }, ids) => {
      const isOfApp = ([key]: [string, unknown]) => key.startsWith(`${orgId} ${appId} `);
      for (const [, erased] of [...erasedMeanwhile].filter(isOfApp)) {
        for (const id of ids) erased.add(id);
      }
      for (const [, known] of [...kept.entries()].filter(isOfApp)) {
        for (const id of ids) known.ids.delete(id);
        known.atMs = 0;
      }
    },
  };
}
