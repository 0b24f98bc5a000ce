import { describe, expect, test } from 'bun:test';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MARKER_KEY } from '../../../src/event-store/objects/names.ts';
import { claimPlace } from '../../../src/event-store/ownership/claim.ts';
import { readMarker } from '../../../src/event-store/ownership/marker.ts';
import { ownedObjectStore } from '../../../src/event-store/ownership/owned-queries.ts';
import { livePaths, readInstallation } from '../../../src/event-store/ownership/queries.ts';
import { newId } from '../../../src/shared/ids.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import { startEventService } from '../../support/event-service.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';

function placeOf(sql: Sql, folder: string) {
  const objects = localObjectStore(folder);
  return { sql, clock: systemClock, objects, url: String(pathToFileURL(folder)) };
}

/** A service with one event file, and the folder that it is in. */
async function serviceWithFiles() {
  const folder = temporaryFolder('owned');
  const service = await startEventService({ EVENTS_URL: String(pathToFileURL(folder)) });
  await service.store(newId('app'), 3);
  return { ...service, folder, sql: service.deps.sql };
}

describe('the place of event files', () => {
  test('is claimed when it is empty, once', async () => {
    const { sql } = await testDatabase();
    const place = placeOf(sql, temporaryFolder('empty'));
    const { id } = await readInstallation(sql);
    expect(await claimPlace(place)).toBe(id);
    expect(await claimPlace(place)).toBe(id);
    expect(await readMarker(place.objects)).toBe(id);
  });

  test('is known by the id, whatever path it was moved to', async () => {
    const { sql, folder } = await serviceWithFiles();
    const moved = temporaryFolder('moved');
    await cp(folder, moved, { recursive: true });
    const place = placeOf(sql, moved);
    expect(await claimPlace(place)).toBe((await readInstallation(sql)).id);
    expect((await readInstallation(sql)).eventsUrl).toBe(place.url);
  });

  test('without a marker is claimed by who has every live file in it', async () => {
    const { sql, folder } = await serviceWithFiles();
    await rm(join(folder, MARKER_KEY));
    await claimPlace(placeOf(sql, folder));
    expect(await readMarker(localObjectStore(folder))).toBe((await readInstallation(sql)).id);
  });

  test('is refused when it lacks a live file', async () => {
    const { sql, folder } = await serviceWithFiles();
    const [path] = await livePaths(sql);
    await rm(join(folder, MARKER_KEY));
    await rm(join(folder, path!));
    await expect(claimPlace(placeOf(sql, folder))).rejects.toThrow('1 of 2 event files are not');
  });

  test('is refused when it is another installation’s, and stays theirs', async () => {
    const { folder, deps } = await serviceWithFiles();
    const other = await testDatabase();
    const place = placeOf(other.sql, folder);
    await expect(claimPlace(place)).rejects.toMatchObject({ code: 'conflict' });
    expect(await readMarker(place.objects)).toBe((await readInstallation(deps.sql)).id);
  });

  test('is refused when it is full and the catalogue is empty', async () => {
    const { folder } = await serviceWithFiles();
    await rm(join(folder, MARKER_KEY));
    const other = await testDatabase();
    await expect(claimPlace(placeOf(other.sql, folder))).rejects.toThrow(
      'holds 2 files that this database does not know',
    );
  });

  test('is refused when the files of this installation are elsewhere', async () => {
    const { sql, folder } = await serviceWithFiles();
    const forgotten = placeOf(sql, temporaryFolder('forgotten'));
    await expect(claimPlace(forgotten)).rejects.toThrow(folder);
    const { sql: fresh } = await testDatabase();
    await claimPlace(placeOf(fresh, temporaryFolder('first')));
    const second = placeOf(fresh, temporaryFolder('second'));
    await expect(claimPlace(second)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('of two hosts that start at once with different places, one is refused', async () => {
    const { sql } = await testDatabase();
    const places = ['a', 'b'].map((name) => placeOf(sql, temporaryFolder(name)));
    const results = await Promise.allSettled(places.map(claimPlace));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('files of another installation', () => {
  test('are neither removed nor added to, and can be read', async () => {
    const { folder } = await serviceWithFiles();
    const other = await testDatabase();
    const raw = localObjectStore(folder);
    const before = (await raw.list('')).map(({ key }) => key).toSorted();
    const guarded = ownedObjectStore(placeOf(other.sql, folder));
    const key = before.find((one) => one.startsWith('events/'))!;
    await expect(guarded.remove(key)).rejects.toMatchObject({ code: 'conflict' });
    await expect(guarded.putBytes('events/x', Buffer.from('x'))).rejects.toThrow('belong to');
    await expect(guarded.putBytes('segments/x', Buffer.from('x'))).rejects.toThrow('belong to');
    await expect(guarded.adopt(raw.scratchPath('x'), 'events/x')).rejects.toThrow('belong to');
    expect((await raw.list('')).map((one) => one.key).toSorted()).toEqual(before);
    expect(await guarded.getBytes(key)).not.toBeNull();
  });

  test('take copies of the log only from who cannot tell whose they are yet', async () => {
    const place = placeOf((await testDatabase()).sql, temporaryFolder('away'));
    const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const sql = { begin: () => Promise.reject(away) } as unknown as Sql;
    const guarded = ownedObjectStore({ ...place, sql });
    await guarded.putBytes('segments/one', Buffer.from('x'));
    await expect(guarded.putBytes('events/one', Buffer.from('x'))).rejects.toThrow('gone');
  });
});
