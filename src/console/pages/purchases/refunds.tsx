import { STORE_FACTS, STORES } from '../../../shared/stores.ts';
import { UNKNOWN } from '../../format.ts';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Options } from '../../parts/options.tsx';
import { SettingCard } from '../../parts/setting-card.tsx';
import { Skeleton } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { mapped } from '../../state/mapped.ts';
import { MODES, useRefundAnswers } from '../../state/refunds.ts';
import { whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { refunds as t } from '../../texts/refunds.ts';
import { RefundRules } from './refund-rules.tsx';

const MODE_OPTIONS = MODES.map((value) => ({ value, label: t.modes[value] }));
const CONSENT_OPTIONS = (['yes', 'no'] as const).map((value) => ({
  value,
  label: t.consents[value],
}));

const Answers = ({ appId: id }: { appId: string }) => (
  <SettingCard
    title={t.title}
    why={t.why}
    query={useRefundAnswers(id)}
    skeleton={<Skeleton count={8} />}
    notAllowed={whyNotManage.value}
    save={(fields) => {
      const answers = MODES.find((one) => one === fields.get('answers')) ?? 'off';
      const customersConsent = fields.get('consent') === 'yes';
      return api.updateRefundAnswers({ id, body: { answers, customersConsent } });
    }}
  >
    {({ answers, customersConsent }) => (
      <>
        <Options label={t.answers} name="answers" options={MODE_OPTIONS} value={answers} />
        <Options
          label={t.consent}
          name="consent"
          options={CONSENT_OPTIONS}
          value={customersConsent ? 'yes' : 'no'}
        />
      </>
    )}
  </SettingCard>
);

type Request = Awaited<ReturnType<typeof api.listRefundRequests>>['requests'][number];

const STORE: Column<Request> = {
  label: t.store,
  show: ({ store }) => STORE_FACTS[store ?? STORES[0]].label,
};

function Requests({ appId: id }: { appId: string }) {
  const requests = useApi(api.listRefundRequests, { id });
  const { data } = requests.value;
  return (
    <ListCard
      title={t.requests}
      isRegion
      count={data?.counts.asked}
      query={mapped(requests, (found) => found.requests)}
      empty={{ icon: icons.price, title: t.none, text: t.noneWhy }}
      keyOf={({ environment, id: one }) => `${environment} ${one}`}
      columns={[
        { label: t.product, show: ({ productId, transactionId }) => productId || transactionId },
        ...(data?.requests.some(({ store }) => store) ? [STORE] : []),
        { label: t.asked, at: ({ askedAt }) => askedAt, isAgo: true },
        { label: t.answer, show: ({ state, message }) => message ?? t.states[state] },
        { label: t.outcome, show: ({ outcome }) => (outcome ? t.outcomes[outcome] : UNKNOWN) },
      ]}
    />
  );
}

export const Refunds = ({ appId }: { appId: string }) => (
  <>
    <div class="grid two">
      <Answers appId={appId} />
      <Requests appId={appId} />
    </div>
    <RefundRules appId={appId} />
  </>
);
