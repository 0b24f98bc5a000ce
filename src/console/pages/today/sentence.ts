import { exactNumber, signedRate } from '../../format.ts';
import { changeSince, type LatestDay } from '../../state/people-days.ts';
import { inWordsFirst } from '../../texts/counted.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.sentence;

type Recommendation = { code: string; severity: 'info' | 'warn' | 'act'; title: string };
export type Sentence = {
  tone: 'good' | 'warn' | 'bad';
  /** The part in bold. */
  lead: string;
  text: string;
};

/** A version explains more than a total that fell; then what asks to act. */
const rank = ({ code, severity }: Recommendation): number =>
  (/version/.test(code) ? 0 : 2) + (severity === 'act' ? 0 : 1);

/** As many as two lines of 20 px hold. */
const SAID = 2;

const ended = (title: string): string => (/[.!?]$/.test(title) ? title : `${title}.`);

function quietDay(latest: LatestDay | undefined, day: string): string {
  if (!latest || latest.isPartial) return '';
  const change = changeSince(latest);
  const people = exactNumber(latest.value);
  return change === null ? t.people(people) : t.peopleAgainst(people, signedRate(change), day);
}

/** The answer of the page: what the rules found, else how many people came. */
export function sentenceOf(
  recommendations: readonly Recommendation[],
  latest: LatestDay | undefined,
  against: string,
): Sentence {
  const found = recommendations.filter(({ severity }) => severity !== 'info');
  if (found.length === 0) return { tone: 'good', lead: t.nothing, text: quietDay(latest, against) };
  const isAct = found.some(({ severity }) => severity === 'act');
  const said = found.toSorted((one, other) => rank(one) - rank(other)).slice(0, SAID);
  return {
    tone: isAct ? 'bad' : 'warn',
    lead: found.length === 1 ? t.one : t.several(inWordsFirst(found.length)),
    text: said.map(({ title }) => ended(title)).join(' '),
  };
}
