import { api } from '../../state/api.ts';
import { useExperiments } from '../../state/experiments.ts';
import { dayOf } from '../../state/days.ts';
import { useSegments } from '../../state/segments.ts';
import { useTimezone } from '../../state/timezone.ts';
import { useApi } from '../../state/use-api.ts';
import { armsOf, type Known } from './clauses.ts';

export function useKnown(appId: string, segmentId?: string): Known {
  const segments = useSegments(appId).value.data ?? [];
  const experiments = useExperiments(appId).value.data ?? [];
  const timezone = useTimezone(appId);
  const names = useApi(api.getNamedEntitlements, { id: appId }).value.data;
  return {
    entitled: [
      ...(names?.entitlements.map(({ name }) => ({ entitlement: name })) ?? []),
      ...(names?.products.map(({ id }) => ({ productId: id })) ?? []),
    ],
    arms: armsOf(experiments),
    today: dayOf(Date.now(), timezone),
    segments: segments.filter(({ id }) => id !== segmentId),
  };
}
