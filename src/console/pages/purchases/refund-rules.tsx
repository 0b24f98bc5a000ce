import { useSignal } from '@preact/signals';
import { exactNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useRefundAnswers } from '../../state/refunds.ts';
import { whyNotManage } from '../../state/session.ts';
import { refunds as t } from '../../texts/refunds.ts';
import { AddEntry, EntryActs } from './entries.tsx';
import { type Rule, RuleDialog } from './rule-dialog.tsx';

const usedOf = ({ used, eventName = '', uses = 0 }: Rule): string =>
  used === 'events' ? t.usedByEvents(eventName, exactNumber(uses)) : t.useds[used];

function RulesTable(props: {
  all: readonly Rule[];
  notAllowed: string | false;
  onChange: (rule: Rule) => void;
  remove: (productId: string) => Promise<unknown>;
}) {
  const { all, notAllowed, onChange, remove } = props;
  return (
    <Table
      caption={t.rules}
      rows={all}
      keyOf={({ productId }) => productId}
      csvName={null}
      columns={[
        { label: t.product, show: ({ productId }) => <strong>{productId}</strong> },
        { label: t.used, show: usedOf },
        {
          label: t.change,
          isAct: true,
          show: (rule) => (
            <EntryActs
              name={rule.productId}
              change={{ button: t.change, label: t.changeOf(rule.productId) }}
              removal={{ button: t.remove, title: t.removeOf(rule.productId), loss: t.removeLoss }}
              notAllowed={notAllowed}
              onChange={() => onChange(rule)}
              remove={() => remove(rule.productId)}
            />
          ),
        },
      ]}
    />
  );
}

export function RefundRules({ appId }: { appId: string }) {
  const chosen = useSignal<Rule | 'new' | null>(null);
  const answers = useRefundAnswers(appId);
  const notAllowed = whyNotManage.value;
  const save = async (change: (before: readonly Rule[]) => Rule[]) => {
    const { products } = await api.getRefundAnswers({ id: appId });
    await api.updateRefundAnswers({ id: appId, body: { products: change(products) } });
    answers.refetch();
  };
  const remove = (gone: string) =>
    save((before) => before.filter(({ productId }) => productId !== gone));
  const add = (
    <AddEntry
      label={t.addRule}
      notAllowed={notAllowed}
      onClick={() => {
        chosen.value = 'new';
      }}
    />
  );
  const count = answers.value.data?.products.length;
  return (
    <Card title={t.rules} isRegion count={count} flush actions={count !== undefined && add}>
      <Loaded query={answers}>
        {({ products }) =>
          products.length === 0 ? (
            <Empty icon={icons.price} title={t.noRules} text={t.noRulesWhy} />
          ) : (
            <RulesTable
              all={products}
              notAllowed={notAllowed}
              remove={remove}
              onChange={(rule) => {
                chosen.value = rule;
              }}
            />
          )
        }
      </Loaded>
      <RuleDialog
        chosen={chosen.value}
        save={save}
        onClose={() => {
          chosen.value = null;
        }}
      />
    </Card>
  );
}
