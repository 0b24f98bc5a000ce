import { dayIn, dayWithWeekday, roundRate, UNKNOWN } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { webhooks as t } from '../../texts/webhooks.ts';
import { type DayRate, type Delivery, ratesByDay } from './rate.ts';

const DAYS = 7;
const PAGE = 100;
const MOST = 1_000;
const DAY_MS = 86_400_000;

async function deliveriesOf(webhookId: string, signal: AbortSignal): Promise<Delivery[]> {
  const since = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  const all: Delivery[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: PAGE, ...(cursor && { cursor }) };
    const page: { deliveries: Delivery[]; nextCursor: string | null } =
      await api.listWebhookDeliveries({ webhookId, query }, { signal });
    all.push(...page.deliveries);
    cursor = page.nextCursor;
  } while (cursor && all.length < MOST && (all.at(-1)?.createdAt ?? '') > since);
  return all;
}

function Day({ day, delivered, failed }: DayRate) {
  const all = delivered + failed;
  const name = dayWithWeekday(day);
  const said = all === 0 ? t.noneThatDay(name) : t.dayRate(name, delivered, failed);
  const tone = all === 0 ? '' : failed === 0 ? 'good' : failed < delivered ? 'warn' : 'bad';
  return (
    <li class={`day-rate ${tone}`} title={said}>
      <span class="skip">{said}</span>
      <b aria-hidden="true">{all === 0 ? UNKNOWN : roundRate(delivered / all)}</b>
      <span aria-hidden="true">{name}</span>
    </li>
  );
}

export function LastDays({ webhookId }: { webhookId: string }) {
  const found = useQuery(`deliveries of days ${webhookId}`, (signal) =>
    deliveriesOf(webhookId, signal),
  );
  const { data } = found.value;
  const rates = ratesByDay(data ?? [], dayIn(new Date().toISOString()), DAYS);
  const delivered = rates.reduce((all, rate) => all + rate.delivered, 0);
  const all = rates.reduce((sum, rate) => sum + rate.delivered + rate.failed, 0);
  return (
    <Card
      title={t.lastDays}
      sub={data && all > 0 && t.lastDaysSub(delivered, all)}
      actions={data && data.length >= MOST && <span class="chip warn">{t.firstOfMany(MOST)}</span>}
    >
      <Loaded query={found} skeleton={<Skeleton shape="line" />}>
        {() => (
          <ul class="day-rates">
            {rates.map((rate) => (
              <Day key={rate.day} {...rate} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
