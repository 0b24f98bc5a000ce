import { afterAll } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventRow } from '../../src/event-store/event/columns.ts';
import type { StoredBatch, StoredEvent } from '../../src/event-store/event/stored-batch.ts';
import type { LogRecord } from '../../src/event-store/log/record.ts';

/** A folder that is gone after the suite. */
export function temporaryFolder(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `${name}-`));
  afterAll(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A logger that remembers what was reported. */
export function quietLog() {
  const lines: { level: string; fields: unknown; message: string }[] = [];
  const at = (level: string) => (fields: unknown, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

export const RECEIVED_AT = Date.parse('2026-03-10T12:00:00.000Z');

export function event(fields: Partial<StoredEvent> = {}): StoredEvent {
  return { name: 'app_opened', anonymousId: 'anon-0001', ...fields };
}

export function record(batch: StoredBatch, header: Partial<LogRecord['header']> = {}): LogRecord {
  return {
    header: {
      v: 1,
      org: 'org_1',
      app: 'app_1',
      key: 'key_1',
      receivedAt: RECEIVED_AT,
      arrival: RECEIVED_AT * 1_000,
      ...header,
    },
    body: Buffer.from(JSON.stringify(batch)),
  };
}

export function row(fields: Partial<EventRow> = {}): EventRow {
  return {
    orgId: 'org_1',
    appId: 'app_1',
    key: null,
    name: 'app_opened',
    occurredAtUs: RECEIVED_AT * 1_000,
    receivedAtUs: RECEIVED_AT * 1_000,
    arrival: RECEIVED_AT * 1_000,
    batchIndex: 0,
    personId: fields.userId ?? fields.anonymousId ?? 'anon-0001',
    anonymousId: 'anon-0001',
    userId: null,
    sessionId: null,
    clientTs: null,
    timeFlag: null,
    platform: null,
    appVersion: null,
    osVersion: null,
    locale: null,
    country: null,
    props: null,
    eventId: null,
    environment: 'production',
    ...fields,
  };
}
