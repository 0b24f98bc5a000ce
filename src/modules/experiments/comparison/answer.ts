import { at, must } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { type Answer, type Difference, type MeasuredMetric, MINIMUM_DAYS } from './answer.model.ts';

export type Situation = {
  arms: readonly { id: string; name: string; people: number }[];
  metrics: readonly MeasuredMetric[];
  fullDays: number;
  isSplitBroken: boolean;
  isRunning: boolean;
  peopleADay: number;
};

const UNDECIDED = {
  verdict: 'not_decided',
  reason: null,
  armId: null,
  largest: null,
  morePeople: null,
  moreDays: null,
  worseGuardrails: [],
} as const satisfies Omit<Answer, 'text'>;

type ArmVerdicts = { id: string; name: string; deciding: Difference[]; guardrails: string[] };

function verdictsByArm({ arms, metrics }: Situation): ArmVerdicts[] {
  const ofRole = (role: MeasuredMetric['role']) => metrics.filter((each) => each.role === role);
  return arms.slice(1).map(({ id, name }, index) => ({
    id,
    name,
    deciding: ofRole('deciding').map((metric) => at(metric.differences, index)),
    guardrails: ofRole('guardrail')
      .filter((metric) => at(metric.differences, index).verdict === 'worse')
      .map((metric) => metric.name),
  }));
}

const has = ({ deciding }: ArmVerdicts, verdict: Difference['verdict']) =>
  deciding.some((each) => each.verdict === verdict);

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function about(people: number): number {
  return people < 100 ? people : Number(people.toPrecision(2));
}

const SOMETHING = 0.001;

function daysText(days: number): string {
  if (days < 60) return days === 1 ? '1 day' : `${days} days`;
  return `${Math.round(days / 30)} months`;
}

/** At today's pace. */
function undecided(
  { fullDays, isRunning, peopleADay }: Situation,
  reason: NonNullable<Answer['reason']>,
  morePeople: number | null,
  why: string,
): Answer {
  const missingDays = Math.max(0, MINIMUM_DAYS - fullDays);
  if (!isRunning) {
    const text = `Not decided: ${why} The experiment is stopped, so nobody more is counted.`;
    return { ...UNDECIDED, reason, text };
  }
  const canCount = morePeople !== null && peopleADay > SOMETHING;
  const days = canCount ? Math.max(missingDays, Math.ceil(morePeople / peopleADay)) : null;
  const moreDays = days ?? (morePeople === null && missingDays > 0 ? missingDays : null);
  const people = morePeople === null ? null : about(morePeople);
  const wait = [
    ...(people ? [`${people.toLocaleString('en')} more people`] : []),
    ...(moreDays === null ? [] : [daysText(moreDays)]),
  ].join(' and ');
  const text = `Not decided${wait && `, about ${wait}`}: ${why}`;
  return { ...UNDECIDED, reason, morePeople: people, moreDays, text };
}

function missingForFifty({ arms }: Situation): number {
  const all = arms.reduce((sum, { people }) => sum + people, 0);
  const smallest = Math.min(...arms.map(({ people }) => people));
  if (smallest === 0) return MINIMUM_PEOPLE * arms.length;
  return Math.ceil(((MINIMUM_PEOPLE - smallest) * all) / smallest);
}

/** One decided metric suffices to be ahead; "no difference" needs all. */
function missingPeople({ arms, metrics }: Situation): number | null {
  const all = arms.reduce((sum, { people }) => sum + people, 0);
  const needs = metrics
    .filter(({ role }) => role === 'deciding')
    .flatMap(({ differences, arms: counted }) =>
      differences.flatMap(({ morePeople }, index) => {
        if (morePeople === null) return [];
        const pair = at(counted, 0).people + at(counted, index + 1).people;
        return [Math.ceil((morePeople * all) / pair)];
      }),
    );
  return needs.length === 0 ? null : Math.min(...needs);
}

function ahead(situation: Situation, armId: string, worseGuardrails: string[]): Answer {
  const { arms, metrics } = situation;
  const arm = must(
    arms.find(({ id }) => id === armId),
    'the arm is of this experiment',
  );
  const [control] = arms;
  const isControl = arm === control;
  const found = metrics
    .filter(({ role }) => role === 'deciding')
    .flatMap((metric) =>
      metric.differences
        .filter((each) =>
          isControl ? each.verdict === 'worse' : each.armId === armId && each.verdict === 'better',
        )
        .map(({ relative }) =>
          relative === null ? metric.name : `${metric.name} (${percent(Math.abs(relative))})`,
        ),
    );
  const than = isControl ? 'the other arms' : `“${at(arms, 0).name}”`;
  const warning =
    worseGuardrails.length > 0 ? ` But it is worse in ${worseGuardrails.join(', ')}.` : '';
  const text = `“${arm.name}” is ahead of ${than} in ${[...new Set(found)].join(', ')}.${warning}`;
  return { ...UNDECIDED, verdict: 'ahead', armId, worseGuardrails, text };
}

/** Better in something, worse in nothing, by the most. */
function leader(arms: readonly ArmVerdicts[]): ArmVerdicts | undefined {
  const gain = ({ deciding }: ArmVerdicts) =>
    Math.max(
      ...deciding.map(({ verdict, relative, difference }) =>
        verdict === 'better' ? Math.abs(relative ?? difference ?? 0) : 0,
      ),
    );
  return arms
    .filter((arm) => has(arm, 'better') && !has(arm, 'worse'))
    .toSorted((a, b) => gain(b) - gain(a))[0];
}

function largestDifference({ metrics }: Situation): number {
  const shares = metrics
    .filter(({ role }) => role === 'deciding')
    .flatMap(({ arms, differences }) =>
      differences.map(({ low, high }) => {
        const farthest = Math.max(Math.abs(low ?? 0), Math.abs(high ?? 0));
        return farthest / (at(arms, 0).mean ?? Number.POSITIVE_INFINITY);
      }),
    );
  return Math.max(...shares);
}

/** None before seven full days, under fifty people an arm, or with a broken split. */
export function decideAnswer(situation: Situation): Answer {
  const { arms, fullDays, isSplitBroken } = situation;
  if (isSplitBroken) {
    const text = 'Not decided: people did not fall into the arms as the weights say.';
    return { ...UNDECIDED, reason: 'split_is_broken', text };
  }
  if (arms.some(({ people }) => people < MINIMUM_PEOPLE)) {
    const why = `each arm needs ${MINIMUM_PEOPLE} people whose conversion window is over.`;
    return undecided(situation, 'too_few_people', missingForFifty(situation), why);
  }
  if (fullDays < MINIMUM_DAYS) {
    const why = `an experiment runs for ${MINIMUM_DAYS} full days at least.`;
    return undecided(situation, 'too_few_days', null, why);
  }
  const verdicts = verdictsByArm(situation);
  const best = leader(verdicts);
  if (best) return ahead(situation, best.id, best.guardrails);
  if (verdicts.some((arm) => has(arm, 'better'))) {
    const why = 'one metric is better and another is worse; which counts more is yours to say.';
    return { ...UNDECIDED, reason: 'metrics_disagree', text: `Not decided: ${why}` };
  }
  if (verdicts.every((arm) => has(arm, 'worse') || !has(arm, 'not_decided'))) {
    if (verdicts.some((arm) => has(arm, 'worse'))) return ahead(situation, at(arms, 0).id, []);
    const largest = largestDifference(situation);
    const text = `No difference larger than ${percent(largest)} of “${at(arms, 0).name}”.`;
    return { ...UNDECIDED, verdict: 'no_difference', largest, text };
  }
  const why = 'the difference may still be either way.';
  return undecided(situation, 'interval_too_wide', missingPeople(situation), why);
}
