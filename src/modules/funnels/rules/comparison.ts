import { differenceOfRates, rate } from '../../../query/funnel/statistics.ts';
import { at } from '../../../shared/assert.ts';
import type { ComparedRates, FunnelComparison } from './report.model.ts';
import { judge, MINIMUM_PEOPLE } from './verdict.ts';

/** People who did something, of those who could. */
type Share = { part: number; whole: number };

const NO_DIFFERENCE = { difference: null, low: null, high: null };

/** No difference is drawn where fewer than fifty people could, on either side. */
function compared(now: Share, before: Share): ComparedRates {
  const isDrawn = Math.min(now.whole, before.whole) >= MINIMUM_PEOPLE;
  return {
    now: rate(now.part, now.whole),
    before: rate(before.part, before.whole),
    ...(isDrawn ? differenceOfRates(now, before) : NO_DIFFERENCE),
  };
}

type Figures = Pick<FunnelComparison, 'people' | 'verdict' | 'steps'>;

/**
 * The rates of two windows, from the people who reached each step in them: each with the difference
 * (now less before) and its 95 % interval by Newcombe's hybrid score method. With fewer than fifty
 * people in step 1 of either window there are counts and nothing else.
 */
export function compareWindows(
  now: readonly number[],
  before: readonly number[],
  isComparable = true,
): Figures {
  const [startedNow, startedBefore] = [at(now, 0), at(before, 0)];
  const isReady = isComparable && judge(startedNow) === 'ready' && judge(startedBefore) === 'ready';
  return {
    people: startedBefore,
    verdict: judge(startedBefore),
    steps: now.map((people, index) => {
      const peopleBefore = at(before, index);
      if (!isReady || index === 0) {
        const counted = isReady ? peopleBefore : null;
        return { index: index + 1, people: counted, fromPrevious: null, fromStart: null };
      }
      const of = (wholeNow: number, wholeBefore: number) =>
        compared({ part: people, whole: wholeNow }, { part: peopleBefore, whole: wholeBefore });
      return {
        index: index + 1,
        people: peopleBefore,
        fromPrevious: of(at(now, index - 1), at(before, index - 1)),
        fromStart: of(startedNow, startedBefore),
      };
    }),
  };
}
