import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { publicUrlOf } from '../shared/own-origin.ts';

export type Places = Record<string, string>;

export type Started = {
  places: Places;
  /** Where nobody has an account yet. */
  firstAccountCode: string | undefined;
  /** Where Temporal answers and starts no workflow: why, and what to do. */
  workflowFault?: string | undefined;
};

/** The addresses and folders of the service, for the operator. */
export function places(
  config: Config,
  address: string | undefined,
  ui: number | undefined,
): Places {
  // The public address, on the port that the API listens on.
  const api =
    address === undefined
      ? config.publicUrl
      : publicUrlOf({ ...config, port: Number(new URL(address).port || 80) });
  return {
    ...(api === undefined ? {} : { API: api, Docs: `${api}/docs`, OpenAPI: `${api}/openapi.json` }),
    ...(ui === undefined ? {} : { 'Temporal UI': `http://127.0.0.1:${ui}` }),
    ...(config.temporal.address ? { Temporal: config.temporal.address } : {}),
    'Data folder': config.dataDir,
  };
}

const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text}'`);

const READY = 'The control plane is ready.';
const NOT_READY =
  'The control plane is not ready: it answers, but makes no app, delivers no webhook and collects no sales.';

/** Printed when everything has started. */
export function announcement(
  { places: where, firstAccountCode, workflowFault }: Started,
  dataDir: string,
): string {
  const width = Math.max(...Object.keys(where).map((name) => name.length));
  const lines = Object.entries(where).map(([name, place]) => `  ${name.padEnd(width)}  ${place}`);
  const prefix = dataDir !== resolve('.data') ? `DATA_DIR=${quoted(dataDir)} ` : '';
  return [
    '',
    ...(workflowFault === undefined ? [READY] : [NOT_READY, workflowFault]),
    '',
    ...lines,
    '',
    ...(firstAccountCode === undefined
      ? []
      : [
          'Nobody has an account yet. Open the API address in a browser of this machine and make the first one.',
          `From another machine it takes this code: ${firstAccountCode}`,
          '',
        ]),
    'To get an organization, its owner and an API key, in another terminal:',
    `  ${prefix}bun run admin bootstrap --org "My company" --email you@example.com --json`,
    'To stop: Ctrl-C.',
    '',
  ].join('\n');
}
