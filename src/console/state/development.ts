import { api } from './api.ts';
import { useIsIdle, useQuery } from './query.ts';

const DAYS = 28;

export function useHasDevelopment(appId: string | undefined): boolean {
  const isIdle = useIsIdle();
  const query = useQuery(
    `development ${appId ?? ''}`,
    (signal) =>
      api.getEventSummary(
        { id: appId ?? '', query: { days: DAYS, environment: 'development' } },
        { signal },
      ),
    { enabled: isIdle && appId !== undefined },
  );
  return (query.value.data?.events ?? 0) > 0;
}
