import type { Funnel } from '../../state/funnels.ts';

type FunnelStep = Funnel['steps'][number];

export type Draft = {
  key: number;
  event: string;
  label: string;
  where: FunnelStep['where'] | undefined;
};

export const MIN_STEPS = 2;
export const MAX_STEPS = 12;

let lastKey = 0;

export function draftOf(step?: FunnelStep): Draft {
  lastKey += 1;
  const { event = '', label = '', where } = step ?? {};
  return { key: lastKey, event, label: label === event ? '' : label, where };
}

export const stepOf = ({ event, label, where }: Draft): FunnelStep => ({
  event,
  label: label.trim() || event,
  ...(where && { where }),
});

export function moved(steps: readonly Draft[], from: number, by: 1 | -1): Draft[] {
  const step = steps[from];
  return step ? steps.toSpliced(from, 1).toSpliced(from + by, 0, step) : [...steps];
}
