import { describe, expect, test } from 'bun:test';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';
import { flagApp, PERSON } from '../../support/flags/flags.ts';
import { expectAsOfrep } from '../../support/flags/ofrep-document.ts';
import { randomFlags } from '../../support/flags/random-flags.ts';
import { reckon } from '../../support/flags/reckoning.ts';
import { startListening } from '../../support/listening.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestOrg } from '../../support/service.ts';

const FLAGS = isFullRun ? 2_000 : 200;
const PER_APP = 500;
const PEOPLE_PER_FLAG = 3;
const SEED = Number(process.env.TEST_SEED ?? 34);

const { service, url } = await startListening();
const org = await createTestOrg(service);
const random = randomFlags(SEED);

type Made = { key: string; type: string };

/** By what its type is called there; the fallback is never among the values. */
async function evaluated({ key, type }: Made, context: { targetingKey: string }) {
  const client = OpenFeature.getClient();
  const found = await {
    boolean: () => client.getBooleanDetails(key, false, context),
    string: () => client.getStringDetails(key, 'fallback', context),
    number: () => client.getNumberDetails(key, -99, context),
    json: () => client.getObjectDetails(key, { fallback: true }, context),
  }[type as 'boolean']();
  if (found.errorCode) throw new Error(`${key}: ${found.errorCode} ${found.errorMessage}`);
  return found.value as unknown;
}

describe(`the unmodified provider (seed ${SEED})`, () => {
  test(`evaluates ${FLAGS} random flags as a plain reckoning does`, async () => {
    for (let done = 0; done < FLAGS; done += PER_APP) {
      const app = await flagApp(service, org);
      const count = Math.min(PER_APP, FLAGS - done);
      const flags: Made[] = [];
      for (let n = 0; n < count; n += 1) {
        const made = await app.create(random.flag(`flag-${done + n}`));
        if (made.status !== 201) throw new Error(made.text);
        flags.push(made.body);
      }
      const headers: [string, string][] = [['authorization', `Bearer ${app.flagKey}`]];
      await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: `${url}/v1`, headers }));
      for (const flag of flags) {
        for (let n = 0; n < PEOPLE_PER_FLAG; n += 1) {
          const context = random.context();
          const [found, wanted] = [await evaluated(flag, context), reckon(flag, context)];
          expect({ flag, context, value: found }).toEqual({ flag, context, value: wanted });
        }
      }
      const context = random.context();
      const all = await app.askAll(context);
      expectAsOfrep('all', all);
      const values = all.body.flags.map((one: { key: string; value: unknown }) => [
        one.key,
        one.value,
      ]);
      const wanted = flags.map((flag) => [flag.key, reckon(flag, context)]);
      expect(values).toEqual(wanted.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
    }
  });

  test('gets the fallback with the code of what is wrong', async () => {
    const app = await flagApp(service, org);
    const connect = (key: string) =>
      OpenFeature.setProviderAndWait(
        new OFREPProvider({ baseUrl: `${url}/v1`, headers: [['x-api-key', key]] }),
      );
    await connect(app.flagKey);
    const client = OpenFeature.getClient();
    const missing = await client.getBooleanDetails('missing', true, PERSON);
    expect([missing.value, missing.errorCode as string]).toEqual([true, 'FLAG_NOT_FOUND']);
    const nobody = await client.getBooleanDetails('missing', true, {});
    expect(nobody.errorCode as string).toBe('TARGETING_KEY_MISSING');
    await connect(app.serviceKey);
    const refused = await client.getStringDetails('missing', 'mine', PERSON);
    expect([refused.value, refused.reason]).toEqual(['mine', 'ERROR']);
  });
});
