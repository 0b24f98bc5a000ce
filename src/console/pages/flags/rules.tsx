import { useSignal } from '@preact/signals';
import type { Flag, FlagChange } from '../../../../clients/api/src/index.ts';
import { Card } from '../../parts/card.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { WhereChips } from '../../parts/selection/where.tsx';
import { api } from '../../state/api.ts';
import { conditionsOf, type Where } from '../../state/conditions.ts';
import { useExperiments } from '../../state/experiments.ts';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { experiments } from '../../texts/experiments.ts';
import { flags as t } from '../../texts/flags.ts';
import { Reasoned } from './reasoned.tsx';
import { offText, restText, ruleText } from './sentence-texts.ts';

const SENT = { names: [], days: 28, environment: 'production', takesFirst: false } as const;
const NOWHERE: Where = { word: 'all', parts: [] };
const EVERYBODY = 100;
const PLACES = [
  ['after', experiments.places.after],
  ['before', experiments.places.before],
] as const;

type Change = Pick<FlagChange, 'rules' | 'why'>;
type Props = { flag: Flag; change: (change: Change) => Promise<unknown> };

function useGot({ appId, variants, rules }: Flag) {
  const by = useSignal('');
  const all = useExperiments(appId).value.data ?? [];
  const isGiven = (id: string) => rules.some(({ experiment }) => experiment === id);
  const open = all.filter(({ id, status }) => status !== 'stopped' && !isGiven(id));
  const experiment = open.find(({ id }) => id === by.value);
  const names = variants.map(({ name }) => [name, name] as const);
  const read = (fields: Fields) => {
    if (!experiment) {
      const percent = Number(fields.get('percent'));
      return { variant: fields.get('variant'), ...(percent < EVERYBODY && { percent }) };
    }
    const variations = experiment.arms.map(({ id }) => [id, fields.get(id)] as const);
    return { experiment: experiment.id, variations: Object.fromEntries(variations) };
  };
  const shown = experiment ? (
    experiment.arms.map(({ id, name }) => (
      <Choice key={id} label={experiments.variantOf(name)} name={id} options={names} />
    ))
  ) : (
    <>
      <Choice label={t.get} name="variant" options={names} />
      <Field
        label={t.percent}
        name="percent"
        type="number"
        value={`${EVERYBODY}`}
        min={0}
        max={EVERYBODY}
        step={0.01}
      />
    </>
  );
  const choice = open.length > 0 && (
    <Choice
      label={t.by}
      name="by"
      options={[['', t.byShare], ...open.map(({ id, name }) => [id, t.quoted(name)] as const)]}
      value={by.value}
      onChange={into(by)}
    />
  );
  return {
    read,
    fields: (
      <>
        {choice}
        {shown}
      </>
    ),
  };
}

function NewRule({ flag, change }: Props) {
  const where = useSignal(NOWHERE);
  const got = useGot(flag);
  const add = async (fields: Fields) => {
    const conditions = conditionsOf(where.value);
    const rule = { ...(conditions && { where: conditions }), ...got.read(fields) };
    const why = fields.get('why').trim();
    const isBefore = fields.get('place') === 'before';
    const rules = isBefore ? [rule, ...flag.rules] : [...flag.rules, rule];
    await change({ rules, ...(why && { why }) });
    where.value = NOWHERE;
  };
  return (
    <Form button={t.addRule} onSubmit={add} notAllowed={whyNotEdit.value}>
      <div class="ask-chips">
        <WhereChips
          sent={{ ...SENT, appId: flag.appId }}
          where={where.value}
          place="where"
          faultOf={() => undefined}
          onChange={into(where)}
        />
      </div>
      <div class="row top">
        {got.fields}
        {flag.rules.length > 0 && (
          <Choice label={experiments.place} name="place" options={PLACES} value="after" />
        )}
        <Field label={t.why} name="why" maxLength={500} optional />
      </div>
    </Form>
  );
}

export function Rules({ flag }: { flag: Flag }) {
  const { id, appId, version, rules } = flag;
  const change = (body: Change) =>
    api.updateFlag({ id: appId, flagId: id, body: { ...body, version } });
  const rest = restText(flag);
  return (
    <Card title={t.rules}>
      {!flag.isOn && <p class="notice warn">{offText(flag)}</p>}
      <ol class="sentences">
        {rules.map((rule) => (
          <li key={rule.id}>
            <span>{ruleText(rule)}</span>{' '}
            <Reasoned
              button={t.remove}
              title={t.removeNamed(ruleText(rule))}
              act={(reason) => change({ rules: rules.filter((one) => one !== rule), ...reason })}
            />
          </li>
        ))}
        {rest && <li>{rest}</li>}
      </ol>
      <NewRule flag={flag} change={change} />
    </Card>
  );
}
