import { useEffect } from 'preact/hooks';
import { api } from './api.ts';
import { useApi } from './use-api.ts';

const readerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const keyOf = (appId: string) => `timezone ${appId}`;

function remembered(appId: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(appId)) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(appId: string, timezone: string): void {
  try {
    localStorage.setItem(keyOf(appId), timezone);
  } catch {
    // Without storage the zone is fetched each time.
  }
}

export const useAppSettings = (appId: string, enabled = true) =>
  useApi(api.getAppSettings, { id: appId }, { enabled });

/** The reader's for pages over all apps. */
export function useTimezone(appId: string | undefined): string {
  const settings = useAppSettings(appId ?? '', appId !== undefined);
  const { data, isPrevious } = settings.value;
  const known = isPrevious ? undefined : data?.timezone;
  useEffect(() => {
    if (appId !== undefined && known) remember(appId, known);
  }, [appId, known]);
  if (appId === undefined) return readerZone();
  return known ?? remembered(appId) ?? 'UTC';
}
