import type { AppContext } from '../../context.ts';
import type { ExperimentAnswer } from '../../query/experiment/model.ts';
import { at, must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { AHEAD_MS, endOfStep } from '../events/index.ts';
import { type Funnel, findDefaultFunnel, windowHours } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import { NO_RATE, rateWithInterval } from '../../shared/statistics/rates.ts';
import { measure, needsPayments, type Payments, readPayments } from './comparison/measure.ts';
import { readExperiment } from './experiments.ts';
import type { Arm, Experiment } from './model.ts';
import type { ArmFigures, ExperimentReport } from './report.model.ts';
import { checkSampleRatio } from './sample-ratio.ts';

/** Without a funnel nobody converts, but people are counted. */
const NO_CONVERSION = [{ event: EXPOSURE_EVENT }];

const HOUR_US = HOUR_MS * 1_000;

type ReportedFunnel = Pick<Funnel, 'id' | 'steps'> | null;

const toUs = (iso: string): number => new Date(iso).getTime() * 1_000;

type Period = { from: string; to: string };

function toPeriod(experiment: Experiment, now: Date): Period {
  if (experiment.startedAt === null) {
    throw new AppError('conflict', 'The experiment has not started.', {
      hint: 'Start it with PATCH {"status":"running"}.',
    });
  }
  return { from: experiment.startedAt, to: experiment.stoppedAt ?? toIso(endOfStep(now)) };
}

export function toConversionSteps(funnel: Pick<Funnel, 'steps'> | null) {
  if (!funnel) return [...NO_CONVERSION];
  return funnel.steps.map(({ event, where }) => ({ event, ...(where && { where }) }));
}

function toMeasures({ measurement }: Experiment, payments: Payments | null) {
  const { windowHours: hours, metrics, capPercentile } = measurement;
  const events = metrics.flatMap(({ event, where }) =>
    event === null ? [] : [{ event, ...(where && { where }) }],
  );
  return {
    horizonUs: hours * HOUR_US,
    events,
    payments: payments?.payments ?? [],
    capPercentile,
  };
}

/** False when exposed people never entered the funnel. */
function isEntered(funnel: ReportedFunnel, { arms }: ExperimentAnswer): boolean {
  const isExposed = arms.some(({ people }) => people > 0);
  return !funnel || !isExposed || arms.some((arm) => arm.funnel && at(arm.funnel.people, 0) > 0);
}

const WITHHELD = { converted: null, ...NO_RATE };

type ArmCounts = {
  people: number;
  converted: number | null;
};

/** None under fifty people, or when nobody entered the funnel. */
function armFigures(
  arm: Arm,
  { people, converted }: ArmCounts,
  isFunnelEntered: boolean,
): ArmFigures {
  const size = judge(people);
  const verdict = size === 'ready' && !isFunnelEntered ? 'no_data' : size;
  if (verdict !== 'ready' || converted === null) return { ...arm, people, verdict, ...WITHHELD };
  return { ...arm, people, verdict, converted, ...rateWithInterval(converted, people) };
}

function toFigures(experiment: Experiment, funnel: ReportedFunnel, answer: ExperimentAnswer) {
  const countsById = new Map(answer.arms.map((arm) => [arm.armId, arm]));
  const isFunnelEntered = isEntered(funnel, answer);
  const arms = experiment.arms.map((arm) => {
    // Absent without exposures or entries.
    const counts = countsById.get(arm.id);
    const converted = funnel && (counts?.funnel?.people.at(-1) ?? 0);
    return armFigures(arm, { people: counts?.people ?? 0, converted }, isFunnelEntered);
  });
  return { arms, ...(!isFunnelEntered && { notice: 'nobody_entered_the_funnel' as const }) };
}

/** Throws `conflict` for a draft. */
export async function reportExperiment(
  ctx: AppContext<'clock' | 'queries' | 'rates' | 'sql'>,
  input: { experimentId: string },
): Promise<ExperimentReport> {
  const { deps, app, scope } = ctx;
  const computedAt = deps.clock();
  const experiment = await readExperiment(ctx, input);
  const window = toPeriod(experiment, computedAt);
  const { measurement } = experiment;
  const measuredTo = new Date(
    new Date(window.to).getTime() + measurement.windowHours * HOUR_MS + AHEAD_MS,
  );
  const [funnel, conversionWindowHours, payments] = await Promise.all([
    measurement.funnel ?? findDefaultFunnel(deps.sql, scope),
    windowHours(deps.sql, scope),
    needsPayments(measurement)
      ? readPayments(ctx, { from: new Date(window.from), to: measuredTo })
      : null,
  ]);
  const windowUs = conversionWindowHours * HOUR_US;
  const answer = await deps.queries.ask(
    'experiment',
    {
      ...scope,
      experimentId: experiment.id,
      steps: toConversionSteps(funnel),
      exposedFromUs: toUs(window.from),
      fromUs: toUs(window.from) - windowUs,
      // Events of fast device clocks are ahead of the end.
      startBeforeUs: toUs(window.to) + AHEAD_MS * 1_000,
      windowUs,
      filters: {},
      measure: toMeasures(experiment, payments),
    },
    { signal: ctx.signal },
  );
  const { arms, ...notice } = toFigures(experiment, funnel, answer);
  const people = arms.reduce((sum, arm) => sum + arm.people, 0);
  const sampleRatio = checkSampleRatio(arms);
  const measurable = {
    experiment,
    window,
    measured: must(answer.measured, 'the question has a measure'),
    overriddenPeople: answer.overriddenPeople,
    exposed: people,
    isSplitBroken: sampleRatio.verdict === 'do_not_trust',
    payments,
  };
  return {
    experimentId: experiment.id,
    appId: app.id,
    name: experiment.name,
    status: experiment.status,
    funnelId: funnel?.id ?? null,
    window,
    conversionWindowHours,
    people,
    mixedPeople: answer.mixedPeople,
    minimumPeople: MINIMUM_PEOPLE,
    sampleRatio,
    arms,
    ...notice,
    ...measure(measurable),
    computedAt: toIso(computedAt),
    dataThrough: toIso(new Date(answer.dataThroughMs)),
  };
}
