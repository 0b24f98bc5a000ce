import { openEngine } from '../../../src/event-store/parquet/engine.ts';
import { createCooldowns } from '../../../src/lake/cooldowns.ts';
import { publishLake } from '../../../src/lake/publish.ts';
import type { Publisher } from '../../../src/lake/publisher.ts';
import { sweepLake } from '../../../src/lake/rounds.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import type { TestEventStore } from '../event-store.ts';
import { quietLog } from '../events.ts';

type Store = Pick<TestEventStore, 'dir' | 'objects' | 'log'>;

/** The publisher of a store's lake. */
export function lakeOf(sql: Sql, store: Store, eventsUrl = `file://${store.dir}/objects`) {
  let opened: ReturnType<typeof openEngine> | undefined;
  const publisher: Publisher = {
    sql,
    objects: store.objects,
    eventsUrl,
    log: store.log,
    rests: createCooldowns(() => Date.now()),
    duck: () => {
      opened ??= openEngine({ memoryMb: 256, threads: 1, tempDir: `${store.dir}/lake-tmp` });
      return opened;
    },
  };
  return { publisher, publish: () => publishLake(publisher), sweep: () => sweepLake(publisher) };
}

/** Publishes the event files that are in `events` of a folder. */
export async function publishFolder(sql: Sql, objects: ObjectStore, dir: string): Promise<void> {
  const store = { dir, objects, log: quietLog() };
  await lakeOf(sql, store, `file://${dir}/events`).publish();
}
