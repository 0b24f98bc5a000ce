import { api } from './api.ts';
import { useQuery } from './query.ts';

type Settings = Awaited<ReturnType<typeof api.getAppSettings>>;
export type PinnedView = Settings['pinnedViews'][number];

export const PINNED_VIEWS_MAX = 6;

export const savedIn = ({ query }: PinnedView): string | null =>
  new URLSearchParams(query).get('saved');

export function usePins(appId: string) {
  const settings = useQuery(`settings ${appId}`, (signal) =>
    api.getAppSettings({ id: appId }, { signal }),
  );
  const pins = settings.value.data?.pinnedViews;
  return {
    pins,
    save: async (pinnedViews: PinnedView[]) => {
      await api.updateAppSettings({ id: appId, body: { pinnedViews } });
      settings.refetch();
    },
  };
}
