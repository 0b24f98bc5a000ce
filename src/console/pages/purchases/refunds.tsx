import { STORE_FACTS, STORES } from '../../../shared/stores.ts';
import { ago, UNKNOWN } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Options } from '../../parts/options.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { MODES, useRefundAnswers } from '../../state/refunds.ts';
import { whyNotManage } from '../../state/session.ts';
import { refunds as t } from '../../texts/refunds.ts';
import { RefundRules } from './refund-rules.tsx';

const MODE_OPTIONS = MODES.map((value) => ({ value, label: t.modes[value] }));
const CONSENT_OPTIONS = (['yes', 'no'] as const).map((value) => ({
  value,
  label: t.consents[value],
}));

function Answers({ appId }: { appId: string }) {
  const answers = useRefundAnswers(appId);
  const save = async (fields: Fields) => {
    const mode = MODES.find((one) => one === fields.get('answers')) ?? 'off';
    const customersConsent = fields.get('consent') === 'yes';
    await api.updateRefundAnswers({ id: appId, body: { answers: mode, customersConsent } });
    answers.refetch();
  };
  return (
    <Card title={t.title}>
      <p class="quiet">{t.why}</p>
      <Loaded query={answers} skeleton={<Skeleton count={8} />}>
        {(set) => (
          <Form button={t.save} done={t.saved} onSubmit={save} notAllowed={whyNotManage.value}>
            <Options label={t.answers} name="answers" options={MODE_OPTIONS} value={set.answers} />
            <Options
              label={t.consent}
              name="consent"
              options={CONSENT_OPTIONS}
              value={set.customersConsent ? 'yes' : 'no'}
            />
          </Form>
        )}
      </Loaded>
    </Card>
  );
}

type Request = Awaited<ReturnType<typeof api.listRefundRequests>>['requests'][number];

function Requests({ appId }: { appId: string }) {
  const requests = useQuery(`refund requests ${appId}`, (signal) =>
    api.listRefundRequests({ id: appId }, { signal }),
  );
  return (
    <Card title={t.requests} isRegion count={requests.value.data?.counts.asked} flush>
      <Loaded query={requests}>
        {({ requests: rows }) => (
          <Table
            empty={{ icon: icons.price, title: t.none, text: t.noneWhy }}
            caption={t.requests}
            rows={rows}
            keyOf={({ environment, id }) => `${environment} ${id}`}
            csvName={null}
            columns={[
              {
                label: t.product,
                show: ({ productId, transactionId }) => productId || transactionId,
              },
              ...(rows.some(({ store }) => store)
                ? [
                    {
                      label: t.store,
                      show: ({ store }: Request) => STORE_FACTS[store ?? STORES[0]].label,
                    },
                  ]
                : []),
              { label: t.asked, show: ({ askedAt }) => ago(askedAt) },
              {
                label: t.answer,
                show: ({ state, message }) => message ?? t.states[state],
              },
              {
                label: t.outcome,
                show: ({ outcome }) => (outcome ? t.outcomes[outcome] : UNKNOWN),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
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
