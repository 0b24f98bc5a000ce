import { api } from './api.ts';
import { useQuery } from './query.ts';
import { segmentNames } from './segment-names.ts';

export const useSegments = (appId: string) =>
  useQuery(`segments ${appId}`, async (signal) => {
    const segments = await api.listSegments({ id: appId }, { signal });
    segmentNames.value = new Map(segments.map(({ id, name }) => [id, name]));
    return segments;
  });
