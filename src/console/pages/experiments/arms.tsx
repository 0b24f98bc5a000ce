import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { JsonField } from '../../parts/json-field.tsx';
import { api } from '../../state/api.ts';
import { into } from '../../state/signals.ts';
import { experiments as t } from '../../texts/experiments.ts';
import type { Experiment, Onboarding } from './queries.ts';

const MIN_ARMS = 2;
const MAX_ARMS = 6;

type Arm = Experiment['arms'][number];
export type ArmDraft = { id?: string; name: string; weight: number; onboardingId?: string };

const letterOf = (index: number): string => 'ABCDEF'.charAt(index);

function ArmFields(props: {
  row: number;
  index: number;
  arm: Arm | undefined;
  ofFlags: boolean;
  onboardings: readonly Onboarding[];
  onRemove: (() => void) | null;
}) {
  const { row, index, arm, onboardings } = props;
  const named = (field: string) => `arm-${row}-${field}`;
  const chosen = useSignal(arm?.onboardingId ?? onboardings[index]?.id ?? '');
  const ownId = arm?.onboardingId ?? '';
  const isListed = ownId === '' || onboardings.some(({ id }) => id === ownId);
  const options = [
    ...(isListed ? [] : [[ownId, arm?.name ?? ''] as const]),
    ...onboardings.map(({ id, name }) => [id, name] as const),
    ['', t.newContent] as const,
  ];
  const found = onboardings.find(({ id }) => id === chosen.value);
  return (
    <fieldset>
      <legend>
        {t.arm(letterOf(index))} {index === 0 && <span class="quiet">({t.control})</span>}
      </legend>
      <div class="row top">
        <Field
          label={t.armName}
          name={named('name')}
          value={arm?.name ?? letterOf(index)}
          maxLength={80}
        />
        <Field
          label={t.weight}
          name={named('weight')}
          type="number"
          min={1}
          max={10_000}
          value={String(arm?.weight ?? 1)}
          {...(index === 0 && { hint: t.weightHint })}
        />
        {!props.ofFlags && (
          <Choice
            label={t.onboarding}
            name={named('onboarding')}
            options={options}
            value={chosen.value}
            onChange={into(chosen)}
          />
        )}
      </div>
      {found && (
        <details>
          <summary>{t.content}</summary>
          <pre>{JSON.stringify(found.config, null, 2)}</pre>
        </details>
      )}
      {chosen.value === '' && !props.ofFlags && (
        <JsonField label={t.content} name={named('content')} hint={t.contentHint} />
      )}
      {props.onRemove && (
        <button type="button" class="link" onClick={props.onRemove}>
          {t.removeArm}
        </button>
      )}
    </fieldset>
  );
}

async function onboardingOf(
  appId: string,
  { name, content }: { name: string; content: string },
  made: Map<string, string>,
): Promise<string> {
  const key = `${name} ${content}`;
  const known = made.get(key);
  if (known) return known;
  const config: unknown = JSON.parse(content);
  const { id } = await api.createOnboarding({ id: appId, body: { name, config } });
  made.set(key, id);
  return id;
}

export function useArms(
  appId: string,
  {
    arms,
    ofFlags,
    onboardings,
  }: {
    arms: readonly Arm[];
    ofFlags: boolean;
    onboardings: readonly Onboarding[];
  },
) {
  const rows = useSignal([...(arms.length > 0 ? arms : Array.from({ length: MIN_ARMS })).keys()]);
  const made = useSignal(new Map<string, string>());
  const remove = (row: number) => {
    rows.value = rows.value.filter((other) => other !== row);
  };
  const read = async (fields: Fields): Promise<ArmDraft[]> => {
    const drafts: ArmDraft[] = [];
    for (const row of rows.value) {
      const get = (field: string) => fields.get(`arm-${row}-${field}`);
      const name = get('name');
      const content = get('content');
      const chosen = get('onboarding');
      const id = arms[row]?.id;
      const weight = Number(get('weight'));
      const draft = { ...(id && { id }), name, weight };
      if (ofFlags) {
        drafts.push(draft);
        continue;
      }
      const onboardingId = chosen || (await onboardingOf(appId, { name, content }, made.value));
      drafts.push({ ...draft, onboardingId });
    }
    return drafts;
  };
  const fields = (
    <>
      {rows.value.map((row, index) => (
        <ArmFields
          key={row}
          row={row}
          index={index}
          arm={arms[row]}
          ofFlags={ofFlags}
          onboardings={onboardings}
          onRemove={rows.value.length > MIN_ARMS ? () => remove(row) : null}
        />
      ))}
      {rows.value.length < MAX_ARMS && (
        <Button
          icon={icons.add}
          class="add-part"
          onClick={() => {
            rows.value = [...rows.value, Math.max(...rows.value) + 1];
          }}
        >
          {t.addArm}
        </Button>
      )}
    </>
  );
  return { fields, read };
}
