import { useSignal } from '@preact/signals';
import type { Flag } from '../../../../clients/api/src/index.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useAddress } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useSegments } from '../../state/segments.ts';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { experiments as t } from '../../texts/experiments.ts';
import type { Experiment } from './queries.ts';

type Props = { experiment: Experiment; flags: readonly Flag[] };

const ruleIn = ({ rules }: Flag, { id }: Experiment) =>
  rules.find(({ experiment }) => experiment === id);

const PLACES = [
  ['after', t.places.after],
  ['before', t.places.before],
] as const;

function variantsByArm(flag: Flag, experiment: Experiment): string {
  const variations = ruleIn(flag, experiment)?.variations ?? {};
  return experiment.arms.map(({ id, name }) => t.armGets(name, variations[id] ?? '')).join(', ');
}

/** Shared arms are fixed once it runs; so is which flags they change. */
function Given({ experiment, flags }: Props) {
  if (flags.length === 0) return <p class="notice warn">{t.noFlags}</p>;
  const takeAway = ({ appId, id, rules, version }: Flag) => {
    const left = rules.filter((rule) => rule.experiment !== experiment.id);
    const why = t.ruleWhy(experiment.name);
    return api.updateFlag({ id: appId, flagId: id, body: { rules: left, version, why } });
  };
  return (
    <Table
      caption={t.flags}
      rows={flags}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t.flag,
          show: ({ id, appId, key }) => <a href={`/apps/${appId}/flags?flag=${id}`}>{key}</a>,
          second: ({ isOn }) => (isOn ? null : t.flagIsOff),
          narrow: true,
        },
        { label: t.arms, show: (flag) => variantsByArm(flag, experiment), narrow: true },
        {
          label: t.takeRuleButton,
          isAct: true,
          narrow: true,
          show: (flag) => (
            <ActionButton
              button={t.takeRuleButton}
              label={t.takeRule(flag.key)}
              act={() => takeAway(flag)}
              notAllowed={whyNotEdit.value}
              inRow
            />
          ),
        },
      ]}
    />
  );
}

function Give({ experiment, flags }: Props) {
  const chosen = useSignal(flags[0]?.id ?? '');
  const { query } = useAddress();
  const segments = useSegments(experiment.appId).value.data ?? [];
  const flag = flags.find(({ id }) => id === chosen.value) ?? flags[0];
  if (!flag) return <p class="quiet">{t.withoutFlags}</p>;
  const variants = flag.variants.map(({ name }) => [name, name] as const);
  const give = (fields: Fields) => {
    const variations = Object.fromEntries(
      experiment.arms.map(({ id }) => [id, fields.get(`variant-${id}`)]),
    );
    const segment = fields.get('segment');
    const where = segment !== '' && { where: { all: [{ segment, is: true }] } };
    const rule = { ...where, experiment: experiment.id, variations };
    const isBefore = fields.get('place') === 'before';
    const rules = isBefore ? [rule, ...flag.rules] : [...flag.rules, rule];
    const why = fields.get('why').trim() || t.ruleWhy(experiment.name);
    const body = { rules, version: flag.version, why };
    return api.updateFlag({ id: flag.appId, flagId: flag.id, body });
  };
  return (
    <Form button={t.give} onSubmit={give} notAllowed={whyNotEdit.value}>
      <div class="row top">
        <Choice
          label={t.flag}
          name="flag"
          options={flags.map(({ id, key }) => [id, key] as const)}
          value={flag.id}
          onChange={into(chosen)}
        />
        {experiment.arms.map((arm, index) => (
          <Choice
            key={`${flag.id} ${arm.id}`}
            label={t.variantOf(arm.name)}
            name={`variant-${arm.id}`}
            options={variants}
            value={variants[index % variants.length]?.[0] ?? ''}
          />
        ))}
        {segments.length > 0 && (
          <Choice
            label={t.takesPart}
            name="segment"
            options={[
              ['', t.everybody] as const,
              ...segments.map(({ id, name }) => [id, name] as const),
            ]}
            value={query.segment ?? ''}
          />
        )}
        <Choice label={t.place} name="place" options={PLACES} value="after" />
        <Field label={t.whyFlag} name="why" maxLength={500} optional />
      </div>
    </Form>
  );
}

export function FlagRules({ experiment }: { experiment: Experiment }) {
  const { appId, status } = experiment;
  const query = useApi(api.listFlags, { id: appId });
  return (
    <Card title={t.flags}>
      <Loaded query={query}>
        {(all) => {
          const [given, others] = [
            all.filter((flag) => ruleIn(flag, experiment)),
            all.filter((flag) => !ruleIn(flag, experiment)),
          ];
          return (
            <>
              <Given experiment={experiment} flags={given} />
              {status !== 'stopped' && <Give experiment={experiment} flags={others} />}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
