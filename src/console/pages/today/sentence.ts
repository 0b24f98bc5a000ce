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

/** As many characters as a line of 20 px holds. */
const LINE = 112;

const ended = (title: string): string => (/[.!?]$/.test(title) ? title : `${title}.`);

/** The first of them, and those after it that the line has room for. */
function firstThatFit([first = '', ...others]: readonly string[], room: number): string {
  let said = first;
  for (const one of others) {
    if (said.length + 1 + one.length > room) break;
    said = `${said} ${one}`;
  }
  return said;
}

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
  const lead = found.length === 1 ? t.one : t.several(inWordsFirst(found.length));
  const titles = found
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ title }) => ended(title));
  return { tone: isAct ? 'bad' : 'warn', lead, text: firstThatFit(titles, LINE - lead.length) };
}
