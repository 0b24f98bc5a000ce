import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { dayWithWeekday, shortDay, changeSize } from '../../format.ts';
import { addDays } from '../../state/days.ts';
import { VERSION } from '../../state/filter-rules.ts';
import type { LatestDay } from '../../state/people-days.ts';
import type { Compared, VersionComparison } from '../../state/version-comparison.ts';
import { inWordsFirst } from '../../texts/counted.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.sentence;

type Recommendation = Compared & { title: string };
/** Recommendations name them by number. */
type Steps = readonly { index: number; event: string; label: string }[];
export type Sentence = {
  tone: 'good' | 'warn' | 'bad';
  lead: string;
  text: string;
};

const rank = ({ comparison, severity }: Recommendation): number =>
  (comparison ? 0 : 2) + (severity === 'act' ? 0 : 1);

function lostAt(steps: Steps, index: number | null): string {
  const at = steps.findIndex((step) => step.index === index);
  const [step, before] = [steps[at], steps[at - 1]];
  if (step?.event === SALE) return before?.event === PAYWALL ? t.salesAtPaywall : t.sales;
  return step ? t.step(step.label) : t.conversion;
}

/** Without versions the title of the rule. */
function said({ title, step, comparison }: Recommendation, steps: Steps): string {
  if (!comparison) return ended(title);
  const { worse, later, hasRecovered } = comparison;
  const since = (one: VersionComparison['worse']) =>
    t.since(one[VERSION], one.firstSeenOn === null ? '' : shortDay(one.firstSeenOn));
  const fell = t.fell(lostAt(steps, step), since(worse));
  return later && hasRecovered ? t.cameBack(fell, since(later)) : t.isDown(fell);
}

/** A smaller change is as good as none. */
const STEADY = 0.02;

/** Of a line of 20 px. */
const LINE = 112;

const SALE = 'purchase_completed';
const PAYWALL = 'paywall_viewed';

const ended = (title: string): string => (/[.!?]$/.test(title) ? title : `${title}.`);

function firstThatFit([first = '', ...others]: readonly string[], room: number): string {
  let said = first;
  for (const one of others) {
    if (said.length + 1 + one.length > room) break;
    said = `${said} ${one}`;
  }
  return said;
}

function quietDay(latest: LatestDay | undefined, today: string): string {
  if (!latest) return '';
  if (latest.isPartial) return t.soFar(latest.value);
  const { value, before, day, against } = latest;
  const when = day === addDays(today, -1) ? t.yesterday : t.onDay(dayWithWeekday(day));
  if (before === null || before < MINIMUM_PEOPLE) return t.people(value, when);
  const change = (value - before) / before;
  if (Math.abs(change) < STEADY) return t.asMany(value, when, dayWithWeekday(against));
  return t.moreOrFewer(value, when, changeSize(change), change > 0, dayWithWeekday(against));
}

export function sentenceOf(
  of: { found: readonly Recommendation[]; steps: Steps; hasUnchecked: boolean },
  latest: LatestDay | undefined,
  today: string,
): Sentence {
  const { found, steps } = of;
  if (found.length === 0) {
    return of.hasUnchecked
      ? { tone: 'warn', lead: t.unchecked, text: t.retried }
      : { tone: 'good', lead: t.nothing, text: quietDay(latest, today) };
  }
  const isAct = found.some(({ severity }) => severity === 'act');
  const lead = found.length === 1 ? t.one : t.several(inWordsFirst(found.length));
  const titles = found
    .toSorted((one, other) => rank(one) - rank(other))
    .map((one) => said(one, steps));
  return { tone: isAct ? 'bad' : 'warn', lead, text: firstThatFit(titles, LINE - lead.length) };
}
