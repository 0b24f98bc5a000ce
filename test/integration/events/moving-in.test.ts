import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { compactNow } from '../../../src/event-store/keep.ts';
import {
  importEventsFile,
  parseRenames,
  previewEventsFile,
} from '../../../src/modules/events/index.ts';
import { ONBOARDING_FUNNEL } from '../../../src/modules/funnels/model.ts';
import { amplitudeExports } from '../../support/exports/amplitude.ts';
import { firebaseExports } from '../../support/exports/firebase.ts';
import { mixpanelExports } from '../../support/exports/mixpanel.ts';
import { ownExports } from '../../support/exports/own.ts';
import { type Export, SCREEN, type Truth } from '../../support/exports/people.ts';
import { posthogExports } from '../../support/exports/posthog.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const ctx = { deps, requestId: 'test' };
const { orgId, key } = await createTestOrg(service);
const folder = mkdtempSync(join(tmpdir(), 'moving-in-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EXPORTS: Record<string, Export[]> = {
  posthog: posthogExports(),
  mixpanel: mixpanelExports(),
  amplitude: amplitudeExports(),
  firebase: firebaseExports(),
  own: ownExports(),
};

type Case = Export & { format: string; appId: string; path: string };
const cases: Case[] = [];
for (const [format, files] of Object.entries(EXPORTS)) {
  for (const file of files) {
    const { appId } = await createTestApp(service, orgId);
    const path = join(folder, `${format}-${file.name}`);
    writeFileSync(path, file.content);
    cases.push({ ...file, format, appId, path });
  }
}
const inputOf = ({ appId, path, rename = {} }: Case) => ({
  appId,
  path,
  renames: parseRenames(Object.entries(rename).map(([from, to]) => `${from}=${to}`)),
});
const byName = (entries: readonly (readonly [string | null, number | null])[]) =>
  Object.fromEntries(entries.filter(([name]) => name !== null && name !== 'unknown'));

describe('files as other products export them', () => {
  test('are shown before they are stored', async () => {
    for (const each of cases) {
      const preview = await previewEventsFile(ctx, inputOf(each));
      const { platforms, versions, people, format, refusals, names } = preview;
      const shown = {
        people,
        platforms: byName(platforms.map((one) => [one.platform, one.people])),
        versions: byName(versions.map((one) => [one.appVersion, one.people])),
        screens: names
          .filter(({ name }) => name === 'screen_viewed')
          .reduce((sum, { events }) => sum + events, 0),
      };
      const { funnel: _, ...truth } = each.truth;
      expect({ file: each.path, format, refusals, ...shown }).toEqual({
        file: each.path,
        format: each.format,
        refusals: [],
        ...truth,
      });
    }
    expect(await compactNow(ctx)).toMatchObject({ events: 0 });
  });

  test('give the people, platforms, versions and the funnel that they hold', async () => {
    for (const each of cases) {
      const imported = await importEventsFile(ctx, inputOf(each));
      expect([each.path, imported.refusals]).toEqual([each.path, []]);
    }
    await compactEverything(deps);
    for (const each of cases) {
      expect({ file: each.path, ...(await figuresOf(each)) }).toEqual({
        file: each.path,
        ...each.truth,
      });
    }
    for (const each of cases) {
      expect([...new Set(await screensOf(each))]).toEqual([each.path, SCREEN]);
    }
  });
});

/** The screens that were seen; a web page is a path. */
async function screensOf({ appId, path }: Case): Promise<string[]> {
  const session = await openAnalystSession(deps, orgId);
  const { rows } = await session.ask(`SELECT DISTINCT props->>'screen' FROM events
    WHERE app_id = '${appId}' AND name = 'screen_viewed' ORDER BY 1`);
  await session.close();
  return [path, ...rows.map(([screen]) => String(screen).replace('/', ''))];
}

async function figuresOf({ appId }: Case): Promise<Truth> {
  const base = `/v1/apps/${appId}`;
  const { body: summary } = await call(`${base}/events/summary?days=90`, { headers: key });
  const { body: funnel } = await call(`${base}/funnels`, { headers: key, body: ONBOARDING_FUNNEL });
  const { body: report } = await call(`${base}/funnels/${funnel.id}/report?days=90`, {
    headers: key,
  });
  return {
    people: summary.people,
    platforms: byName(
      summary.platforms.map((one: { platform: string; people: number }) => [
        one.platform,
        one.people,
      ]),
    ),
    versions: byName(
      summary.versions.map((one: { appVersion: string; people: number }) => [
        one.appVersion,
        one.people,
      ]),
    ),
    funnel: report.steps.map((step: { people: number }) => step.people),
    screens: summary.names.find((one: { name: string }) => one.name === 'screen_viewed')?.events,
  };
}
