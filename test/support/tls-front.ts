import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { certify } from './certify.ts';

/** Java reads none without. */
export const STORE_PASSWORD = 'public';

/** A store that Java takes. */
async function trust(cert: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-front-'));
  const [file, store] = [join(folder, 'cert.pem'), join(folder, 'trusted.p12')];
  await Bun.write(file, cert);
  const options = ['-noprompt', '-alias', 'front', '-file', file, '-storepass', STORE_PASSWORD];
  const words = ['keytool', '-importcert', ...options, '-keystore', store];
  const { exitCode, stdout } = Bun.spawnSync(words, { stderr: 'ignore' });
  if (exitCode !== 0) throw new Error(`keytool: ${stdout}`);
  return store;
}

/** HTTPS before a service, as a load balancer has it: 502 where nobody answers. */
export async function startTlsFront(service: string) {
  const address = '127.0.0.1';
  const tls = await certify(address);
  let unanswered = 0;
  const server = Bun.serve({
    ...{ port: 0, hostname: address, tls },
    fetch: async ({ url, method, headers, body }) => {
      const { pathname, search } = new URL(url);
      try {
        return await fetch(`${service}${pathname}${search}`, { method, headers, body });
      } catch {
        unanswered += 1;
        return new Response('Nobody answers.', { status: 502 });
      }
    },
  });
  const trusted = await trust(tls.cert);
  return {
    url: `https://${address}:${server.port}`,
    trusted,
    /** Requests so far that the service did not answer. */
    unanswered: () => unanswered,
    stop: async () => {
      rmSync(dirname(trusted), { recursive: true });
      await server.stop(true);
    },
  };
}
