import { join } from 'node:path';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { notificationPayload } from '../../test/simulators/store-server/payloads.ts';
import { createPki, type Pki, signJws } from '../../test/simulators/store-server/pki.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { median, percentile, print, printRatio, timed } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const BUNDLE = 'com.example.forged';
/** What the service takes as a signed payload at most. */
const MAX_CHARACTERS = 65_000;
/** Per round; the figure is the median over all rounds. */
const QUESTIONS = 150;
const ROUNDS = 3;

const payload = notificationPayload({
  notificationType: 'TEST',
  data: { bundleId: BUNDLE, bundleVersion: '1', environment: 'Sandbox' },
});

/** Two certificates with as many extensions as `MAX_CHARACTERS` leave room for. */
async function largest(top: string): Promise<string> {
  let found = '';
  for (let extensions = 200; ; extensions += 100) {
    const forger = await createPki({ extensions });
    const x5c = [forger.x5c[0], forger.x5c[1], top];
    const jws = signJws(forger, payload, { header: { x5c } });
    if (jws.length > MAX_CHARACTERS) return found;
    found = jws;
  }
}

/** The most that is looked at: certificates just under the bound, with the pinned root beside. */
async function costliest(top: string): Promise<string> {
  const forger = await createPki({ extensions: 300 });
  return signJws(forger, payload, { header: { x5c: [forger.x5c[0], forger.x5c[1], top] } });
}

async function questions(address: string): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < QUESTIONS; turn += 1) {
    times.push(await timed(async () => (await fetch(`${address}/healthz`)).text()));
  }
  return times;
}

/** Asks while another process sends `jws` on ten connections. */
async function beside(address: string, bodyFile: string): Promise<number[]> {
  const client = Bun.spawn([process.execPath, join(import.meta.dir, 'client.ts')], {
    env: { ...process.env, FORGED_URL: address, FORGED_BODY_FILE: bodyFile },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  try {
    await Bun.sleep(1_000);
    return await questions(address);
  } finally {
    client.kill('SIGKILL');
    await client.exited;
  }
}

type Case = { label: string; jws: string };

async function cases(pki: Pki): Promise<Case[]> {
  const [, , top] = pki.x5c;
  return [
    { label: 'genuine notifications', jws: signJws(pki, payload) },
    { label: 'forged, as many extensions as fit into 64 KB', jws: await largest(top) },
    { label: 'forged, just under the size that is looked at', jws: await costliest(top) },
  ];
}

type Setting = { name: string; address: string; goal: string };

async function measure({ name, address, goal }: Setting, all: (Case & { file: string })[]) {
  const alone: number[] = [];
  const times = new Map<string, number[]>(all.map(({ label }) => [label, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await questions(address)));
    for (const { label, file } of all) {
      times.get(label)?.push(...(await beside(address, file)));
    }
  }
  const words = (values: number[]) =>
    `median ${median(values).toFixed(2)} ms, p99 ${percentile(values, 99).toFixed(1)} ms`;
  print({ label: `${name}: /healthz alone`, value: words(alone) });
  const genuine = median(times.get(all[0]?.label ?? '') ?? []);
  for (const [label, values] of times) {
    print({ label: `${name}: beside ${label}`, value: words(values) });
    printRatio('  ratio to alone', median(values) / median(alone), '—');
    printRatio('  ratio to beside genuine ones', median(values) / genuine, goal);
  }
}

/** `/healthz` beside a client that sends forged store notifications, with and without limits. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId } = await createTestApp({ deps }, org.orgId);
    await deps.sql`UPDATE apps SET bundle_id = ${BUNDLE} WHERE app_id = ${appId}`;
    await deps.close();
    const pki = await createPki();
    const root = join(dataDir, 'root.pem');
    await Bun.write(root, pki.rootPem);
    const all = await Promise.all(
      (await cases(pki)).map(async (one, index) => {
        const file = join(dataDir, `body-${index}.json`);
        await Bun.write(file, JSON.stringify({ signedPayload: one.jws }));
        return { ...one, file };
      }),
    );
    for (const { name, scale, goal } of [
      { name: 'default limits', scale: '1', goal: '≤ 1.5' },
      // Nobody meets this one: it shows what the limit of failures is for.
      { name: 'limits lifted', scale: '1000000', goal: '—' },
    ]) {
      const api = await startRole('api', {
        ...env,
        STORE_ROOT_CERTIFICATES: root,
        RATE_LIMIT_SCALE: scale,
        LOG_LEVEL: 'fatal',
      });
      await measure({ name, address: api.address, goal }, all);
      await api.stop();
    }
  });
}
