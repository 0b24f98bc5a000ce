import { init, track } from '@amplitude/analytics-node';

const [host, apiKey, people, begin] = process.argv.slice(2);

await init(apiKey, {
  serverUrl: `${host}/v1/amplitude/2/httpapi`,
  flushQueueSize: 50,
  flushIntervalMillis: 500,
  flushMaxRetries: 60,
}).promise;

const device = {
  platform: 'iOS',
  os_version: '18.1',
  app_version: '1.4.0',
  country: 'DE',
};

/** The client does not try again where nobody answers; its result says so. */
async function deliver(name, props, options) {
  const insert_id = crypto.randomUUID();
  for (;;) {
    const { code } = await track(name, props, { ...options, insert_id }).promise;
    if (code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

let sent = [];
for (let person = 0; person < Number(people); person += 1) {
  const at = Date.parse(begin) + person * 1_000;
  const own = {
    ...device,
    user_id: `user-${person}`,
    device_id: `device-${String(person).padStart(4, '0')}`,
  };
  sent.push(
    deliver('Application Opened', { from: 'push', person }, { ...own, time: at }),
    deliver('Purchase Completed', { plan: 'year', items: ['a'] }, { ...own, time: at + 60_000 }),
  );
  if (person % 25 === 24 || person === Number(people) - 1) {
    await Promise.all(sent);
    sent = [];
    console.log(person + 1);
  }
}
