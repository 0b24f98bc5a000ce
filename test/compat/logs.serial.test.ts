import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Compat, findCompatPython, startCompat } from '../support/compat.ts';

const RECORDS = 1_000;
const KILLS = 3;
const BEGIN_MS = Math.floor(Date.now() / 1_000) * 1_000 - 86_400_000;

/** Exporters of OpenTelemetry: program, and the form that they send. */
const EXPORTERS: Record<string, readonly [program: string, form: string]> = {
  'JSON of Node': ['otlp-node-steady.mjs', 'json'],
  'protobuf of Node, gzip': ['otlp-node-steady.mjs', 'protobuf'],
  'protobuf of Python': ['otlp-python.py', 'none'],
  'protobuf of Python, gzip': ['otlp-python.py', 'gzip'],
  'protobuf of Python, deflate': ['otlp-python.py', 'deflate'],
};
const python = await findCompatPython('compat-python');

let service: Compat;
beforeAll(async () => {
  service = await startCompat('logs');
});
afterAll(() => service.stop());

test.each(Object.entries(EXPORTERS).filter(([, [program]]) => program.endsWith('.mjs') || python))(
  `%s: ${RECORDS} records, each stored once, as they were sent`,
  async (name, [program, form]) => {
    // Of other exporters' days.
    const begin = BEGIN_MS - Object.keys(EXPORTERS).indexOf(name) * 3_600_000;
    const script = join(import.meta.dir, 'clients', program);
    const command = [program.endsWith('.mjs') ? 'node' : (python ?? ''), script, service.intake];
    const sent = [service.apiKey, String(RECORDS), new Date(begin).toISOString(), form];
    const done = await service.killWhile([...command, ...sent], { kills: KILLS, steps: RECORDS });
    expect(done).toEqual({ exitCode: 0, kills: KILLS });
    const until = begin + RECORDS * 1_000;
    const query = `since=${begin}&until=${until}&limit=1000`;
    const { entries, total } = await service.json('GET', `/v1/logs?${query}`);
    expect(total).toBe(RECORDS);
    const plain = entries.map(({ timestamp, level, service, env, message, fields }: any) => ({
      ...{ timestamp, level, service, env, message },
      ...{ orderId: fields.orderId, retry: fields.retry, codes: fields.codes },
      ...{ nested: fields.nested, scope: fields.scope },
    }));
    const wanted = Array.from({ length: RECORDS }, (_, n) => ({
      timestamp: new Date(begin + n * 1_000).toISOString(),
      ...{ level: 'error', service: 'checkout', env: 'staging', message: `Payment ${n} failed` },
      ...{ orderId: n, retry: true, codes: ['a', 'b'], nested: { reason: 'timeout' } },
      scope: 'payments',
    }));
    expect(plain.toSorted((a: any, b: any) => a.orderId - b.orderId)).toEqual(wanted);
  },
);
