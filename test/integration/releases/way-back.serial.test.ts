import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Client, clientOf } from '../../release-fixture/client.ts';
import { type OpenedFixture, openFixture } from '../../release-fixture/open.ts';
import { askedInUtc, lasting } from '../../release-fixture/reads.ts';
import { releaseAt } from '../../release-fixture/release.ts';
import { RELEASES } from '../../release-fixture/releases.ts';
import { knowsCommit, withReleaseTree } from '../../release-fixture/tree.ts';
import { startWorld } from '../../release-fixture/world.ts';
import { temporaryFolder } from '../../support/events.ts';
import { describeFull } from '../../support/left-out.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { ROOT } from '../../support/sources.ts';

const known = isFullRun ? RELEASES.filter(knowsCommit) : [];
for (const release of RELEASES) {
  if (isFullRun && !known.includes(release)) {
    console.log(`not run: release ${release} (this copy of the repository lacks the commit)`);
  }
}

/** Without a worker, as the answers were given: what is under way stays as it was. */
const ROLES = 'api,query';

async function expectFigures(client: Client, { facts }: OpenedFixture): Promise<void> {
  for (const { name, path, headers, answer } of facts.reads) {
    const { body } = await client.call('GET', askedInUtc(name, path), headers);
    expect({ name, answer: lasting(name, body) }).toMatchObject({
      name,
      answer: lasting(name, answer),
    });
  }
}

describeFull(known.length > 0, 'this copy of the repository lacks the commits')(
  'the way back to its end',
  () => {
    test.each(known)(
      'release %s answers its figures on what an upgrade, a life of this release and a downgrade leave',
      async (commit) => {
        const dir = temporaryFolder('way-back');
        const database = await testDatabase();
        const fixture = await openFixture(commit, 'plain', { dir, database, asItWas: true });
        const world = await startWorld(fixture.facts.keys, dir, fixture.facts.rootPem);
        const { address, server } = await fixture.startTemporal();
        const env = {
          ...fixture.facts.env,
          ...world.env,
          DATABASE_URL: database.url,
          TEMPORAL_ADDRESS: address,
        };
        const ours = releaseAt(ROOT, fixture.dataDir, env);
        const [before, since] = [join(dir, 'before'), join(dir, 'since')];

        expect(await ours.admin('upgrade', before)).toContain(
          'holds a verified backup from before',
        );
        const upgraded = await ours.start('api,compactor,query');
        const client = clientOf(upgraded.url);
        await expectFigures(client, fixture);
        const anonymousId = 'since-the-upgrade';
        const events = [{ id: anonymousId, name: 'since_the_upgrade', anonymousId }];
        await client.call('POST', '/v1/events', fixture.facts.device, { events });
        expect(await upgraded.stop()).toBe(0);
        // Nothing is done where that release reads what this one wrote.
        expect(await ours.admin('downgrade', before, '--keep', since)).toMatch(
          /Start (the previous release|it) now\./,
        );

        await withReleaseTree(commit, async (tree) => {
          const old = await releaseAt(tree, fixture.dataDir, env).start(ROLES);
          try {
            await expectFigures(clientOf(old.url), fixture);
          } finally {
            await old.stop();
            await server.stop(5_000);
            await world.stop();
          }
        });
      },
      1_200_000,
    );
  },
);
