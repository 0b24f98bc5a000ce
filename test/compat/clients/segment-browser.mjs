import { AnalyticsBrowser } from '@segment/analytics-next';

globalThis.begin = (host, writeKey) => {
  const { host: apiHost } = new URL(host);
  const segment = { apiHost: `${apiHost}/v1/segment/v1`, protocol: 'http' };
  const settings = { writeKey, cdnURL: `${host}/v1/segment` };
  const analytics = AnalyticsBrowser.load(settings, { integrations: { 'Segment.io': segment } });
  window.sendOne = (n) => analytics.track('Step Done', { n });
  window.identify = () => analytics.identify('user-1');
};
