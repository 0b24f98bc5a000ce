import { expect, test } from 'bun:test';
import { PURCHASE_EVENTS, WEBHOOK_EVENTS } from '../../../src/modules/webhooks/events.ts';
import { EVENT_EXAMPLES } from '../../../src/modules/webhooks/examples.ts';

const page = await Bun.file(new URL('../../../docs/webhooks.md', import.meta.url)).text();

test('docs/webhooks.md says when each type comes', () => {
  const [table = ''] = /^\| type [\s\S]*?\n\n/m.exec(page) ?? [];
  const named = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, type]) => type);
  expect(named).toEqual([...WEBHOOK_EVENTS]);
});

test('docs/webhooks.md shows one of each type, as a test event sends it', () => {
  const lines = /```jsonl\n([^`]*)```/.exec(page)?.[1]?.trim().split('\n') ?? [];
  const shown = lines.map((line) => JSON.parse(line));
  expect(shown.map(({ type }) => type)).toEqual([...WEBHOOK_EVENTS]);
  for (const { type, data } of shown) {
    expect([type, data]).toEqual([type, EVENT_EXAMPLES[type as keyof typeof EVENT_EXAMPLES]]);
  }
});

test('a purchase event has the same fields whatever its type', () => {
  const fields = PURCHASE_EVENTS.map((type) => Object.keys(EVENT_EXAMPLES[type]).toSorted());
  expect(new Set(fields.map((names) => names.join(' '))).size).toBe(1);
});
