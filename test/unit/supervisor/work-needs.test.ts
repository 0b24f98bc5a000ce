import { expect, test } from 'bun:test';
import { activities, askingActivities } from '../../../activities/activity.ts';
import { createActivities, onFilesQueue } from '../../../activities/index.ts';
import type { Chapter } from '../../../src/chapter.ts';
import { loadConfig } from '../../../src/config.ts';
import type { Deps, OrgContext } from '../../../src/context.ts';
import { writeDigest } from '../../../src/modules/digests/index.ts';
import { answerRefundRequest } from '../../../src/modules/purchases/index.ts';
import { checkAlerts } from '../../../src/modules/insights/index.ts';
import { checkWatches } from '../../../src/modules/watches/index.ts';
import { NEEDS } from '../../../src/observability/needs.ts';
import { ASKING } from '../../../src/shared/query-socket.ts';
import { temporaryFolder } from '../../support/events.ts';

const config = loadConfig({ DATA_DIR: temporaryFolder('needs') });
const deps = { config } as Deps;
const asking = { answerRefundRequest, checkAlerts, checkWatches, writeDigest };
type Asks = (ctx: Pick<OrgContext<'queries'>, 'deps' | 'requestId'>) => Promise<void>;
type Appends = (ctx: Pick<OrgContext<'events'>, 'deps' | 'requestId'>) => Promise<void>;
const asks: Asks = async () => undefined;
const appends: Appends = async () => undefined;

test('the compiler refuses work that needs what it does not say', () => {
  const refused = () => {
    // @ts-expect-error It asks events and is not named in ASKING.
    activities(deps, { asks });
    // @ts-expect-error A worker has no log.
    activities(deps, { appends });
    // @ts-expect-error Not named in ASKING.
    askingActivities(deps, { ...asking, asks });
    // @ts-expect-error One of ASKING is left out.
    askingActivities(deps, { checkAlerts, checkWatches, writeDigest });
    // @ts-expect-error Hosts for event files alone reconcile too.
    const chapter: Chapter = { name: 'asking', tables: [], reconcile: (all) => asks(all) };
    return chapter;
  };
  expect(refused).toBeFunction();
});

test('activities that ask events are those of the part that needs a query process', () => {
  const made = createActivities(deps, []);
  expect(Object.keys(made)).toEqual(expect.arrayContaining(Object.keys(ASKING)));
  expect(Object.keys(onFilesQueue(made)).filter((name) => name in ASKING)).toEqual([]);
  for (const words of Object.values(ASKING)) expect(NEEDS.main.beside.query).toContain(words);
  expect(NEEDS.files.beside).toEqual({});
});
