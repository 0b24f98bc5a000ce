import type { Deps } from '../../../context.ts';
import type { StoreRelease } from '../../../providers/store/port.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { Db } from '../../../storage/postgres.ts';
import * as queries from './releases-queries.ts';

const SEEN_WITHIN_MS = 2 * DAY_MS;
const MAIN_PLATFORM = 'IOS';

export function releasedSince(
  releases: readonly StoreRelease[],
  known: readonly queries.KnownRelease[],
  before: queries.StatusBefore,
  now: Date,
): queries.KnownRelease[] {
  const { state, checkedAt } = before;
  const isFirst = state !== null && !['live', 'removed', 'unknown'].includes(state);
  const isRecent = checkedAt !== null && now.getTime() - checkedAt.getTime() < SEEN_WITHIN_MS;
  const isSeen = isRecent && (known.length > 0 || isFirst);
  return releases
    .filter(
      ({ platform, version }) =>
        !known.some((one) => one.platform === platform && one.version === version),
    )
    .map(({ platform, version, createdAt }) => ({
      platform,
      version,
      onSaleFrom: isSeen ? now : createdAt,
      isSeen,
    }));
}

export async function noteReleases(
  db: Db,
  app: { orgId: string; storeAppId: string },
  releases: readonly StoreRelease[],
  now: Date,
): Promise<void> {
  const [known, before] = await Promise.all([
    queries.selectReleases(db, app),
    queries.selectStatus(db, app),
  ]);
  await queries.insertReleases(db, app, releasedSince(releases, known, before, now));
}

export type Release = Omit<queries.KnownRelease, 'platform'>;

export async function readReleases(
  { sql }: Pick<Deps, 'sql'>,
  app: { orgId: string; storeAppId: string },
): Promise<Release[]> {
  const all = await queries.selectReleases(sql, app);
  const platforms = all.map(({ platform }) => platform).toSorted();
  const main = platforms.includes(MAIN_PLATFORM) ? MAIN_PLATFORM : platforms[0];
  return all
    .filter(({ platform }) => platform === main)
    .map(({ platform: _, ...release }) => release);
}
