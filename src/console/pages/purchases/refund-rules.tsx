import { useSignal } from '@preact/signals';
import { exactNumber } from '../../format.ts';
import { Choice, Field, type Fields } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mapped } from '../../state/mapped.ts';
import { type RefundAnswers, useRefundAnswers } from '../../state/refunds.ts';
import { whyNotManage } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { refunds as t } from '../../texts/refunds.ts';
import { EntryList } from './entries.tsx';

type Rule = RefundAnswers['products'][number];
type Used = Rule['used'];

const USED = ['none', 'part', 'full', 'events'] as const;
const MAX_USES = 1_000_000;

const usedOf = ({ used, eventName = '', uses = 0 }: Rule): string =>
  used === 'events' ? t.usedByEvents(eventName, exactNumber(uses)) : t.useds[used];

function read(fields: Fields, known: Rule | null): Rule {
  const productId = known?.productId ?? fields.get('productId').trim();
  const used = USED.find((one) => one === fields.get('used')) ?? 'full';
  if (used !== 'events') return { productId, used };
  return {
    ...{ productId, used },
    eventName: fields.get('eventName').trim(),
    uses: Number(fields.get('uses')),
  };
}

function RuleFields({ known }: { known: Rule | null }) {
  const used = useSignal<Used>(known?.used ?? 'full');
  return (
    <>
      {!known && (
        <Field label={t.ruleProduct} name="productId" hint={t.ruleProductHint} maxLength={256} />
      )}
      <Choice
        label={t.used}
        name="used"
        options={USED.map((one) => [one, t.useds[one]] as const)}
        value={used.value}
        onChange={into(used)}
      />
      {used.value === 'events' && (
        <>
          <Field
            label={t.eventName}
            name="eventName"
            hint={t.eventHint}
            value={known?.eventName ?? ''}
            maxLength={64}
          />
          <Field
            label={t.uses}
            name="uses"
            type="number"
            value={String(known?.uses ?? 1)}
            min={1}
            max={MAX_USES}
          />
        </>
      )}
    </>
  );
}

export function RefundRules({ appId: id }: { appId: string }) {
  const answers = useRefundAnswers(id);
  const save = async (change: (before: readonly Rule[]) => Rule[]) => {
    const { products } = await api.getRefundAnswers({ id });
    await api.updateRefundAnswers({ id, body: { products: change(products) } });
  };
  return (
    <EntryList
      query={mapped(answers, ({ products }) => products)}
      texts={{ ...t, ...t.entry }}
      nameOf={({ productId }) => productId}
      columns={[{ label: t.used, show: usedOf }]}
      notAllowed={whyNotManage.value}
      canAdd={answers.value.data !== undefined}
      save={save}
      read={read}
      fields={(known) => <RuleFields known={known} />}
    />
  );
}
