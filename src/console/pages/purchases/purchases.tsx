import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Options } from '../../parts/options.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuery } from '../../state/query.ts';
import { whyNotManage } from '../../state/session.ts';
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

function Rules({ appId }: { appId: string }) {
  const secret = useSignal<string | null>(null);
  const settings = useQuery(`purchase settings ${appId}`, (signal) =>
    api.getPurchaseSettings({ id: appId }, { signal }),
  );
  const save = async (fields: Fields) => {
    const body = changeOf(fields);
    const { forwardSecret } = await api.updatePurchaseSettings({ id: appId, body });
    if (forwardSecret) secret.value = forwardSecret;
    settings.refetch();
  };
  return (
    <Card title={t.rules}>
      <p class="quiet">{t.moreThanOneKind}</p>
      <ShownOnce why={t.secret} text={secret.value} />
      <Loaded query={settings} skeleton={<Skeleton count={14} />}>
        {({ ownership, sandboxAccess, sandboxListed, forwardUrl }) => (
          <Form button={t.save} done={t.saved} onSubmit={save} notAllowed={whyNotManage.value}>
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
          </Form>
        )}
      </Loaded>
    </Card>
  );
}

export function Purchases() {
  const appId = useRoute().params.id ?? '';
  const app = useApps().value.data?.find(({ id }) => id === appId);
  return (
    <Page title={t.title} question={t.question} help="purchases">
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
