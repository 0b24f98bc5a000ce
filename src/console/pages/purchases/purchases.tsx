import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { Field, type Fields } from '../../parts/form.tsx';
import { Options } from '../../parts/options.tsx';
import { Page } from '../../parts/page.tsx';
import { SettingCard } from '../../parts/setting-card.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { purchases as t } from '../../texts/purchases.ts';
import { EntitlementNames } from './names.tsx';
import { Notices } from './notices.tsx';
import { Notifications } from './notifications.tsx';
import { Refunds } from './refunds.tsx';

type Settings = Awaited<ReturnType<typeof api.getPurchaseSettings>>;
const OWNERSHIPS = ['transfer', 'keep', 'share'] as const;
const ACCESSES = ['anybody', 'listed', 'nobody'] as const;
const optionsOf = <T extends string>(values: readonly T[], said: Record<T, string>) =>
  values.map((value) => ({ value, label: said[value] }));

function changeOf(fields: Fields): Settings {
  const listed = fields.get('sandboxListed').split(/[\s,]+/);
  return {
    ownership: OWNERSHIPS.find((one) => one === fields.get('ownership')) ?? 'transfer',
    sandboxAccess: ACCESSES.find((one) => one === fields.get('sandboxAccess')) ?? 'anybody',
    sandboxListed: listed.filter(Boolean),
    forwardUrl: fields.get('forwardUrl').trim() || null,
  };
}

function Rules({ appId: id }: { appId: string }) {
  const secret = useSignal<string | null>(null);
  const save = async (fields: Fields) => {
    const { forwardSecret } = await api.updatePurchaseSettings({ id, body: changeOf(fields) });
    if (forwardSecret) secret.value = forwardSecret;
  };
  return (
    <SettingCard
      title={t.rules}
      why={t.moreThanOneKind}
      query={useApi(api.getPurchaseSettings, { id })}
      skeleton={<Skeleton count={14} />}
      above={() => <ShownOnce why={t.secret} text={secret.value} />}
      notAllowed={whyNotManage.value}
      save={save}
    >
      {({ ownership, sandboxAccess, sandboxListed, forwardUrl }) => (
        <>
          <Options
            label={t.ownership}
            name="ownership"
            options={optionsOf(OWNERSHIPS, t.ownerships)}
            value={ownership}
          />
          <Options
            label={t.sandboxAccess}
            name="sandboxAccess"
            options={optionsOf(ACCESSES, t.accesses)}
            value={sandboxAccess}
          />
          <Field
            label={t.listed}
            name="sandboxListed"
            hint={t.listedHint}
            value={sandboxListed.join(', ')}
            maxLength={130_000}
            optional
          />
          <Field
            label={t.forward}
            name="forwardUrl"
            hint={t.forwardHint}
            value={forwardUrl ?? ''}
            maxLength={2_048}
            optional
          />
        </>
      )}
    </SettingCard>
  );
}

export function Purchases() {
  const appId = useRoute().params.id ?? '';
  const app = useApps().value.data?.find(({ id }) => id === appId);
  return (
    <Page question={t.question} help="purchases">
      {app?.bundleId === null && (
        <p class="notice warn">
          {t.notBuilt} <a href="/store">{t.link}</a>
        </p>
      )}
      <Notices appId={appId} />
      <div class="grid two">
        <Notifications appId={appId} />
        <Rules appId={appId} />
      </div>
      <EntitlementNames appId={appId} />
      <Refunds appId={appId} />
    </Page>
  );
}
