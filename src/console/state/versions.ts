import { api } from './api.ts';
import { useQuery } from './query.ts';
import { type VersionDays, versionDays } from './version-days.ts';

const DAYS = 120;

const NONE: readonly VersionDays[] = [];

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
