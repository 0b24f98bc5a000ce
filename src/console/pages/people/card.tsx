import type { ComponentChildren } from 'preact';
import { ago, calendarDay, exactNumber, momentIn } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import * as icons from '../../parts/icons.ts';
import { Moment } from '../../parts/moment.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { api } from '../../state/api.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { valueLabel } from '../../state/sent.ts';
import { people as t } from '../../texts/people.ts';
import { visible } from '../../visible.ts';
import { instantsIn, sentenceWith } from './dates.ts';
import { type Experiment, isExposure } from './happenings.ts';
import { paymentOf } from '../../state/payment.ts';
import type { Customer, Event, Person } from './queries.ts';

type Known = { appId: string; person: Person; customer: Customer | null; zone: string };

export function Why({ appId, customer, zone }: Omit<Known, 'person'>) {
  const heardAt = customer?.purchases
    .map(({ checkedAt }) => checkedAt)
    .toSorted()
    .at(-1);
  const entitled = customer?.entitlement.entitled ?? false;
  const sentence =
    customer &&
    sentenceWith(customer.reason.sentence, instantsIn(customer), {
      instant: (iso) => momentIn(iso, zone),
      day: calendarDay,
    });
  return (
    <div class="why">
      <p class={entitled ? 'verdict good' : 'verdict'}>
        {entitled ? <icons.check /> : <icons.close />}
        {entitled ? t.entitled : t.notEntitled}
      </p>
      <p>{sentence ?? t.neverBought}</p>
      <p>
        <Copy label={t.copyAnswer} text={t.answer(entitled, sentence ?? '')} />
      </p>
      {customer?.entitlement.entitlements && (
        <p class="row">
          {customer.entitlement.entitlements.map(({ name, status }) => (
            <span key={name} class={`chip ${toneOf(status)}`}>
              {name}: {status === 'none' ? t.notOfName : t.statuses[status]}
            </span>
          ))}
        </p>
      )}
      {customer && heardAt && (
        <p class="quiet row">
          {t.heard(ago(heardAt))}
          <ActionButton
            button={t.refresh}
            inRow
            act={() => api.refreshPurchaseCustomer({ id: appId, customerId: customer.customerId })}
          />
        </p>
      )}
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="person-part">
    <h3>{title}</h3>
    {children}
  </section>
);

type Purchase = Customer['purchases'][number];

const TONES = { active: 'good', billing_grace: 'warn', billing_retry: 'warn', revoked: 'bad' };
const toneOf = (status: Purchase['status']): string =>
  Object.entries(TONES).find(([one]) => one === status)?.[1] ?? '';

function untilOf({ status, expiresAt, willRenew, transactions }: Purchase) {
  if (status === 'revoked') {
    const refunded = transactions.find(({ refundedAt }) => refundedAt !== null);
    const { refundedAt, revokedAt } = refunded ?? transactions[0] ?? {};
    if (refundedAt) return { text: t.refundedOn, at: refundedAt };
    if (revokedAt) return { text: t.endedOn, at: revokedAt };
  }
  if (expiresAt === null) return null;
  if (status === 'billing_grace' || status === 'billing_retry') {
    return { text: t.wasDueOn, at: expiresAt };
  }
  if (Date.parse(expiresAt) < Date.now()) return { text: t.endedOn, at: expiresAt };
  return { text: willRenew ? t.renewsOn : t.endsOn, at: expiresAt };
}

function Bought({ appId, purchase, zone }: { appId: string; purchase: Purchase; zone: string }) {
  const { productId, status, environment, originalTransactionId, holders } = purchase;
  const until = untilOf(purchase);
  return (
    <li>
      <div class="row">
        <strong>{productId ?? t.unknownProduct}</strong>
        <span class={`chip ${toneOf(status)}`}>{t.statuses[status]}</span>
        {environment === 'Sandbox' && <span class="chip">{t.sandbox}</span>}
      </div>
      {until && (
        <div class="quiet">
          {until.text} <Moment at={until.at} zone={zone} />
        </div>
      )}
      <div class="quiet">
        {t.transaction} <code>{originalTransactionId}</code>
      </div>
      {holders.length > 0 && (
        <div class="quiet">
          {t.heldBy}{' '}
          {holders.map(({ kind, id }, index) => (
            <span key={`${kind} ${id}`}>
              {index > 0 && ', '}
              {kind === 'token' ? visible(id) : <PersonLink appId={appId} personId={id} />}
            </span>
          ))}
        </div>
      )}
    </li>
  );
}

function contextOf({ platform, [VERSION]: version, osVersion }: Event): string {
  const system =
    platform && [valueLabel('platform', platform), osVersion].filter(Boolean).join(' ');
  return [system, version && t.version(version)].filter(Boolean).join(', ');
}

function Devices({ person }: { person: Person }) {
  const own = person.events.filter((event) => !isExposure(event));
  const lastOf = new Map<string, Event>();
  for (const event of own.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt))) {
    lastOf.set(event.anonymousId, event);
  }
  const ids = [...new Set([...lastOf.keys(), ...person.anonymousIds])];
  if (ids.length === 0) return null;
  return (
    <Part title={t.devicesOf(ids.length)}>
      <ul class="person-list">
        {ids.map((id) => {
          const last = lastOf.get(id);
          return (
            <li key={id}>
              <code>{visible(id)}</code>
              {last && <div class="quiet">{contextOf(last)}</div>}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function Arms({ person, experiments }: { person: Person; experiments: readonly Experiment[] }) {
  const seen = new Map(
    person.events
      .filter(isExposure)
      .map(({ props }) => [`${props?.experiment} ${props?.arm}`, props]),
  );
  if (seen.size === 0) return null;
  return (
    <Part title={t.arms}>
      <ul class="person-list">
        {[...seen].map(([key, props]) => {
          const experiment = experiments.find(({ id }) => id === props?.experiment);
          const arm = experiment?.arms.find(({ id }) => id === props?.arm);
          return (
            <li key={key} class="row">
              {experiment ? (
                <a href={`/apps/${experiment.appId}/experiments/${experiment.id}`}>
                  {experiment.name}
                </a>
              ) : (
                String(props?.experiment)
              )}
              <span class="chip">{arm?.name ?? String(props?.arm)}</span>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function About({ person, zone }: Known) {
  const byTime = person.events.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));
  const [first, last] = [byTime[0], byTime.at(-1)];
  const countries = [...new Set(byTime.flatMap(({ country }) => country ?? []))];
  const now = byTime.findLast(({ platform }) => platform !== null);
  return (
    <Facts
      rows={[
        [t.first, first ? <Moment at={first.occurredAt} zone={zone} /> : null],
        [
          t.last,
          last ? (
            <>
              <Moment at={last.occurredAt} zone={zone} />
              {!person.isWhole && ' …'}
            </>
          ) : null,
        ],
        [
          t.country,
          countries.length > 0
            ? countries.map((country) => valueLabel('country', country)).join(', ')
            : null,
        ],
        [t.app, now ? contextOf(now) : null],
        [t.events, `${exactNumber(person.events.length)}${person.isWhole ? '' : ' +'}`],
      ]}
    />
  );
}

export function PersonCard(
  props: Known & {
    experiments: readonly Experiment[];
    grants: ComponentChildren;
    refunds: ComponentChildren;
  },
) {
  const { appId, person, customer, zone, experiments } = props;
  const payment = paymentOf(customer?.reason.code ?? 'nothing_bought');
  return (
    <Card
      title={t.access}
      class="person-card"
      actions={<span class={`chip ${payment.tone}`}>{payment.text}</span>}
    >
      <Why appId={appId} customer={customer} zone={zone} />
      {customer && customer.purchases.length > 0 && (
        <Part title={t.purchases}>
          <ul class="person-list">
            {customer.purchases.map((purchase) => (
              <Bought
                key={`${purchase.environment} ${purchase.originalTransactionId}`}
                appId={appId}
                purchase={purchase}
                zone={zone}
              />
            ))}
          </ul>
        </Part>
      )}
      {customer && customer.grants.length > 0 && <Part title={t.grants}>{props.grants}</Part>}
      {props.refunds && <Part title={t.refundRequests}>{props.refunds}</Part>}
      <Part title={t.about}>
        <About {...props} />
      </Part>
      <Devices person={person} />
      <Arms person={person} experiments={experiments} />
    </Card>
  );
}
