import type { AppContext } from '../../context.ts';
import { EXPOSURE_EVENT, type ExperimentAnswer } from '../../query/experiment/model.ts';
import { at } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { AHEAD_MS } from '../events/index.ts';
import {
  type Funnel,
  findDefaultFunnel,
  judge,
  MINIMUM_PEOPLE,
  NO_RATE,
  rateWithInterval,
  windowHours,
} from '../funnels/index.ts';
import { readExperiment } from './experiments.ts';
import type { Arm, Experiment } from './model.ts';
import type { ArmFigures, ExperimentReport } from './report.model.ts';
import { checkSampleRatio } from './sample-ratio.ts';

/** Steps of an app without a funnel: nobody converts, but the arms' people are counted. */
const NO_CONVERSION = [{ event: EXPOSURE_EVENT }];

const toUs = (iso: string): number => new Date(iso).getTime() * 1_000;

type Period = { from: string; to: string };

function periodOf(experiment: Experiment, now: Date): Period {
  if (experiment.startedAt === null) {
    throw new AppError('conflict', 'The experiment has not started.', {
      hint: 'Start it with PATCH {"status":"running"}.',
    });
  }
  return { from: experiment.startedAt, to: experiment.stoppedAt ?? toIso(now) };
}

/** False when people were exposed and none of them entered the funnel. */
function isEntered(funnel: Funnel | null, { arms }: ExperimentAnswer): boolean {
  const isExposed = arms.some(({ people }) => people > 0);
  return !funnel || !isExposed || arms.some((arm) => arm.funnel && at(arm.funnel.people, 0) > 0);
}

const WITHHELD = { converted: null, ...NO_RATE };

type ArmCounts = {
  people: number;
  /** Null when the app has no funnel. */
  converted: number | null;
};

/**
 * Rates are withheld under fifty people, and when nobody of any arm entered the funnel: it is then
 * not one that the exposed go through.
 */
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

function figuresOf(experiment: Experiment, funnel: Funnel | null, answer: ExperimentAnswer) {
  const countsById = new Map(answer.arms.map((arm) => [arm.armId, arm]));
  const isFunnelEntered = isEntered(funnel, answer);
  const arms = experiment.arms.map((arm) => {
    // Absent: nobody was exposed to the arm, or nobody of it entered the funnel.
    const counts = countsById.get(arm.id);
    const converted = funnel && (counts?.funnel?.people.at(-1) ?? 0);
    return armFigures(arm, { people: counts?.people ?? 0, converted }, isFunnelEntered);
  });
  return { arms, ...(!isFunnelEntered && { notice: 'nobody_entered_the_funnel' as const }) };
}

/**
 * Conversion of the arms in the app's default funnel, by the rules of `query/experiment/arms.ts`.
 * Throws `conflict` for a draft.
 */
export async function reportExperiment(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  input: { experimentId: string },
): Promise<ExperimentReport> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const computedAt = deps.clock();
  const experiment = await readExperiment(ctx, input);
  const window = periodOf(experiment, computedAt);
  const [funnel, conversionWindowHours] = await Promise.all([
    findDefaultFunnel(deps.sql, scope),
    windowHours(deps.sql, scope),
  ]);
  const windowUs = conversionWindowHours * HOUR_MS * 1_000;
  const answer = await deps.queries.ask('experiment', {
    ...scope,
    experimentId: experiment.id,
    steps: funnel?.steps.map(({ event, where }) => ({ event, ...(where && { where }) })) ?? [
      ...NO_CONVERSION,
    ],
    exposedFromUs: toUs(window.from),
    fromUs: toUs(window.from) - windowUs,
    // Devices whose clock is fast send events from ahead of the end.
    startBeforeUs: toUs(window.to) + AHEAD_MS * 1_000,
    windowUs,
    filters: {},
  });
  const { arms, ...notice } = figuresOf(experiment, funnel, answer);
  return {
    experimentId: experiment.id,
    appId: app.id,
    name: experiment.name,
    status: experiment.status,
    funnelId: funnel?.id ?? null,
    window,
    conversionWindowHours,
    people: arms.reduce((sum, arm) => sum + arm.people, 0),
    mixedPeople: answer.mixedPeople,
    minimumPeople: MINIMUM_PEOPLE,
    sampleRatio: checkSampleRatio(arms),
    arms,
    ...notice,
    computedAt: toIso(computedAt),
    dataThrough: toIso(new Date(answer.dataThroughMs)),
  };
}
