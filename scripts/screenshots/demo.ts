import { join } from 'node:path';
import { ROOT } from '../install.ts';

export type DemoLogin = { url: string; email: string; password: string };

const STARTED_WITHIN_MS = 600_000;
const MOST_READ = 64_000;
const LOGIN = /Sign in\s+(\S+)\s+e-mail\s+(\S+)\s+password\s+(\S+)/;

/**
 * The login that the demo prints when everything is there. What it prints afterwards is read as well:
 * a closed pipe would end the service with the first line of its log.
 */
function loginOf(lines: ReadableStream<Uint8Array>): Promise<DemoLogin> {
  const login = Promise.withResolvers<DemoLogin>();
  const read = async () => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of lines) {
      if (text.length < MOST_READ) text += decoder.decode(chunk, { stream: true });
      const [, url, email, password] = LOGIN.exec(text) ?? [];
      if (url && email && password) login.resolve({ url, email, password });
    }
    login.reject(new Error(`The demo printed no login:\n${text}`));
  };
  read().catch(login.reject);
  return login.promise;
}

/** A service with the demo's data in `dataDir`, or the one that the environment names. */
export async function startDemo(dataDir: string) {
  const { CONSOLE_URL: url, CONSOLE_EMAIL: email, CONSOLE_PASSWORD: password } = process.env;
  if (url && email && password) {
    return { login: { url, email, password }, stop: async () => undefined };
  }
  const demo = Bun.spawn(['bun', join(ROOT, 'scripts/demo.ts'), '--stay'], {
    env: { ...process.env, DATA_DIR: dataDir, RATE_LIMIT_SCALE: '50' },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const limit = setTimeout(() => demo.kill(), STARTED_WITHIN_MS);
  const stop = async () => {
    demo.kill('SIGINT');
    await demo.exited;
  };
  try {
    return { login: await loginOf(demo.stdout), stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(limit);
  }
}
