type Kind = 'slack' | 'discord' | 'json';
export type Received = { kind: Kind; path: string; body: any; headers: Headers };
type Misbehaviour = { status: number; headers?: Record<string, string>; body?: string };

const KEYS: Readonly<Record<Kind, readonly string[]>> = {
  slack: ['text'],
  discord: ['allowed_mentions', 'content'],
  json: ['data', 'text', 'timestamp', 'type'],
};

/** What each of them wants of a post; null for one that it takes. */
function faultOf(kind: Kind, body: any, headers: Headers): string | null {
  if (!headers.get('content-type')?.startsWith('application/json')) return 'invalid_content_type';
  const keys = Object.keys(body).toSorted().join();
  if (keys !== KEYS[kind].join()) return `invalid_payload: ${keys}`;
  const text = kind === 'discord' ? body.content : body.text;
  if (typeof text !== 'string' || text === '') return 'no_text';
  if (kind === 'slack' && /<[!@#]/.test(text)) return 'mention';
  if (kind === 'discord' && text.length > 2_000) return 'Must be 2000 or fewer in length.';
  if (kind === 'discord' && body.allowed_mentions.parse?.length !== 0) return 'mentions';
  if (kind === 'json' && !headers.get('webhook-id')) return 'no_id';
  return null;
}

/**
 * Incoming webhooks of Slack (`/services/…`: 200 `ok`) and Discord (`/api/webhooks/…`: 204), and a
 * server of one's own (`/json/…`). Strict about what they take; each path can be told to misbehave.
 */
export function startChat() {
  const received: Received[] = [];
  const refused: string[] = [];
  const misbehaviour = new Map<string, Misbehaviour[]>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      const wrong = misbehaviour.get(path)?.shift();
      if (wrong) {
        const { status, headers = {}, body = 'no_service' } = wrong;
        return new Response(body, { status, headers });
      }
      const kind = path.startsWith('/services/')
        ? 'slack'
        : path.startsWith('/api/webhooks/')
          ? 'discord'
          : 'json';
      const body = await request.json();
      const fault = faultOf(kind, body, request.headers);
      if (fault) {
        refused.push(fault);
        return new Response(fault, { status: 400 });
      }
      received.push({ kind, path, body, headers: request.headers });
      return kind === 'discord' ? new Response(null, { status: 204 }) : new Response('ok');
    },
  });
  return {
    received,
    refused,
    port: server.port,
    url: (path: string) => `http://127.0.0.1:${server.port}${path}`,
    /** Answers the next posts to a path so. */
    misbehave: (path: string, ...answers: Misbehaviour[]) => misbehaviour.set(path, answers),
    stop: () => server.stop(true),
  };
}
