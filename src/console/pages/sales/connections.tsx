import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { EmptyCard } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { sales as t } from '../../texts/sales.ts';

export type Connected = { appStore: boolean; googlePlay: boolean };

async function syncAppStore(): Promise<string> {
  const { skipped, checked, rowsWritten, daysRemaining } = await api.syncSales({
    body: { force: true },
  });
  return skipped ? t.skipped : t.synced(checked, rowsWritten, daysRemaining);
}

async function syncStores({ appStore, googlePlay }: Connected): Promise<string> {
  if (googlePlay) await api.readGooglePlayReports();
  const synced = appStore ? await syncAppStore() : '';
  return googlePlay ? t.readOn(synced).trim() : synced;
}

export function SyncNow({ connected, onDone }: { connected: Connected; onDone: () => void }) {
  const isAny = connected.appStore || connected.googlePlay;
  return (
    <ActionButton
      button={t.sync}
      notAllowed={isAny ? whyNotEdit.value : t.noneWhy}
      act={async () => {
        const report = await syncStores(connected);
        onDone();
        return report;
      }}
    />
  );
}

/** A store that refuses its key, and what to do. */
type Connection = { status: string; lastError: string | null };

export function Trouble({ of }: { of: Connection | null | undefined }) {
  if (!of || of.status === 'connected') return null;
  return (
    <p class="notice bad">
      <strong>{t.trouble}</strong> {of.lastError} <a href="/store">{texts.nav.store}</a>
    </p>
  );
}

export const NoStore = () => (
  <EmptyCard
    icon={icons.store}
    title={t.notConnected}
    text={t.noneWhy}
    action={
      <Button kind="primary" href="/store">
        {t.connect}
      </Button>
    }
  />
);
