import type { Api } from '../../clients/api/src/index.ts';
import type { OrgContext } from '../context.ts';
import { recordOrigin } from '../event-store/append.ts';
import { assignArm } from '../modules/experiments/assignment.ts';
import { exposureBatch, exposureId } from '../modules/experiments/exposure.ts';
import { at } from '../shared/assert.ts';
import { DAY_MS } from '../shared/time.ts';
import type { DemoPerson, ShowOnboarding } from './month.ts';
import { backdateExperiment } from './queries.ts';

const AT_ONCE = 500;

/** Apps request the onboarding before they track their first event. */
const SHOWN_BEFORE_MS = 50;

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

/** Index of the person's arm; null while the experiment does not run. */
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

/** The second arm of the ended experiment has the shorter onboarding. */
export function onboardingsBy({ ended }: DemoExperiments): ShowOnboarding {
  return (anonymousId, startMs) =>
    armIndex(ended, { anonymousId, startMs }) === 1 ? 'short' : 'long';
}

type Scope = { ctx: OrgContext<'clock' | 'events' | 'sql'>; api: Api; appId: string };

async function makeOnboarding(
  { api, appId }: Scope,
  name: string,
  screens: string[],
  isDefault: boolean,
) {
  return api.createOnboarding({ id: appId, body: { name, config: { screens }, isDefault } });
}

async function makeExperiment(
  { ctx, api, appId }: Scope,
  name: string,
  arms: readonly { name: string; onboardingId: string }[],
  { fromDaysAgo, toDaysAgo }: Period,
): Promise<DemoExperiment> {
  const body = { name, arms: arms.map((arm) => ({ ...arm, weight: 1 })) };
  const made = await api.createExperiment({ id: appId, body });
  const scope = { id: appId, experimentId: made.id };
  await api.updateExperiment({ ...scope, body: { status: 'running' } });
  if (toDaysAgo !== null) await api.updateExperiment({ ...scope, body: { status: 'stopped' } });
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

/** One ended with a better arm, one runs without a difference yet. */
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

function toExposures(experiment: DemoExperiment, person: DemoPerson) {
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
  return [{ receivedAt: startMs - SHOWN_BEFORE_MS, body }];
}

/** To the event log, since no client may send exposures. */
export async function recordExposures(
  { ctx, appId }: Scope,
  keyId: string,
  { ended, running }: DemoExperiments,
  people: readonly DemoPerson[],
): Promise<number> {
  const { events } = ctx.deps;
  const exposures = people.flatMap((person) => [
    ...toExposures(ended, person),
    ...toExposures(running, person),
  ]);
  const origin = recordOrigin({ orgId: ctx.orgId, appId, keyId, environment: 'production' });
  for (let start = 0; start < exposures.length; start += AT_ONCE) {
    const some = exposures.slice(start, start + AT_ONCE);
    await Promise.all(some.map((exposure) => events.append({ ...origin, ...exposure })));
  }
  return exposures.length;
}
