import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { type Compat, findBuilt, findCompatPython, startCompat } from '../support/compat.ts';
import { findJvmClients, jvmCommand } from '../support/jvm.ts';
import { startTlsFront } from '../support/tls-front.ts';
import { until as untilSeen } from '../support/until.ts';

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
  'protobuf of Java': ['otlp-jvm.java', 'none'],
  'protobuf of Java, gzip': ['otlp-jvm.java', 'gzip'],
  'protobuf of Go': ['go/otlp', 'none'],
  'protobuf of Go, gzip': ['go/otlp', 'gzip'],
  'protobuf of Rust': ['rust/otlp', 'none'],
  'protobuf of Rust, gzip': ['rust/otlp', 'gzip'],
  'the Collector, JSON': ['collector', 'json'],
  'the Collector, zstd': ['collector', 'zstd'],
};
const python = await findCompatPython('compat-python');
const jars = (await findJvmClients())?.get('otlp-jvm') ?? null;
const built = {
  go: await findBuilt('go'),
  rust: await findBuilt('rust'),
  collector: await findBuilt('collector'),
};

const isHere = (program: string): boolean => {
  if (program.endsWith('.mjs')) return true;
  if (program.endsWith('.java')) return jars !== null;
  if (program.endsWith('.py')) return python !== null;
  if (program === 'collector') return built.collector !== null;
  return (program.startsWith('go/') ? built.go : built.rust) !== null;
};

let service: Compat;
beforeAll(async () => {
  service = await startCompat('logs');
});
afterAll(() => service.stop());

/** A Collector before the service, which holds what it cannot hand on. */
async function startCollector(form: string) {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'collector-'))];
  const file = join(folder, 'collector.yaml');
  const exporter = {
    logs_endpoint: `${service.intake}/v1/otlp/v1/logs`,
    headers: { 'x-api-key': service.apiKey },
    encoding: form === 'json' ? 'json' : 'proto',
    compression: form === 'json' ? 'none' : form,
    retry_on_failure: { initial_interval: '500ms', max_interval: '2s', max_elapsed_time: '0s' },
  };
  const http = { endpoint: `127.0.0.1:${port}`, logs_url_path: '/v1/otlp/v1/logs' };
  const settings = {
    receivers: { otlp: { protocols: { http } } },
    exporters: { otlphttp: exporter },
    service: {
      telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
      pipelines: { logs: { receivers: ['otlp'], exporters: ['otlphttp'] } },
    },
  };
  await Bun.write(file, JSON.stringify(settings));
  const collector = Bun.spawn(
    [join(built.collector ?? '', 'compat-collector'), `--config=file:${file}`],
    {
      stdout: 'inherit',
      stderr: 'inherit',
    },
  );
  const url = `http://127.0.0.1:${port}`;
  await untilSeen('the Collector listens', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return { url, stop: () => collector.kill() };
}

/** The command of an exporter before what it is told, and what is stopped after it. */
async function commandOf(program: string, form: string) {
  const words = (start: string[], url = service.intake) => ({ words: [...start, url], stop() {} });
  if (program.endsWith('.java')) {
    const front = await startTlsFront(service.intake);
    const start = jvmCommand('otlp-jvm', jars ?? '', front.trusted);
    return { words: [...start, front.url], stop: front.stop };
  }
  const [language, name = ''] = program.split('/');
  if (language === 'go') return words([join(built.go ?? '', name)]);
  if (language === 'rust') return words([join(built.rust ?? '', name)]);
  const script = (file: string) => join(import.meta.dir, 'clients', file);
  if (program === 'collector') {
    const { url, stop } = await startCollector(form);
    return { words: ['node', script('otlp-node-steady.mjs'), url], stop };
  }
  return words([program.endsWith('.mjs') ? 'node' : (python ?? ''), script(program)]);
}

test.each(Object.entries(EXPORTERS).filter(([, [program]]) => isHere(program)))(
  `%s: ${RECORDS} records, each stored once, as they were sent`,
  async (name, [program, form]) => {
    // Of other exporters' days.
    const begin = BEGIN_MS - Object.keys(EXPORTERS).indexOf(name) * 3_600_000;
    const { words, stop } = await commandOf(program, form);
    const sent = [service.apiKey, String(RECORDS), new Date(begin).toISOString(), form];
    const done = await service.killWhile([...words, ...sent], { kills: KILLS, steps: RECORDS });
    expect(done).toEqual({ exitCode: 0, kills: KILLS });
    const until = begin + RECORDS * 1_000;
    const query = `since=${begin}&until=${until}&limit=1000`;
    const { entries, total } = await untilSeen('all are there', async (saw) => {
      const found = await service.json('GET', `/v1/logs?${query}`);
      saw(found.total);
      return found.total >= RECORDS && found;
    });
    expect(total).toBe(RECORDS);
    await stop();
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
