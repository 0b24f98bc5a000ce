import type { EnvReader } from './env.ts';

const ENGINE_EVENTS = 50_000_000;

export function readLakeEngine(env: EnvReader, isPublished: boolean) {
  const text = env.url('LAKE_ENGINE_URL', ['trino:', 'trino+https:']);
  const minEvents = env.integer('LAKE_ENGINE_MIN_EVENTS', 0, 1e15) ?? ENGINE_EVENTS;
  const url = text === undefined ? null : URL.parse(text);
  if (!url) return null;
  const isHttps = url.protocol === 'trino+https:';
  const password = decodeURIComponent(url.password) || env.text('LAKE_ENGINE_PASSWORD');
  const [catalog = 'lake', schema = 'main', ...rest] = url.pathname.split('/').slice(1);
  if (url.hostname === '' || rest.length > 0 || url.search !== '' || schema === '') {
    env.problem('LAKE_ENGINE_URL', 'must be trino://user@host:port/catalogue/schema');
  }
  if (password !== undefined && !isHttps) {
    env.problem('LAKE_ENGINE_URL', 'must start with trino+https:// when there is a password');
  }
  if (password !== undefined && /[^\u0020-\u00FF]/.test(password)) {
    env.problem(
      'LAKE_ENGINE_PASSWORD',
      'may hold only characters of ISO 8859-1, which is what Trino reads',
    );
  }
  if (!isPublished) env.problem('LAKE_ENGINE_URL', 'needs LAKE=on');
  return {
    baseUrl: `${isHttps ? 'https' : 'http'}://${url.host}`,
    user: decodeURIComponent(url.username) || 'mobile-control-plane',
    password,
    catalog,
    schema,
    minEvents,
  };
}
