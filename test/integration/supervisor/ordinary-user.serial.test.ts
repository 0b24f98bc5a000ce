import { describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, copyFileSync, linkSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { findTemporalCli } from '../../../src/launcher/embedded/temporal-cli.ts';
import { canReach } from '../../../src/shared/account.ts';
import { isHealthy, startInstance } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

/** An account that every system has and that owns nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

function reason(): string | undefined {
  if (process.getuid?.() !== 0)
    return 'the tests do not run as root, so every start is that of an ordinary user';
  if (!canReach(join(ROOT, 'package.json'), NOBODY))
    return `${ROOT} is in a folder closed to others`;
  if (!canReach(process.execPath, NOBODY))
    return `${process.execPath} is in a folder closed to others`;
  return undefined;
}

/** The binary where the account may run it; the cache of root is closed to others. */
async function reachableCli(folder: string): Promise<string> {
  const found = await findTemporalCli(loadConfig(process.env).temporal, console.log);
  const path = join(folder, 'temporal');
  try {
    linkSync(found, path);
  } catch {
    copyFileSync(found, path);
  }
  return path;
}

describe('an ordinary user', () => {
  const why = reason();
  if (why !== undefined) console.log(`not run: a start as another user (${why})`);

  test.skipIf(why !== undefined)('starts the service, and owns everything it makes', async () => {
    const home = mkdtempSync(join(tmpdir(), 'user-'));
    chownSync(home, NOBODY.uid, NOBODY.gid);
    const shared = mkdtempSync(join(tmpdir(), 'shared-'));
    chmodSync(shared, 0o755);
    const dataDir = join(home, 'data');
    const instance = await startInstance({
      dataDir,
      account: NOBODY,
      env: { HOME: home, TMPDIR: home, TEMPORAL_CLI_PATH: await reachableCli(shared) },
    });
    await until('isHealthy(instance.url)', () => isHealthy(instance.url));
    const made = ['.', 'postgres', 'secrets/auth-secret', 'temporal/temporal.db'];
    expect(made.map((name) => statSync(join(dataDir, name)).uid)).toEqual(
      made.map(() => NOBODY.uid),
    );
    expect(await instance.stop()).toBe(0);
  });
});
