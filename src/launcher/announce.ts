import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { toPublicUrl } from '../shared/own-origin.ts';

export type Places = Record<string, string>;

export type Started = {
  places: Places;
  isPublic: boolean;
  firstAccountCode: string | undefined;
  /** Set when Temporal answers but starts no workflow. */
  workflowFault?: string | undefined;
};

export function places(
  config: Config,
  address: string | undefined,
  ui: number | undefined,
): Places {
  // The public address, with the API's own port.
  const api =
    address === undefined
      ? config.publicUrl
      : toPublicUrl({ ...config, port: Number(new URL(address).port || 80) });
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
  'The control plane is not ready: it answers, but creates no apps, delivers no webhooks and collects no sales.';

function firstSteps(
  { places: { API: api }, isPublic, firstAccountCode: code }: Started,
  prefix: string,
): string[] {
  if (code === undefined) return [];
  const inBrowser = isPublic
    ? [`There is no account yet. Open ${api} and create the first one with this code: ${code}`]
    : [
        'There is no account yet. Open the API address in a browser on this machine and create the first one.',
        `From another machine you need this code: ${code}`,
      ];
  return [
    ...inBrowser,
    '',
    'Or get an organization, its owner and an API key, in another terminal:',
    `  ${prefix}bun run admin bootstrap --org "My company" --email you@example.com --json`,
  ];
}

export const commandPrefix = (dataDir: string) =>
  dataDir !== resolve('.data') ? `DATA_DIR=${quoted(dataDir)} ` : '';

export function announcedFields(started: Started, dataDir: string): Record<string, unknown> {
  const { places: where, workflowFault } = started;
  const steps = firstSteps(started, commandPrefix(dataDir)).filter((line) => line !== '');
  return {
    isReady: workflowFault === undefined,
    ...(workflowFault !== undefined && { workflowFault }),
    places: where,
    ...(steps.length > 0 && { firstSteps: steps.map((line) => line.trim()) }),
  };
}

export const readiness = ({ workflowFault }: Started) =>
  workflowFault === undefined ? READY : NOT_READY;

export function announcement(started: Started, dataDir: string): string {
  const { places: where, workflowFault } = started;
  const width = Math.max(...Object.keys(where).map((name) => name.length));
  const lines = Object.entries(where).map(([name, place]) => `  ${name.padEnd(width)}  ${place}`);
  return [
    '',
    readiness(started),
    ...(workflowFault === undefined ? [] : [workflowFault]),
    '',
    ...lines,
    '',
    ...firstSteps(started, commandPrefix(dataDir)),
    'To stop: Ctrl-C.',
    '',
  ].join('\n');
}
