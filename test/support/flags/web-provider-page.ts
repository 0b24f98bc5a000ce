import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, type Provider } from '@openfeature/web-sdk';

type Case = { key: string; type: string; context: { targetingKey: string } };
type Given = { url: string; flagKey: string };

// What tests call in the page.
declare global {
  var evaluateAll: (given: Given & { cases: Case[] }) => Promise<unknown[]>;
  var watch: (given: Given) => Promise<{ statuses: number[]; values: string[] }>;
}

/** Its own types and those of the SDK differ in what may be undefined. */
const providerOf = ({ url, flagKey }: Given, pollInterval: number) =>
  new OFREPWebProvider({
    baseUrl: `${url}/v1`,
    headers: [['authorization', `Bearer ${flagKey}`]],
    pollInterval,
  }) as unknown as Provider;

const client = OpenFeature.getClient();

function detailsOf({ key, type }: Case) {
  if (type === 'boolean') return client.getBooleanDetails(key, false);
  if (type === 'string') return client.getStringDetails(key, 'fallback');
  if (type === 'number') return client.getNumberDetails(key, -99);
  return client.getObjectDetails(key, { fallback: true });
}

globalThis.evaluateAll = async ({ cases, ...given }) => {
  const [first] = cases;
  await OpenFeature.setProviderAndWait(providerOf(given, 0), first?.context ?? {});
  const values: unknown[] = [];
  for (const one of cases) {
    await OpenFeature.setContext(one.context);
    const { value, errorCode, errorMessage } = detailsOf(one);
    values.push(errorCode ? `${errorCode} ${errorMessage}` : value);
  }
  return values;
};

globalThis.watch = async (given) => {
  const statuses: number[] = [];
  const asked = globalThis.fetch;
  let polled = () => {};
  const second = new Promise<void>((resolve) => {
    polled = resolve;
  });
  globalThis.fetch = (async (...sent: Parameters<typeof fetch>) => {
    const answer = await asked(...sent);
    const [to] = sent;
    const address = to instanceof Request ? to.url : String(to);
    if (address.endsWith('/flags')) statuses.push(answer.status);
    if (statuses.length === 2) polled();
    return answer;
  }) as typeof fetch;
  const shown = new Set<string>();
  const exposures: Promise<unknown>[] = [];
  OpenFeature.addHooks({
    after: ({ flagKey, context }, { flagMetadata }) => {
      if (!flagMetadata.experiment || shown.has(flagKey)) return;
      shown.add(flagKey);
      const sent = asked(`${given.url}/v1/ofrep/v1/evaluate/flags/${flagKey}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${given.flagKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ context }),
      });
      exposures.push(sent);
    },
  });
  await OpenFeature.setProviderAndWait(providerOf(given, 500), { targetingKey: 'person-in-page' });
  const values = [client.getStringValue('text', 'fallback')];
  await second;
  values.push(client.getStringValue('text', 'fallback'));
  await Promise.all(exposures);
  await OpenFeature.close();
  return { statuses: statuses.slice(0, 2), values };
};
