import { describe, expect, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import type { Connection, ServiceError } from '@temporalio/client';
import { describeLack, keepTemporalPrepared } from '../../../src/app/prepare-temporal.ts';
import type { Deps } from '../../../src/context.ts';
import { findLack, hasShortRetention, makeMissing } from '../../../src/temporal/requirements.ts';

const HOUR_SECONDS = 3_600;

function refusal(code: status, details: string): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata: {} }) as never;
}

type Server = {
  version?: string;
  retentionSeconds?: number;
  attributes?: Record<string, number>;
  aliases?: Record<string, string>;
  operator?: Error;
};

/** As a server answers that is no one's of this machine. */
function cluster(server: Server) {
  const { version = '1.30.1', retentionSeconds = 72 * HOUR_SECONDS, attributes = {} } = server;
  const made: string[] = [];
  const refuse = <T>(answer: T): Promise<T> =>
    server.operator ? Promise.reject(server.operator) : Promise.resolve(answer);
  const connection = {
    workflowService: {
      getSystemInfo: async () => ({ serverVersion: version }),
      describeNamespace: async () => ({
        namespaceInfo: { state: 1 },
        config: {
          workflowExecutionRetentionTtl: { seconds: retentionSeconds },
          customSearchAttributeAliases: server.aliases ?? {},
        },
      }),
    },
    operatorService: {
      listSearchAttributes: () => refuse({ customAttributes: attributes }),
      addSearchAttributes: ({ searchAttributes }: { searchAttributes: object }) => {
        made.push(...Object.keys(searchAttributes));
        return refuse({});
      },
    },
  };
  return { connection: connection as unknown as Connection, namespace: 'own', made };
}

describe("what an operator's Temporal must have", () => {
  test.each([
    ['1.27.2', true],
    ['v1.9.0', true],
    ['0.99.0', true],
    ['1.28.0', false],
    ['1.30.1-rc.1', false],
    ['2.0.0', false],
    // Of a cloud that does not say it.
    ['', false],
  ])('a server of 1.28 or later: %s', async (version, isTooOld) => {
    const attributes = { OrgId: 2, AppId: 2 };
    const lack = await findLack(cluster({ version, attributes }));
    if (!isTooOld) expect(lack).toBeNull();
    else {
      expect(lack).toEqual({
        reason: `The Temporal server is ${version}, and 1.28 is the oldest that works.`,
        commands: [],
        attributes: [],
      });
      expect(await makeMissing(cluster({ version }), lack!)).toEqual(lack);
    }
  });

  test('search attributes, which are made where that is allowed', async () => {
    const own = cluster({ attributes: { OrgId: 2, AppId: 1 } });
    const lack = await findLack(own);
    expect(lack).toMatchObject({
      reason: 'The namespace "own" has no search attribute AppId of the type Keyword.',
      attributes: ['AppId'],
    });
    expect(await makeMissing(own, lack!)).toBeNull();
    expect(own.made).toEqual(['AppId']);
  });

  test('search attributes, or the words of the server that refuses them, and the commands', async () => {
    const own = cluster({});
    const lack = await findLack(own);
    const operator = refusal(status.PERMISSION_DENIED, 'Request unauthorized.\nat line 3');
    const left = await makeMissing(cluster({ operator }), lack!);
    expect(left).toEqual({
      reason:
        'The namespace "own" has no search attributes OrgId, AppId of the type Keyword. They could not be created: Request unauthorized.',
      commands: ['OrgId', 'AppId'].map(
        (name) =>
          `temporal operator search-attribute create --namespace own --name ${name} --type Keyword`,
      ),
      attributes: ['OrgId', 'AppId'],
    });
    const line = describeLack('temporal.example:7233', left!);
    expect(line).toStartWith(
      'Temporal (TEMPORAL_ADDRESS, temporal.example:7233) starts no workflow',
    );
    expect(line).toEndWith(`To create it: "${left!.commands.join(' && ')}".`);
    // Another process was faster.
    const there = refusal(status.ALREADY_EXISTS, 'exists');
    expect(await makeMissing(cluster({ operator: there }), lack!)).toBeNull();
  });

  test('search attributes, seen by the aliases of the namespace where nobody may list them', async () => {
    const operator = refusal(status.PERMISSION_DENIED, 'no');
    const lack = (aliases: Record<string, string>) => findLack(cluster({ operator, aliases }));
    expect(await lack({ Keyword01: 'OrgId', Keyword02: 'AppId' })).toBeNull();
    expect(await lack({ Keyword01: 'OrgId' })).toMatchObject({ attributes: ['AppId'] });
    // Nothing says it: the first start will.
    expect(await lack({})).toBeNull();
    const away = refusal(status.UNAVAILABLE, 'gone');
    await expect(findLack(cluster({ operator: away }))).rejects.toThrow('gone');
  });

  test.each([
    [12 * HOUR_SECONDS, true],
    [24 * HOUR_SECONDS - 1, true],
    [24 * HOUR_SECONDS, false],
    [72 * HOUR_SECONDS, false],
    [0, false],
  ])('a retention of a day or more: %d s', async (retentionSeconds, isShort) => {
    expect(await hasShortRetention(cluster({ retentionSeconds }))).toBe(isShort);
  });
});

test.each([true, false])(
  'a retention under a day is said once at the start: %p',
  async (isShort) => {
    const lines: string[] = [];
    const stopping = new AbortController();
    const asked = Promise.withResolvers<void>();
    const deps = {
      config: { temporal: { address: '127.0.0.1:7999', namespace: 'brief' } },
      log: { warn: (line: string) => lines.push(line) },
      temporal: {
        prepare: async () => null,
        forgetsWithinADay: async () => {
          asked.resolve();
          return isShort;
        },
      },
    } as unknown as Deps;
    const keeping = keepTemporalPrepared(deps, stopping.signal);
    await asked.promise;
    stopping.abort();
    await keeping;
    const said =
      'The namespace "brief" keeps closed workflows for less than a day: give it a retention of three days or more, so that failures can be inspected.';
    expect(lines).toEqual(isShort ? [said] : []);
  },
);
