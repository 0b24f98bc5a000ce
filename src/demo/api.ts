export type DemoApi = {
  get: <T>(path: string, accept: (value: unknown) => T) => Promise<T>;
  post: <T>(path: string, body: unknown, accept: (value: unknown) => T) => Promise<T>;
  patch: <T>(path: string, body: unknown, accept: (value: unknown) => T) => Promise<T>;
};

export type ApiKey = { 'x-api-key': string } | { 'x-service-key': string };

/** The service's own HTTP interface; throws what it answers instead of success. */
export function demoApi(address: string, key: ApiKey): DemoApi {
  const send = async <T>(path: string, init: RequestInit, accept: (value: unknown) => T) => {
    const headers = { ...key, 'content-type': 'application/json' };
    const response = await fetch(`${address}${path}`, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method} ${path}: ${response.status} ${text}`);
    return accept(JSON.parse(text));
  };
  return {
    get: (path, accept) => send(path, { method: 'GET' }, accept),
    post: (path, body, accept) =>
      send(path, { method: 'POST', body: JSON.stringify(body) }, accept),
    patch: (path, body, accept) =>
      send(path, { method: 'PATCH', body: JSON.stringify(body) }, accept),
  };
}
