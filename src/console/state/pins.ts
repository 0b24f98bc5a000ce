import { api } from './api.ts';
import { useApi } from './use-api.ts';

type Settings = Awaited<ReturnType<typeof api.getAppSettings>>;
export type PinnedView = Settings['pinnedViews'][number];

export const PINNED_VIEWS_MAX = 6;

export function usePins(appId: string) {
  const settings = useApi(api.getAppSettings, { id: appId });
  const pins = settings.value.data?.pinnedViews;
  return {
    pins,
    save: async (changed: (now: readonly PinnedView[]) => PinnedView[]) => {
      const { pinnedViews } = await api.getAppSettings({ id: appId });
      await api.updateAppSettings({ id: appId, body: { pinnedViews: changed(pinnedViews) } });
    },
  };
}
