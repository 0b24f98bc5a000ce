import type { OrgContext } from '../context.ts';
import { recordOrigin } from '../event-store/append.ts';
import { assignArm } from '../modules/experiments/assignment.ts';
import { exposureBatch, exposureId } from '../modules/experiments/exposure.ts';
import { Experiment } from '../modules/experiments/model.ts';
import { Onboarding } from '../modules/experiments/onboardings/model.ts';
import { at } from '../shared/assert.ts';
import { parser } from '../shared/schema.ts';
import { DAY_MS } from '../shared/time.ts';
import type { DemoApi } from './api.ts';
import type { DemoPerson, ShowOnboarding } from './month.ts';
import { backdateExperiment } from './queries.ts';

const onboarding = parser(Onboarding, 'onboarding');
const experiment = parser(Experiment, 'experiment');

/** Records that share one write of the event log. */
const AT_ONCE = 500;

/** An app asks for its onboarding before it tracks that it was opened. */
const ASKED_BEFORE_MS = 50;

type Period = { fromDaysAgo: number; toDaysAgo: number | null };
const ENDED: Period = { fromDaysAgo: 27, toDaysAgo: 12 };
const RUNNING: Period = { fromDaysAgo: 10, toDaysAgo: null };

export type DemoExperiment = {
  id: string;
  arms: { id: string; weight: number }[];
  fromMs: number;
  toMs: number;
};

export type DemoExperiments = { ended: DemoExperiment; running: DemoExperiment };

/** The index of the arm that somebody who comes at an instant gets, if the experiment runs then. */
function armIndex(
  { id, arms, fromMs, toMs }: DemoExperiment,
  { anonymousId, startMs }: Pick<DemoPerson, 'anonymousId' | 'startMs'>,
): number | null {
  if (startMs < fromMs || startMs >= toMs) return null;
  return assignArm(
    id,
    arms.map(({ weight }) => weight),
    anonymousId,
  );
}

/** The second arm of the experiment that ended showed a shorter onboarding. */
export function onboardingsOf({ ended }: DemoExperiments): ShowOnboarding {
  return (anonymousId, startMs) =>
    armIndex(ended, { anonymousId, startMs }) === 1 ? 'short' : 'long';
}

type Scope = { ctx: OrgContext<'clock' | 'events' | 'sql'>; api: DemoApi; appId: string };

async function makeOnboarding(
  { api, appId }: Scope,
  name: string,
  screens: string[],
  isDefault: boolean,
) {
  const body = { name, config: { screens }, isDefault };
  return api.post(`/v1/apps/${appId}/onboardings`, body, onboarding.parse);
}

async function makeExperiment(
  { ctx, api, appId }: Scope,
  name: string,
  arms: readonly { name: string; onboardingId: string }[],
  { fromDaysAgo, toDaysAgo }: Period,
): Promise<DemoExperiment> {
  const path = `/v1/apps/${appId}/experiments`;
  const body = { name, arms: arms.map((arm) => ({ ...arm, weight: 1 })) };
  const made = await api.post(path, body, experiment.parse);
  await api.patch(`${path}/${made.id}`, { status: 'running' }, experiment.parse);
  if (toDaysAgo !== null) {
    await api.patch(`${path}/${made.id}`, { status: 'stopped' }, experiment.parse);
  }
  const nowMs = ctx.deps.clock().getTime();
  const fromMs = nowMs - fromDaysAgo * DAY_MS;
  const toMs = nowMs - (toDaysAgo ?? 0) * DAY_MS;
  await backdateExperiment(ctx.deps.sql, {
    orgId: ctx.orgId,
    id: made.id,
    startedAt: new Date(fromMs),
    stoppedAt: toDaysAgo === null ? null : new Date(toMs),
  });
  return { id: made.id, arms: made.arms, fromMs, toMs };
}

/** An experiment that ended with a better arm, and one that runs and shows no difference yet. */
export async function makeExperiments(scope: Scope): Promise<DemoExperiments> {
  const long = await makeOnboarding(
    scope,
    'Four screens',
    ['welcome', 'goal', 'reminders', 'notifications'],
    true,
  );
  const short = await makeOnboarding(scope, 'Two screens', ['welcome', 'goal'], false);
  const film = await makeOnboarding(
    scope,
    'Four screens and a film',
    ['film', 'welcome', 'goal', 'reminders', 'notifications'],
    false,
  );
  const ended = await makeExperiment(
    scope,
    'Four screens or two',
    [
      { name: 'four', onboardingId: long.id },
      { name: 'two', onboardingId: short.id },
    ],
    ENDED,
  );
  const running = await makeExperiment(
    scope,
    'With or without a film',
    [
      { name: 'without', onboardingId: long.id },
      { name: 'with', onboardingId: film.id },
    ],
    RUNNING,
  );
  return { ended, running };
}

/** The record of the event log that says that a person saw an arm, received when they came. */
function exposureOf(experiment: DemoExperiment, person: DemoPerson) {
  const index = armIndex(experiment, person);
  if (index === null) return [];
  const { anonymousId, startMs } = person;
  const exposure = {
    experimentId: experiment.id,
    armId: at(experiment.arms, index).id,
    anonymousId,
    overridden: false,
  };
  const body = Buffer.from(exposureBatch(exposureId(exposure, 'production'), exposure));
  return [{ receivedAt: startMs - ASKED_BEFORE_MS, body }];
}

/** Appends the exposures, which no client may send, to the event log. Returns their number. */
export async function recordExposures(
  { ctx, appId }: Scope,
  keyId: string,
  { ended, running }: DemoExperiments,
  people: readonly DemoPerson[],
): Promise<number> {
  const { events } = ctx.deps;
  const exposures = people.flatMap((person) => [
    ...exposureOf(ended, person),
    ...exposureOf(running, person),
  ]);
  const origin = recordOrigin({ orgId: ctx.orgId, appId, keyId, environment: 'production' });
  for (let start = 0; start < exposures.length; start += AT_ONCE) {
    const some = exposures.slice(start, start + AT_ONCE);
    await Promise.all(some.map((exposure) => events.append({ ...origin, ...exposure })));
  }
  return exposures.length;
}
