import { api } from './api.ts';
import { useIsIdle } from './query.ts';
import { useApi } from './use-api.ts';

const DAYS = 28;

export function useHasDevelopment(appId: string | undefined): boolean {
  const isIdle = useIsIdle();
  const query = useApi(
    api.getEventSummary,
    { id: appId ?? '', query: { days: DAYS, environment: 'development' } },
    { enabled: isIdle && appId !== undefined },
  );
  return (query.value.data?.events ?? 0) > 0;
}
