import type { ComponentChildren } from 'preact';
import { ago, when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { whyNotManage } from '../../state/session.ts';
import { store as t } from '../../texts/store.ts';
import type { Kind } from './misplaced.ts';

export type Connected = {
  issuerId: string;
  keyId: string;
  vendorNumber?: string;
  status: 'connected' | 'invalid' | 'revoked';
  connectedAt: string;
  lastVerifiedAt: string | null;
  lastError: string | null;
};

export function KeyState(props: {
  kind: Kind;
  connection: Connected | null;
  disconnect: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  const { kind, connection } = props;
  const state = connection?.status ?? 'none';
  const isBad = state === 'invalid' || state === 'revoked';
  return (
    <Card
      title={t[kind].title}
      isRegion
      actions={<span class={`chip ${isBad ? 'bad' : connection ? 'good' : ''}`}>{t[state]}</span>}
    >
      <p class="quiet">{t[kind].why}</p>
      {connection?.lastError && (
        <p class={`notice ${isBad ? 'bad' : 'warn'}`}>{connection.lastError}</p>
      )}
      {connection === null ? (
        props.children
      ) : (
        <>
          <Facts
            rows={[
              [t.keyId, <code key="k">{connection.keyId}</code>],
              [t.issuerId, <code key="i">{connection.issuerId}</code>],
              [t.vendor, connection.vendorNumber ?? null],
              [t.since, when(connection.connectedAt)],
              [t.verified, connection.lastVerifiedAt && ago(connection.lastVerifiedAt)],
            ]}
          />
          <details open={isBad}>
            <summary>{t.replace}</summary>
            {props.children}
          </details>
          <p>
            <Confirmed
              button={t.disconnect}
              title={`${t.disconnect}: ${t[kind].title}`}
              loss={t[kind].loss}
              name={connection.keyId}
              notAllowed={whyNotManage.value}
              onConfirm={props.disconnect}
            />
          </p>
        </>
      )}
    </Card>
  );
}
