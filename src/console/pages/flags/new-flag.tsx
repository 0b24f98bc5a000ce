import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { Flag } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choice, Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { JsonField } from '../../parts/json-field.tsx';
import { useAddress } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { segmentName } from '../../state/segment-names.ts';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { flags as t } from '../../texts/flags.ts';

type Kind = Flag['type'];
type Variants = Flag['variants'];

const KINDS = (['boolean', 'string', 'number', 'json'] as const).map(
  (kind) => [kind, t.kinds[kind]] as const,
);
const MAX_VALUES = 20;
const SWITCH: Variants = [
  { name: 'off', value: false },
  { name: 'on', value: true },
];
const READ: Readonly<Record<Kind, (text: string) => unknown>> = {
  boolean: Boolean,
  string: String,
  number: Number,
  json: JSON.parse,
};

function Values({ kind }: { kind: Kind }) {
  const count = useSignal(2);
  return (
    <>
      {Array.from({ length: count.value }, (_, index) => (
        <div class="row top" key={index}>
          <Field
            label={t.nameOf(index + 1)}
            name="name"
            value={`v${index + 1}`}
            rule="variantName"
          />
          {kind === 'json' ? (
            <JsonField label={t.valueOf(index + 1)} name="value" hint={t.isObject} />
          ) : (
            <Field
              label={t.valueOf(index + 1)}
              name="value"
              {...(kind === 'number'
                ? { type: 'number', step: 'any' }
                : { maxLength: 16_000, optional: true })}
            />
          )}
        </div>
      ))}
      <Button
        kind="dashed"
        icon={icons.add}
        disabledWhy={count.value === MAX_VALUES && t.noMoreValues}
        onClick={() => {
          count.value += 1;
        }}
      >
        {t.addValue}
      </Button>
    </>
  );
}

function readVariants(kind: Kind, fields: Fields): Variants {
  if (kind === 'boolean') return SWITCH;
  const values = fields.all('value');
  return fields
    .all('name')
    .map((name, index) => ({ name, value: READ[kind](values[index] ?? '') }));
}

/** Off at first: nobody gets anything by it. */
export function NewFlag({ appId }: { appId: string }) {
  const { route } = useLocation();
  const { query, change } = useAddress();
  const { segment } = query;
  const kind = useSignal<Kind>('boolean');
  const opening = {
    isOpen: query.add === 'flag',
    open: () => change({ add: 'flag' }),
    close: () => change({ add: undefined, segment: undefined }),
  };
  const create = async (fields: Fields) => {
    const variants = readVariants(kind.value, fields);
    const body = {
      ...{ key: fields.get('key'), type: kind.value, variants },
      ...{ description: fields.get('description'), defaultVariant: variants[0]?.name ?? '' },
    };
    const where = segment && { all: [{ segment, is: true }] };
    const [, variant] = variants;
    const rules = where && variant ? [{ where, variant: variant.name }] : [];
    const { id } = await api.createFlag({ id: appId, body: { ...body, rules } });
    route(`/apps/${appId}/flags?flag=${id}`);
  };
  return (
    <FormDialog
      button={t.create}
      submit={t.createOff}
      opening={opening}
      notAllowed={whyNotEdit.value}
      send={create}
    >
      <Field label={t.key} name="key" hint={t.keyHint} rule="flagKey" />
      <Field label={t.description} name="description" maxLength={500} optional />
      <Choice label={t.kind} name="kind" options={KINDS} value={kind.value} onChange={into(kind)} />
      {kind.value !== 'boolean' && <Values key={kind.value} kind={kind.value} />}
      <p class="quiet">{t.firstMeans(kind.value === 'boolean')}</p>
      {segment && <p class="notice">{t.forSegment(segmentName(segment))}</p>}
    </FormDialog>
  );
}
