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

export const basic = (key: string) => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});

/** The intake listener's routes, in this process. */
export function intakeOf({ deps }: Pick<TestService, 'deps'>) {
  const app = createIntake(deps);
  return async (path: string, body: Uint8Array | string, headers: Record<string, string>) => {
    const bytes = Buffer.from(body);
    const answer = await app.handle(
      new Request(`http://localhost:3001${path}`, {
        method: 'POST',
        headers: { 'content-length': String(bytes.length), ...headers },
        body: bytes,
      }),
    );
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };
}

export const zipped = (value: unknown) => gzipSync(JSON.stringify(value));
export const GZIP = { 'content-encoding': 'gzip' };
