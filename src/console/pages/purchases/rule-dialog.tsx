import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import type { RefundAnswers } from '../../state/refunds.ts';
import { refunds as t } from '../../texts/refunds.ts';
import { putEntry } from './entries.tsx';

export type Rule = RefundAnswers['products'][number];
type Used = Rule['used'];

const USED = ['none', 'part', 'full', 'events'] as const;
const MAX_USES = 1_000_000;

const ruleOf = (productId: string, used: Used, fields: Fields): Rule =>
  used === 'events'
    ? {
        productId,
        used,
        eventName: fields.get('eventName').trim(),
        uses: Number(fields.get('uses')),
      }
    : { productId, used };

function RuleForm(props: {
  known: Rule | null;
  save: (change: (before: readonly Rule[]) => Rule[]) => Promise<unknown>;
  onClose: () => void;
}) {
  const { known, save, onClose } = props;
  const used = useSignal<Used>(known?.used ?? 'full');
  const submit = async (fields: Fields) => {
    const productId = known?.productId ?? fields.get('productId').trim();
    const wanted = ruleOf(productId, used.value, fields);
    const how = { nameOf: (rule: Rule) => rule.productId, isNew: !known, taken: t.taken };
    await save((before) => putEntry(before, wanted, how));
    onClose();
  };
  return (
    <Form button={t.save} keep onSubmit={submit} onCancel={onClose}>
      {!known && (
        <Field
          label={t.ruleProduct}
          name="productId"
          hint={t.ruleProductHint}
          maxLength={256}
          autocomplete="off"
        />
      )}
      <Choice
        label={t.used}
        name="used"
        options={USED.map((one) => [one, t.useds[one]] as const)}
        value={used.value}
        onChange={(next) => {
          used.value = next;
        }}
      />
      {used.value === 'events' && (
        <>
          <Field
            label={t.eventName}
            name="eventName"
            hint={t.eventHint}
            value={known?.eventName ?? ''}
            maxLength={64}
            autocomplete="off"
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
    </Form>
  );
}

export function RuleDialog(props: {
  chosen: Rule | 'new' | null;
  save: (change: (before: readonly Rule[]) => Rule[]) => Promise<unknown>;
  onClose: () => void;
}) {
  const { chosen, save, onClose } = props;
  const known = chosen === 'new' ? null : chosen;
  return (
    <Dialog
      title={known ? t.changeOf(known.productId) : t.addRule}
      isOpen={chosen !== null}
      onClose={onClose}
    >
      <RuleForm known={known} save={save} onClose={onClose} />
    </Dialog>
  );
}
