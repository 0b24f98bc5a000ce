import { RudderAnalytics } from '@rudderstack/analytics-js/bundled';

globalThis.begin = (host, writeKey) => {
  const analytics = new RudderAnalytics();
  // Of its own accord it forgets what is over a hundred waiting events, and writes all at each.
  const queueOptions = {
    batch: { enabled: true, maxItems: 50, flushInterval: 1_000 },
    maxItems: 5_000,
    maxAttempts: 100,
    minRetryDelay: 500,
    maxRetryDelay: 2_000,
  };
  analytics.load(writeKey, `${host}/v1/segment`, { configUrl: `${host}/v1/segment`, queueOptions });
  // Without its first settings it sends nothing.
  window.begun = new Promise((resolve) => analytics.ready(resolve));
  window.sendOne = (n) => analytics.track('Step Done', { n });
  window.identify = () => analytics.identify('user-1');
};
