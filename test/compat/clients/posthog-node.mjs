import { PostHog } from 'posthog-node';

const [host, apiKey, people, begin] = process.argv.slice(2);

const analytics = new PostHog(apiKey, {
  host: `${host}/v1/posthog`,
  flushAt: 50,
  fetchRetryCount: 60,
  fetchRetryDelay: 500,
});
analytics.on('error', (error) => console.error(error));

const device = {
  $os_name: 'iOS',
  $os_version: '18.1',
  $app_version: '1.4.0',
  $locale: 'de-DE',
  $geoip_country_code: 'DE',
};

for (let person = 0; person < Number(people); person += 1) {
  const at = Date.parse(begin) + person * 1_000;
  const own = { ...device, $device_id: `device-${String(person).padStart(4, '0')}` };
  analytics.capture({
    distinctId: `user-${person}`,
    event: 'Application Opened',
    properties: { ...own, from: 'push', person },
    timestamp: new Date(at),
  });
  analytics.capture({
    distinctId: `user-${person}`,
    event: 'Purchase Completed',
    properties: { ...own, plan: 'year', items: ['a'] },
    timestamp: new Date(at + 60_000),
  });
  if (person % 25 === 24) {
    await analytics.flush();
    console.log(person + 1);
  }
}
await analytics.shutdown(120_000);
