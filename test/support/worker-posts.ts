import { DAY_MS } from '../../src/shared/time.ts';
import { morningDigestContract } from '../../src/temporal/contracts/digests.ts';
import { alertCheckContract } from '../../src/temporal/contracts/messages.ts';
import { watchCheckContract } from '../../src/temporal/contracts/watches.ts';
import type { startChat } from '../simulators/chat/server.ts';
import { createTestApp, type TestOrg, type TestService } from './service.ts';
import { until } from './until.ts';

const EVENTS = 100;
const PATH = '/json/workers';

type Setup = { service: TestService; org: TestOrg; chat: ReturnType<typeof startChat> };

/** A digest, a watch and an alert of an app whose last events are four days old, by real workers. */
export class WorkerPosts {
  constructor(private readonly setup: Setup) {}

  private async call(path: string, method: string, body: object): Promise<any> {
    const { service, org } = this.setup;
    const answer = await service.call(path, { method, headers: org.key, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  /** Its events go to the API at `url`. */
  async prepare(url: string): Promise<void> {
    const { service, org, chat } = this.setup;
    const { sql } = service.deps;
    const { appId, device } = await createTestApp(service, org.orgId);
    const ts = new Date(Date.now() - 4 * DAY_MS).toISOString();
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      ...{ name: 'opened', ts, anonymousId: `person-${n}` },
    }));
    const sent = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...device },
      body: JSON.stringify({ events }),
    });
    if (sent.status !== 202) throw new Error(`events: ${sent.status} ${await sent.text()}`);
    await until('the events are in files', async () => {
      const shifted = await sql`
        UPDATE event_ingestion_hours SET hour = hour - interval '4 days' WHERE app_id = ${appId}
        RETURNING 1`;
      return shifted.length > 0;
    });
    // Of an app with events in every hour, four days of silence are an alert.
    await sql`
      INSERT INTO event_ingestion_hours (org_id, app_id, hour, accepted, duplicates, shifted,
        without_ts, too_old)
      SELECT ${org.orgId}, ${appId},
        date_trunc('hour', ${ts}::timestamptz) - n * interval '1 hour', 10, 0, 0, 0, 0
      FROM generate_series(1, 60) n ON CONFLICT DO NOTHING`;
    const target = { kind: 'json', name: 'json', target: chat.url(PATH) };
    await this.call('/v1/digests/destinations', 'POST', target);
    await this.call('/v1/digests', 'PUT', { isOn: true, timezone: 'UTC', hour: 8 });
    const others = { subscribers: false, refunds: false, billingProblems: false };
    const messages = { alerts: true, ...others, quietHours: null };
    await this.call('/v1/digests/messages', 'PUT', messages);
    const question = { kind: 'series', series: [{ events: ['opened'] }], timezone: 'UTC' };
    const saved = { name: 'Opened', question };
    const { id: questionId } = await this.call(`/v1/apps/${appId}/questions`, 'POST', saved);
    const rule = { kind: 'threshold', side: 'below', value: 3 };
    const watch = { questionId, figure: { of: 'people' }, rule };
    await this.call(`/v1/apps/${appId}/watches`, 'POST', watch);
  }

  /** Once the reconcilers of the pods have made the schedules. */
  async trigger(): Promise<void> {
    const { service, org } = this.setup;
    const { client } = service.deps.temporal;
    for (const contract of [morningDigestContract, watchCheckContract, alertCheckContract]) {
      const schedule = client.schedule.getHandle(contract.workflowId(org));
      await until(`a schedule ${schedule.scheduleId}`, () =>
        schedule.trigger().then(
          () => true,
          () => false,
        ),
      );
    }
  }

  /** Digests, and messages by their kind. */
  received(): string[] {
    const posts = this.setup.chat.received.filter(({ path }) => path === PATH);
    const kinds = posts.flatMap(({ body }) =>
      body.type === 'digest' ? ['digest'] : body.data.messages.map(({ kind }: any) => kind),
    );
    return [...new Set<string>(kinds)].toSorted();
  }
}
