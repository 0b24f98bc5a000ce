import { api } from './api.ts';
import { addDays, type Days } from './days.ts';
import type { Mark } from './marks.ts';
import { useQuery } from './query.ts';

/** The days on which a version was the newest in use; the last one's go on. */
export type VersionDays = Days & { version: string; isLast: boolean };

/** As many as a list of ranges has room for. */
const SHOWN = 3;
/** How far back versions are offered. */
const DAYS = 120;

/** The last versions as ranges of days: each from its mark to the day before the next one's. */
export function versionDays(
  marks: readonly Pick<Mark, 'kind' | 'day' | 'appVersion'>[],
  today: string,
): VersionDays[] {
  const first = new Map<string, string>();
  for (const { kind, day, appVersion } of marks.toSorted((one, other) =>
    one.day.localeCompare(other.day),
  )) {
    // Of two versions of one day the later takes it.
    if (kind === 'version' && appVersion) first.set(day, appVersion);
  }
  const seen = [...first];
  return seen
    .map(([from, version], at) => {
      const next = seen[at + 1]?.[0];
      return { version, from, to: addDays(next ?? today, -1), isLast: next === undefined };
    })
    .filter(({ from, to }) => from <= to)
    .slice(-SHOWN);
}

const NONE: readonly VersionDays[] = [];

/** Versions of an app as ranges, once somebody chooses a range. */
export function useVersionDays(appId: string | undefined, today: string, enabled: boolean) {
  const query = useQuery(
    `versions ${appId ?? ''} ${today}`,
    async (signal) => {
      const { marks } = await api.listMarks({ id: appId ?? '', query: { days: DAYS } }, { signal });
      return versionDays(marks, today);
    },
    { enabled: enabled && appId !== undefined },
  );
  return query.value.data ?? NONE;
}
