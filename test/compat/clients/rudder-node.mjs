import Analytics from '@rudderstack/rudder-sdk-node';

const [host, writeKey, people, begin] = process.argv.slice(2);

const analytics = new Analytics(writeKey, {
  dataPlaneUrl: `${host}/v1/segment`,
  flushAt: 50,
  retryCount: 30,
  axiosRetryConfig: { retryDelay: () => 500 },
  errorHandler: (error) => console.error(error),
});

const context = {
  app: { version: '1.4.0' },
  os: { name: 'iOS', version: '18.1' },
  locale: 'de-DE',
  location: { country: 'DE' },
};

for (let person = 0; person < Number(people); person += 1) {
  const who = {
    anonymousId: `device-${String(person).padStart(4, '0')}`,
    userId: `user-${person}`,
  };
  const at = Date.parse(begin) + person * 1_000;
  const opened = { ...who, context, timestamp: new Date(at) };
  const bought = { ...who, context, timestamp: new Date(at + 60_000) };
  analytics.track({ ...opened, event: 'Application Opened', properties: { from: 'push', person } });
  analytics.track({
    ...bought,
    event: 'Purchase Completed',
    properties: { plan: 'year', items: ['a'] },
  });
  if (person % 25 === 24) {
    await analytics.flush();
    console.log(person + 1);
  }
}
await analytics.flush();
