import { gzipSync } from 'node:zlib';
import { createIntake } from '../../src/app/routes.ts';
import type { TestService } from './service.ts';

export type Recorded = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
};

/** With the key of this app in the place of the recorded one. */
export function rekeyed({ headers, body }: Recorded, key: string) {
  const bytes = Buffer.from(body, 'base64');
  const isZipped = headers['content-encoding'] === 'gzip';
  const text = (isZipped ? Buffer.from(Bun.gunzipSync(bytes)) : bytes).toString();
  const changed = text.replaceAll('svp_RECORDED', key);
  const sent = isZipped ? Buffer.from(Bun.gzipSync(changed)) : Buffer.from(changed);
  const named = headers.authorization === undefined ? {} : basic(key);
  return { sent, headers: { ...headers, ...named, 'content-length': String(sent.length) } };
}

export const basic = (key: string) => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});

type Send = (
  path: string,
  body: Uint8Array | string,
  headers: Record<string, string>,
) => Promise<Response>;

/** The intake listener's routes, in this process. */
export function intakeRequests({ deps }: Pick<TestService, 'deps'>): Send {
  const app = createIntake(deps, { isHeld: () => false });
  return (path, body, headers) => {
    const bytes = Buffer.from(body);
    return app.handle(
      new Request(`http://localhost:3001${path}`, {
        method: 'POST',
        headers: { 'content-length': String(bytes.length), ...headers },
        body: bytes,
      }),
    );
  };
}

export function intakeOf(service: Pick<TestService, 'deps'>) {
  const ask = intakeRequests(service);
  return async (...sent: Parameters<Send>) => {
    const answer = await ask(...sent);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };
}

export const zipped = (value: unknown) => gzipSync(JSON.stringify(value));
export const GZIP = { 'content-encoding': 'gzip' };
