import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { createCooldowns } from '../../src/lake/cooldowns.ts';
import { publishLake } from '../../src/lake/publish.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import { createSql } from '../../src/storage/postgres.ts';

/** Publishes the lake of a folder and a database without end, until it is killed. */
const [, , databaseUrl = '', dir = ''] = process.argv;
const sql = createSql(databaseUrl, { maxConnections: 4, applicationName: 'publisher' });
const engine = openEngine({ memoryMb: 64, threads: 1, tempDir: `${dir}/child-tmp` });
const publisher = {
  ...{ sql, objects: localObjectStore(`${dir}/objects`), eventsUrl: `file://${dir}/objects` },
  log: { info: () => undefined },
  duck: () => engine,
  rests: createCooldowns(() => Date.now()),
};
await engine;
let made = 0;
for (;;) {
  // Something to publish each time: an alias, and a file that another stands for.
  made += 1;
  await sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    VALUES ('app_1', ${`device-${process.pid}-${made}`}, 'user', 'org_1', now(), 0)`;
  await sql`UPDATE event_alias_counts SET aliases = aliases + 1`;
  await sql`
    UPDATE event_files SET state = CASE state WHEN 'live' THEN 'retired' ELSE 'live' END,
      retired_at = now() WHERE file_id IN (SELECT file_id FROM event_files ORDER BY random() LIMIT 2)`;
  await publishLake(publisher);
  if (made === 1) console.log('published');
}
