import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { concernsService, reloadOnChange } from '../../../src/launcher/reload.ts';

const log = pino({ enabled: false });

/** A folder that is watched, and a way to await the next reload. */
function watched() {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  mkdirSync(join(folder, 'deep'));
  let reloads = 0;
  let wake = Promise.withResolvers<void>();
  const end = reloadOnChange(
    async () => {
      reloads += 1;
      wake.resolve();
      wake = Promise.withResolvers();
    },
    log,
    [folder],
  );
  return { folder, end, count: () => reloads, next: () => wake.promise };
}

describe('reloading on a change', () => {
  test('comes once for a burst of writes, in any depth', async () => {
    const { folder, end, count, next } = watched();
    const reloaded = next();
    for (let write = 0; write < 5; write += 1) {
      writeFileSync(join(folder, 'deep', 'route.ts'), `export const a = ${write};`);
    }
    await reloaded;
    expect(count()).toBe(1);
    const again = next();
    writeFileSync(join(folder, '0001_a.sql'), 'SELECT 1');
    await again;
    expect(count()).toBe(2);
    end();
  });

  test('does not come for files that are no part of the service', async () => {
    const { folder, end, count, next } = watched();
    const reloaded = next();
    for (const name of ['.route.ts.swp', 'notes.md']) {
      expect(concernsService(name)).toBe(false);
      writeFileSync(join(folder, name), 'x');
    }
    expect(count()).toBe(0);
    writeFileSync(join(folder, 'route.ts'), 'x');
    await reloaded;
    expect(count()).toBe(1);
    end();
  });
});
