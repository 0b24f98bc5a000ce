import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from './api.ts';
import { useApi } from './use-api.ts';

export type Funnel = Awaited<ReturnType<typeof api.listFunnels>>[number];

/** An app gets its first funnel while it is set up. */
const SETUP_SECONDS = 3;

export function useFunnels(appId: string, enabled = true) {
  const isSetUp = useSignal(true);
  const funnels = useApi(
    api.listFunnels,
    { id: appId },
    { everySeconds: isSetUp.value ? undefined : SETUP_SECONDS, enabled },
  );
  const count = funnels.value.data?.length;
  useEffect(() => {
    isSetUp.value = count !== 0;
  }, [count]);
  return funnels;
}
