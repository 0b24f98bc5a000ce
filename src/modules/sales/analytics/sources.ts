import type { OrgContext } from '../../../context.ts';
import { addDays } from '../../../shared/pacific.ts';
import { type Store, STORES } from '../../../shared/stores.ts';
import { type StoreAppName, selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { selectSync } from '../collection/syncs-queries.ts';
import { type DayState, isCovered } from '../days/day-state.ts';
import { HISTORY_DAYS } from '../days/plan.ts';
import { selectDayStates, selectUnreadable, type VendorScope } from '../days/queries.ts';
import { selectBucket } from '../google-play/accounts-queries.ts';
import { SETTLED_DAYS, utcDay } from '../google-play/build-days.ts';
import { selectEarningsThrough } from '../google-play/files-queries.ts';
import { vendorOf } from '../google-play/model.ts';
import { selectPlayApps } from '../google-play/rows-queries.ts';
import * as freshness from './freshness.ts';
import type { AnalyticsQuery, GooglePlayFigures } from './model.ts';

/** The sales of a store: where they are kept, how far they are known. */
export type SalesSource = {
  scope: VendorScope;
  apps: readonly StoreAppName[];
  states: ReadonlyMap<string, DayState>;
  run: freshness.LastRun;
  calendar: freshness.StoreCalendar;
  googlePlay: GooglePlayFigures | null;
  isEnded: boolean;
};

type Needs = 'clock' | 'sql';

/** Null where no App Store account was ever connected. */
async function appStoreSource({ deps, orgId }: OrgContext<Needs>): Promise<SalesSource | null> {
  const { sql } = deps;
  const account = await selectAccount(sql, orgId);
  if (!account) return null;
  const calendar = freshness.APP_STORE_CALENDAR;
  const yesterday = addDays(calendar.today(deps.clock()), -1);
  const scope = { orgId, vendorNumber: account.vendorNumber };
  const reports = ['SALES', 'SUBSCRIPTION_EVENT'] as const;
  const [apps, states, sync, unreadable] = await Promise.all([
    selectAppNames(sql, orgId),
    selectDayStates(sql, scope, 'SALES'),
    selectSync(sql, scope),
    selectUnreadable(sql, scope, reports, addDays(yesterday, -HISTORY_DAYS)),
  ]);
  const run = freshness.lastRun(sync, unreadable);
  return { scope, apps, states, run, calendar, googlePlay: null, isEnded: false };
}

const GOOGLE_PLAY_CALENDAR: freshness.StoreCalendar = {
  today: utcDay,
  reportedBy: (day) => `${addDays(day, SETTLED_DAYS)}T00:00:00Z`,
};

/** Null where no Google Play account was ever connected. */
async function googlePlaySource({ deps, orgId }: OrgContext<Needs>): Promise<SalesSource | null> {
  const { sql } = deps;
  const account = await selectBucket(sql, orgId);
  if (account === null) return null;
  const { bucket, isEnded } = account;
  const scope = { orgId, vendorNumber: vendorOf(bucket) };
  const [apps, states, installs, sync, earningsThrough] = await Promise.all([
    selectPlayApps(sql, { orgId, bucket }),
    selectDayStates(sql, scope, 'SALES'),
    selectDayStates(sql, scope, 'INSTALLS'),
    selectSync(sql, scope),
    selectEarningsThrough(sql, { orgId, bucket }),
  ]);
  const counted = [...installs].filter(([, state]) => state === 'reported').map(([day]) => day);
  const installsThrough = counted.toSorted().at(-1) ?? null;
  const googlePlay = { timeZone: 'UTC', earningsThrough, installsThrough } as const;
  const run = freshness.lastRun(sync, null);
  return { scope, apps, states, run, calendar: GOOGLE_PLAY_CALENDAR, googlePlay, isEnded };
}

const CALENDARS: Readonly<Record<Store, freshness.StoreCalendar>> = {
  app_store: freshness.APP_STORE_CALENDAR,
  google_play: GOOGLE_PLAY_CALENDAR,
};
const SOURCES = { app_store: appStoreSource, google_play: googlePlaySource };

export const calendarOf = (store: AnalyticsQuery['store'] = 'all'): freshness.StoreCalendar =>
  CALENDARS[store === 'all' ? STORES[0] : store];

/** The requested stores that were ever connected. */
export async function readSources(
  ctx: OrgContext<Needs>,
  store: AnalyticsQuery['store'] = STORES[0],
): Promise<SalesSource[]> {
  const asked = store === 'all' ? STORES : [store];
  const sources = await Promise.all(asked.map((one) => SOURCES[one](ctx)));
  return sources.filter((source) => source !== null);
}

/** A day is known once every store has told about it; one outside its connected days has none. */
export function mergeStates(sources: readonly SalesSource[]): ReadonlyMap<string, DayState> {
  const [first, ...rest] = sources;
  const merged = new Map(first?.states);
  for (const { states, isEnded } of rest) {
    const known = [...states.keys()].toSorted();
    const [begin = '', end = ''] = [known[0], known.at(-1)];
    for (const day of new Set([...merged.keys(), ...states.keys()])) {
      const isOutside = day < begin || (isEnded && day > end);
      const [one, other] = [merged.get(day), states.get(day) ?? (isOutside ? 'zero' : 'pending')];
      if (!isCovered(one)) merged.set(day, one ?? 'pending');
      else if (!isCovered(other) || other === 'reported') merged.set(day, other);
    }
  }
  return merged;
}

/** Merges the stores that ran; a failure of one is shown. */
export function mergeRuns(sources: readonly SalesSource[]): freshness.LastRun {
  const runs = sources.map(({ run }) => run);
  const ran = runs.filter(({ lastRunAt }) => lastRunAt !== null);
  return ran.find(({ failed, lastError }) => failed || lastError) ?? ran[0] ?? freshness.NEVER_RUN;
}
