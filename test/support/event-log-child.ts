// Appends one record, says so, and stays: the test kills it.
import { EventLog } from '../../src/event-store/log/event-log.ts';

const dir = Bun.argv[2] ?? '';
const silent = () => undefined;
const eventLog = await EventLog.open({
  dir,
  log: { error: silent, warn: silent, info: silent },
  maxSegmentAgeMs: 60_000,
});
await eventLog.append({
  org: 'org_1',
  app: 'app_1',
  key: 'key_1',
  receivedAt: 1,
  body: Buffer.from('from a child'),
});
process.stdout.write('ready\n');
setInterval(silent, 1_000);
