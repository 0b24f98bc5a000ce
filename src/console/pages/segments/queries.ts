import { useExperiments } from '../../state/experiments.ts';
import { useSegments } from '../../state/segments.ts';
import { armsOf, type Known } from './clauses.ts';

export function useKnown(appId: string, segmentId?: string): Known {
  const segments = useSegments(appId).value.data ?? [];
  const experiments = useExperiments(appId).value.data ?? [];
  return {
    arms: armsOf(experiments),
    segments: segments.filter(({ id }) => id !== segmentId),
  };
}
