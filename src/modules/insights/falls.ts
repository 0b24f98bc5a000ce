import { at } from '../../shared/assert.ts';
import type { MatureFunnel } from './facts.ts';

/** Relative falls below this are daily noise. */
export const LEAST_FALL_OF_CONVERSION = 0.1;
const LEAST_FALL_OF_STEP = 0.15;
/** By chance in one of 4,000 daily looks. */
export const DEVIATIONS = 3.5;

type Step = MatureFunnel['steps'][number];

/** Standard deviations of the growth of a share. */
export function deviations(
  before: { rate: number; of: number },
  now: { rate: number; of: number },
) {
  const all = before.of + now.of;
  const pooled = (before.rate * before.of + now.rate * now.of) / all;
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / before.of + 1 / now.of));
  return spread === 0 ? 0 : (now.rate - before.rate) / spread;
}

type Share = { rate: number | null; low: number | null; high: number | null; of: number };

type Fall = { least: number; deviations?: number };

/** A significant fall beyond daily noise. */
export function hasFallen(
  now: Share,
  before: Share,
  { least, deviations: needed = DEVIATIONS }: Fall,
): boolean {
  const { rate } = now;
  const was = before.rate;
  if (rate === null || was === null || now.high === null || before.low === null) return false;
  if (now.high >= before.low || rate > was * (1 - least)) return false;
  return -deviations({ rate: was, of: before.of }, { rate, of: now.of }) >= needed;
}

export function shareOfStep({ steps }: Pick<MatureFunnel, 'steps'>, index: number): Share {
  const { rateFromPrevious, rateFromPreviousLow, rateFromPreviousHigh } = at(steps, index);
  const of = steps[index - 1]?.people ?? 0;
  return { rate: rateFromPrevious, low: rateFromPreviousLow, high: rateFromPreviousHigh, of };
}

export function shareOfAll({ overall, people }: MatureFunnel): Share {
  return { rate: overall.rate, low: overall.rateLow, high: overall.rateHigh, of: people };
}

export function fallenStep(
  now: MatureFunnel,
  before: MatureFunnel,
): { step: Step; was: Step } | null {
  const fallen = now.steps.flatMap((step, index) => {
    const was = before.steps[index];
    if (!was) return [];
    const isFallen = hasFallen(shareOfStep(now, index), shareOfStep(before, index), {
      least: LEAST_FALL_OF_STEP,
    });
    return isFallen ? [{ step, was }] : [];
  });
  const share = ({ step, was }: { step: Step; was: Step }) =>
    (step.rateFromPrevious ?? 0) / (was.rateFromPrevious ?? 1);
  return fallen.toSorted((one, other) => share(one) - share(other))[0] ?? null;
}

/** The step with a significantly larger loss than any other. */
export function worstStep({ steps }: MatureFunnel): { step: Step; nextWorst: number } | null {
  const step = steps.find(({ verdict }) => verdict === 'biggest_leak');
  const lows = steps.flatMap((each) =>
    each === step || each.rateFromPreviousLow === null ? [] : [each.rateFromPreviousLow],
  );
  const nextWorst = Math.min(...lows);
  if (step?.rateFromPreviousHigh == null || lows.length === 0) return null;
  return step.rateFromPreviousHigh < nextWorst ? { step, nextWorst } : null;
}
