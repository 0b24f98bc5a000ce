import type { AppContext } from '../../context.ts';
import { EXPOSURE_EVENT, type ExperimentAnswer } from '../../query/experiment/model.ts';
import { AppError } from '../../shared/errors.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { AHEAD_MS } from '../events/index.ts';
import { type Funnel, findDefaultFunnel, MINIMUM_PEOPLE, windowHours } from '../funnels/index.ts';
import { armFigures } from './arm-figures.ts';
import type { Experiment } from './model.ts';
import { readExperiment } from './read.ts';
import type { ExperimentReport } from './report.model.ts';
import { checkSampleRatio } from './sample-ratio.ts';

/** Without a funnel there is nothing to convert in; the arms' people are counted all the same. */
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

/** Without a funnel nobody is expected to enter one. */
function isEntered(funnel: Funnel | null, { arms }: ExperimentAnswer): boolean {
  const isExposed = arms.some(({ people }) => people > 0);
  return !funnel || !isExposed || arms.some((arm) => (arm.funnel?.people[0] ?? 0) > 0);
}

function figuresOf(experiment: Experiment, funnel: Funnel | null, answer: ExperimentAnswer) {
  const counted = new Map(answer.arms.map((arm) => [arm.armId, arm]));
  const isFunnelEntered = isEntered(funnel, answer);
  const arms = experiment.arms.map((arm) => {
    const found = counted.get(arm.id);
    const converted = funnel && (found?.funnel?.people.at(-1) ?? 0);
    return armFigures(arm, { people: found?.people ?? 0, converted }, isFunnelEntered);
  });
  return { arms, ...(!isFunnelEntered && { notice: 'nobody_entered_the_funnel' as const }) };
}

/**
 * How the arms did in the app's default funnel; what counts is said in `query/experiment/arms.ts`.
 * Throws `conflict` for a draft.
 */
export async function reportExperiment(
  ctx: AppContext,
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
  const answer = await deps.queries.experiment({
    ...scope,
    experimentId: experiment.id,
    steps: funnel?.steps.map(({ event, where }) => ({ event, ...(where && { where }) })) ?? [
      ...NO_CONVERSION,
    ],
    exposedFromUs: toUs(window.from),
    fromUs: toUs(window.from) - windowUs,
    // An event of a device whose clock is fast lies ahead of the end.
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
