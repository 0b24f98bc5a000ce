import type { ComponentChildren } from 'preact';
import { ChoiceChip } from '../../parts/chips/index.ts';
import { SearchForm } from '../../parts/search-form.tsx';
import { useSetting } from '../../state/address.ts';
import { logs as t } from '../../texts/logs.ts';
import type { Page as Found } from './entry.ts';
import { LEVELS } from './levels.ts';

const RANGES = ['900000', '3600000', '86400000', '604800000', '2592000000'] as const;
const DAY: (typeof RANGES)[number] = '86400000';

const optionsOf = (all: string, values: readonly string[]) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: value })),
];

export function useFilters() {
  const [level, setLevel] = useSetting('level', '');
  const [resource, setService] = useSetting('service', '');
  const [env, setEnv] = useSetting('env', '');
  const [q, setQ] = useSetting('q', '');
  const [last, setRange] = useSetting('last', DAY);
  const [before, setBefore] = useSetting('before', '');
  const [follow, setFollow] = useSetting('follow', '');
  const range = RANGES.find((ms) => ms === last) ?? DAY;
  return {
    ...{ level, setLevel, resource, setService, env, setEnv, q, setQ, range, setRange },
    ...{ before, setBefore, follow, setFollow },
  };
}
export type Filters = ReturnType<typeof useFilters>;

export function Asked(props: { filters: Filters; found: Found | undefined }): ComponentChildren {
  const { filters } = props;
  const { resources = [], envs = [] } = props.found ?? {};
  return (
    <>
      <SearchForm
        label={t.search}
        hint={t.searchHint}
        value={filters.q}
        maxLength={500}
        onSearch={filters.setQ}
      />
      <ChoiceChip
        name={t.level}
        options={[
          { value: '', label: t.levels.all },
          ...LEVELS.map((value) => ({ value, label: t.levels[value] })),
        ]}
        value={filters.level}
        onChange={filters.setLevel}
      />
      {(resources.length > 1 || filters.resource) && (
        <ChoiceChip
          name={t.service}
          options={optionsOf(t.allServices, resources)}
          value={filters.resource}
          onChange={filters.setService}
        />
      )}
      {(envs.length > 1 || filters.env) && (
        <ChoiceChip
          name={t.env}
          options={optionsOf(t.allEnvs, envs)}
          value={filters.env}
          onChange={filters.setEnv}
        />
      )}
    </>
  );
}

export const Since = ({ filters }: { filters: Filters }) => (
  <ChoiceChip
    name={t.range}
    options={RANGES.map((value) => ({ value, label: t.ranges[value] }))}
    value={filters.range}
    onChange={filters.setRange}
  />
);
