import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { loadConfig } from '../../../src/config.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { startTemporal } from '../../../src/launcher/embedded/temporal.ts';
import { findTemporalCli } from '../../../src/launcher/embedded/temporal-cli.ts';
import { hiddenUiAddress, startUiProxy } from '../../../src/launcher/embedded/temporal-ui.ts';
import type { TestTemporal } from '../temporal.ts';
import { type Door, grpcDoor, jsonDoor } from './doors.ts';

export type OpenTemporal = {
  temporal: TestTemporal;
  /** Everything that takes requests, each with all that a stranger needs there. */
  doors: Door[];
  /** Of the HTTP API, which answers to `secretHost` only, and of the proxy of the UI. */
  httpUrl: string;
  uiUrl: string;
  secretHost: string;
};

/** The host name that the HTTP API answers to, from the file that only the service's account reads. */
async function secretHostOf(dataDir: string): Promise<string> {
  const flags = await Bun.file(join(dataDir, 'flags.yaml')).text();
  return /[0-9a-f]+\.invalid/.exec(flags)?.[0] ?? '';
}

/** What the UI wants back of a page of its own. */
async function uiHeaders(uiUrl: string): Promise<Record<string, string>> {
  const page = await fetch(`${uiUrl}/api/v1/namespaces`);
  const token = /_csrf=([^;]+)/.exec(page.headers.get('set-cookie') ?? '')?.[1] ?? '';
  return { cookie: `_csrf=${token}`, 'x-csrf-token': token };
}

/** A Temporal of this suite, as the supervisor starts it, with what would open its HTTP API and UI. */
export async function openTemporal(): Promise<OpenTemporal> {
  const namespace = 'default';
  const dataDir = mkdtempSync(join(tmpdir(), 'cp-open-temporal-'));
  const ports = { grpc: await freePort(), http: await freePort(), metrics: await freePort() };
  const [ui, uiPort] = [await hiddenUiAddress(), await freePort()];
  const server = await startTemporal({
    cliPath: await findTemporalCli(loadConfig(process.env).temporal, console.log),
    dataDir,
    databaseFile: null,
    ports,
    ui,
    namespaces: [namespace],
  });
  const proxy = ui && startUiProxy(uiPort, ui);
  const address = `127.0.0.1:${ports.grpc}`;
  const connection = await Connection.connect({ address });
  afterAll(async () => {
    await connection.close();
    await proxy?.stop();
    await server.stop(5_000);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const [httpUrl, uiUrl] = [`http://127.0.0.1:${ports.http}`, `http://127.0.0.1:${uiPort}`];
  const secretHost = await secretHostOf(dataDir);
  const doors = [
    grpcDoor(connection, namespace),
    jsonDoor('HTTP', { url: httpUrl, namespace, headers: { host: secretHost } }),
  ];
  // Not where the system has 127.0.0.1 only.
  if (ui) doors.push(jsonDoor('UI', { url: uiUrl, namespace, headers: await uiHeaders(uiUrl) }));
  const client = new Client({ connection, namespace });
  return {
    temporal: { address, namespace, taskQueue: 'open', connection, client },
    ...{ doors, httpUrl, uiUrl, secretHost },
  };
}
