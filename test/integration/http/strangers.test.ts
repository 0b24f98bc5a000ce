import { expect, spyOn, test } from 'bun:test';
import { Readable } from 'node:stream';
import { Gunzip } from 'node:zlib';
import protobuf from 'protobufjs';
import { createApp, createIntake } from '../../../src/app/routes.ts';

import { joined } from '../../../src/http/body.ts';
import * as organizationKeys from '../../../src/modules/identity/auth/organization-key.ts';
import { BOMBS, bomb, DOORS, ENCODINGS } from '../../support/bombs.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const KILOBYTE = 1024;
const SEARCHED_BYTES = 64 * KILOBYTE;
const MAX_RATIO = 200;
/** Bodies of some kinds may have eight. */
const BYTES = process.env.TEST_FULL === '1' ? 8_000 * KILOBYTE : 400 * KILOBYTE;
const service = await startTestService(await testDatabase(), {
  env: { TRUST_PROXY: '1', RATE_LIMIT_SCALE: '1' },
});
const { deps } = service;
const intake = createIntake(deps, { isHeld: () => false });

let addresses = 0;
/** A sender without failures. */
const newAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `203.0.${addresses >> 8}.${addresses & 255}` };
};

/** Shorter texts are headers and messages. */
const LONG_TEXT = 1_000;

/** What a request costs, in bytes and characters rather than in time. */
async function workOf(send: () => Promise<Response>) {
  const work = { unpacked: 0, searched: 0, parsed: 0, tried: 0 };
  const { push } = Readable.prototype;
  const { parse } = JSON;
  const { find } = deps.deviceKeys;
  const { create } = protobuf.Reader;
  const spies = [
    spyOn(Readable.prototype, 'push').mockImplementation(function (this: Readable, piece, ...rest) {
      if (this instanceof Gunzip && piece) work.unpacked += piece.length;
      return push.call(this, piece, ...rest);
    }),
    ...(['match', 'matchAll', 'replaceAll'] as const).map((name) => {
      const original: (...given: any[]) => any = String.prototype[name];
      return spyOn(String.prototype, name).mockImplementation(function (
        this: string,
        ...given: unknown[]
      ) {
        work.searched += this.length;
        return original.apply(this, given);
      });
    }),
    spyOn(deps.deviceKeys, 'find').mockImplementation((...given) => {
      work.tried += 1;
      return find(...given);
    }),
    spyOn(JSON, 'parse').mockImplementation((text, ...rest) => {
      if (text.length > LONG_TEXT) work.parsed += text.length;
      return parse(text, ...rest);
    }),
    spyOn(protobuf.Reader, 'create').mockImplementation((bytes) => {
      work.parsed += bytes.length;
      return create(bytes);
    }),
  ];
  try {
    const answer = await send();
    return { work, status: answer.status };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const REFUSALS = [401, 413, 415];

const cases = Object.entries(DOORS).flatMap(([door, { path, headers }]) =>
  Object.entries(ENCODINGS).map(([name, encoding]) => ({ door, name, path, headers, ...encoding })),
);

test.each(cases)('a bomb to $door as $name is bounded work', async (door) => {
  const { path, pack, encoding } = door;
  for (const [kind, sign] of Object.entries(BOMBS)) {
    const body = Buffer.from(pack(bomb(sign, BYTES)));
    const headers = {
      ...newAddress(),
      'content-type': 'application/json',
      ...door.headers,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
      'content-length': String(body.length),
    };
    const { work, status } = await workOf(() =>
      intake.handle(new Request(`http://localhost:3001${path}`, { method: 'POST', headers, body })),
    );
    expect({ kind, isRefused: REFUSALS.includes(status) }).toEqual({ kind, isRefused: true });
    expect(work.parsed).toBe(0);
    expect(work.unpacked).toBeLessThanOrEqual(2 * SEARCHED_BYTES + MAX_RATIO * body.length);
    expect(work.tried).toBeLessThanOrEqual(33);
    // At the start and the end; what is base64 has four phases.
    expect(work.searched).toBeLessThanOrEqual(12 * SEARCHED_BYTES);
  }
});

test('a body of very many pieces is kept as few', async () => {
  const pieces = async function* () {
    for (let sent = 0; sent < 50_000; sent += 1) yield Buffer.from(' ');
  };
  const kept: number[] = [];
  for await (const { length } of joined(pieces())) kept.push(length);
  expect(kept.length).toBeLessThan(30);
  expect(kept.reduce((sum, length) => sum + length)).toBe(50_000);
});

test("bodies to the contract's routes wait with a bound by address, and lose nothing", async () => {
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  const { serviceKey } = await createTestApp(service, (await createTestOrg(service)).orgId);
  const sender = newAddress();
  const ends: (() => void)[] = [];
  const send = (path: string, headers: object, isOpen: boolean) => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('{"events":[{"name":"a","anonymousId":"device-0001"}]}'));
        if (isOpen) ends.push(() => controller.close());
        else controller.close();
      },
    });
    const json = { 'content-type': 'application/json', ...headers };
    const request = new Request(`http://localhost:3000${path}`, {
      method: 'POST',
      headers: json,
      body,
    });
    return app.handle(request);
  };
  const slow = Array.from({ length: 256 }, () => send('/v1/purchases/notifications', sender, true));
  const batch = (address: object) =>
    send('/v1/events', { 'x-service-key': serviceKey, ...address }, false);
  const refused = await batch(sender);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect((await batch(newAddress())).status).toBe(202);
  for (const end of ends) end();
  await Promise.all(slow);
  expect((await batch(sender)).status).toBe(202);
});

test('keys are not looked up for an address that guessed too often', async () => {
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  const { apiKey } = await createTestOrg(service);
  const ask = async (key: string, address: object) =>
    (
      await app.handle(
        new Request('http://localhost:3000/v1/apps', { headers: { 'x-api-key': key, ...address } }),
      )
    ).status;
  expect(await ask(apiKey, newAddress())).toBe(200);
  const stranger = newAddress();
  const guess = () => `${apiKey.slice(0, -8)}${crypto.randomUUID().slice(0, 8)}`;
  for (let sent = 0; sent < 60; sent += 1) expect(await ask(guess(), stranger)).toBe(401);
  const verify = spyOn(organizationKeys, 'verifyOrganizationKey');
  expect(await ask(guess(), stranger)).toBe(429);
  expect(verify).not.toHaveBeenCalled();
  verify.mockRestore();
  expect(await ask(apiKey, stranger)).toBe(200);
});
