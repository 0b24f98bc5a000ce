import { at } from '../../../shared/assert.ts';
import type { Watch, WatchLook, WatchRule } from '../model.ts';
import { type FigurePoint, judgeChange, type Scale } from './change.ts';

type Judged = Pick<WatchLook, 'usual' | 'verdict'>;
type Figure = { points: readonly FigurePoint[]; scale: Scale; lag: number | null };

const isBeyond = (value: number, { side, value: limit }: { side: string; value: number }) =>
  side === 'above' ? value > limit : value < limit;

/** The newest of the points, which are whole intervals. */
export function judge(rule: WatchRule, { points, scale, lag }: Figure): Judged {
  if (rule.kind === 'threshold' || lag === null) {
    const { value } = at(points, points.length - 1);
    if (value === null || rule.kind !== 'threshold') {
      return { verdict: 'too_few_people', usual: null };
    }
    return { verdict: isBeyond(value, rule) ? 'beyond' : 'within', usual: null };
  }
  const { verdict, usual } = judgeChange(points, { scale, lag });
  if (verdict !== 'above' && verdict !== 'below') return { verdict, usual };
  const { side = 'either' } = rule;
  return { verdict: side === 'either' || side === verdict ? 'beyond' : 'within', usual };
}

export function stateAfter(
  state: Watch['state'],
  verdict: WatchLook['verdict'],
): Pick<Watch, 'state'> & Pick<WatchLook, 'told'> {
  if (verdict === 'beyond') return { state: 'beyond', told: state === 'beyond' ? null : 'began' };
  if (verdict === 'within') return { state: 'quiet', told: state === 'beyond' ? 'over' : null };
  return { state, told: null };
}
