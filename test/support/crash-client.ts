import { join } from 'node:path';
import type { Instance } from './instance.ts';
import { ROOT } from './sources.ts';
import { pause } from './pause.ts';

export type CrashClient = {
  apiKey: string;
  email: string;
  password: string;
  /** Asks again until there is an answer that is not an outage, as a patient client does. */
  call: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** Asks once. */
  once: (method: string, path: string, body?: unknown) => Promise<Response>;
};

/** Of a service that runs, and may be another one after a while. */
export type Place = Pick<Instance, 'url' | 'dataDir'>;

/** An organization of a running instance, made the way a stranger makes it. */
export function bootstrapClient(
  instance: Place,
  name: string,
  env: Record<string, string> = {},
): CrashClient {
  const email = `${name}@example.com`;
  const command = ['bootstrap', '--org', name, '--email', email, '--json'];
  const made = Bun.spawnSync([process.execPath, join(ROOT, 'src/admin/main.ts'), ...command], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: instance.dataDir, ...env },
  });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const { apiKey, password } = JSON.parse(made.stdout.toString());
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const once: CrashClient['once'] = (method, path, body) =>
    fetch(`${instance.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
  const call: CrashClient['call'] = async (method, path, body) => {
    for (;;) {
      try {
        const answer = await once(method, path, body);
        if (answer.status < 500) return answer;
      } catch {
        // Cut off by a kill; whether it was done is not known, so it is asked again.
      }
      await pause(200, 'before the next attempt');
    }
  };
  return { apiKey, email, password, call, once };
}
