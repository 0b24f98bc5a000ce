import type { FunnelReport } from '../../../../clients/api/src/index.ts';
import { dayIn, dayRange, rate as shownRate, upper } from '../../format.ts';
import { addDays } from '../../state/days.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { funnels as texts } from '../../texts/funnels.ts';
import {
  certainTone,
  type Group,
  isByVersion,
  leakOf,
  type Reference,
  type Step,
} from './groups.ts';
import { stepWords } from './step-words.ts';

const t = texts.sentence;

const WORTH_A_WORD = 0.8;

export type Fall = {
  group: Group;
  step: number;
  isCertain: boolean;
  isWhereMostStop: boolean;
  later: { group: Group; isCertain: boolean } | null;
};

const rateAt = ({ figures }: Group, step: number): number =>
  figures.steps[step]?.rateFromPrevious ?? 1;

function laterThan(groups: readonly Group[], group: Group, step: number): Fall['later'] {
  const last = groups.findLast(({ figures }) => figures.verdict === 'ready');
  if (!last || groups.indexOf(last) <= groups.indexOf(group)) return null;
  const [own, other] = [last.figures.steps[step], group.figures.steps[step]];
  return own ? { group: last, isCertain: certainTone(own, other) === 'good' } : null;
}

export function fallOf(
  report: Pick<FunnelReport, 'steps' | 'breakdown'>,
  groups: readonly Group[],
  { group: reference, figures }: Reference,
): Fall | null {
  const leak = leakOf(report.steps);
  const others = groups.filter((group) => group !== reference && group.figures.verdict === 'ready');
  const worstAt = (step: number, fits: (own: Step, held: Step | undefined) => boolean) =>
    others
      .filter(({ figures: { steps } }) => {
        const own = steps[step];
        return own !== undefined && own.rateFromPrevious !== null && fits(own, figures.steps[step]);
      })
      .toSorted((one, other) => rateAt(one, step) - rateAt(other, step))[0];
  const isWorse = (own: Step, held: Step | undefined) => certainTone(own, held) === 'bad';
  const order = [leak, ...report.steps.keys()].filter((step) => step > 0);
  const fallAt = (step: number, group: Group, isCertain: boolean): Fall => ({
    ...{ group, step, isCertain, isWhereMostStop: step === leak },
    later: isByVersion(report) ? laterThan(groups, group, step) : null,
  });
  for (const step of order) {
    const worst = worstAt(step, isWorse);
    if (worst) return fallAt(step, worst, true);
  }
  const low = worstAt(
    leak,
    (own, held) => (own.rateFromPrevious ?? 1) < WORTH_A_WORD * (held?.rateFromPrevious ?? 0),
  );
  return low ? fallAt(leak, low, false) : null;
}

export type Sentence = { lead: string; text: string };

function certainty({ isCertain, later, step }: Fall): string {
  if (!isCertain) return t.mayBeChance;
  if (!later) return t.isCertain;
  const rate = shownRate(rateAt(later.group, step));
  return later.isCertain
    ? t.certainSince(later.group.name, rate)
    : t.certainOn(later.group.name, rate);
}

function prepositionOf({ breakdown }: FunnelReport): keyof typeof t.at {
  const by = breakdown?.by;
  if (by === VERSION || by === 'platform') return 'on';
  if (by === 'country') return 'in';
  return by === 'arm' ? 'arm' : 'with';
}

function ofFall(report: FunnelReport, fall: Fall, reference: Reference): Sentence {
  const leak = leakOf(report.steps);
  const wordsAt = (step: number) =>
    stepWords(report.steps[step] ?? { event: '', label: String(step + 1) });
  const { place } = wordsAt(leak - 1);
  const { group, step, isCertain, isWhereMostStop } = fall;
  const before = wordsAt(step - 1);
  const byVersion = isByVersion(report);
  const worse = byVersion ? t.stopWorse : t.stopWorst;
  const leads = {
    certain: worse(place, group.name),
    elsewhere: t.elsewhere(place, group.name, before.place),
    perhaps: t.stop(place),
  };
  const lead = isCertain ? (isWhereMostStop ? leads.certain : leads.elsewhere) : leads.perhaps;
  const held = reference.figures.steps[step]?.rateFromPrevious ?? null;
  const at = t.at[prepositionOf(report)];
  const who = isCertain ? '' : ` ${at(group.name)}`;
  const share = t.share(before.there, shownRate(rateAt(group, step)), wordsAt(step).did);
  const against = reference.group ? at(reference.group.name) : t.ofAll;
  return {
    lead,
    text: `${upper(share)}${who}${t.against(shownRate(held), against)}${certainty(fall)}`,
  };
}

function changeOf({ comparison, timezone }: FunnelReport): string {
  const change = comparison?.steps.at(-1)?.fromStart;
  if (!comparison || !change || change.difference === null) return '';
  const { difference, low, high } = change;
  const isCertain = low !== null && high !== null && (low > 0 || high < 0);
  const from = dayIn(comparison.window.from, timezone);
  const to = addDays(dayIn(comparison.window.to, timezone), -1);
  const points = texts.points(Math.round(Math.abs(difference) * 1_000) / 10);
  const text = t.changed(points, dayRange(from, to), difference < 0);
  return `${text}${isCertain ? t.certainly : t.perhaps}`;
}

/** Certain only where the intervals do not touch. */
export function sentenceOf(
  report: FunnelReport,
  groups: readonly Group[],
  reference: Reference,
): Sentence {
  const leak = leakOf(report.steps);
  const [step, before] = [report.steps[leak], report.steps[leak - 1]];
  if (!step || !before) return { lead: t.everybody, text: changeOf(report) };
  const fall = fallOf(report, groups, reference);
  if (fall) {
    const { lead, text } = ofFall(report, fall, reference);
    return { lead, text: `${text}${changeOf(report)}` };
  }
  const [from, to] = [stepWords(before), stepWords(step)];
  const rate = shownRate(step.rateFromPrevious);
  const text = t.ofThose(before.people ?? 0, from.did, rate, to.did);
  return { lead: t.stop(from.place), text: `${text}${changeOf(report)}` };
}
