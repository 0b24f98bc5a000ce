import { ChoiceChip } from '../../parts/chips/index.ts';
import { SearchForm } from '../../parts/search-form.tsx';
import { useSetting } from '../../state/address.ts';
import { dayOf } from '../../state/days.ts';
import { audit as t } from '../../texts/audit.ts';
import { THINGS, thingName } from './names.ts';

const SINCE = ['1', '7', '30', '90', 'all'] as const;
const DAY_MS = 86_400_000;

export function useFilters() {
  const [who, setWho] = useSetting('who', '');
  const [thing, setThing] = useSetting('thing', '');
  const [id, setId] = useSetting('id', '');
  const [days, setDays] = useSetting('days', '30');
  const since = SINCE.find((one) => one === days) ?? '30';
  return { who, setWho, thing, setThing, id, setId, since, setDays };
}
export type Filters = ReturnType<typeof useFilters>;

export function queryOf({ who, thing, id, since }: Filters) {
  return {
    ...(who && { actorId: who }),
    ...(thing && { of: thing }),
    ...(id && { objectId: id }),
    ...(since !== 'all' && { from: dayOf(Date.now() - Number(since) * DAY_MS, 'UTC') }),
  };
}

export function Asked(props: { filters: Filters; names: ReadonlyMap<string, string> }) {
  const { filters, names } = props;
  const { who, thing } = filters;
  const people = [...names].map(([value, label]) => ({ value, label }));
  const gone = who && !names.has(who) ? [{ value: who, label: t.unknown(who) }] : [];
  const others = thing && !THINGS.includes(thing) ? [thing] : [];
  return (
    <>
      <SearchForm label={t.search} value={filters.id} onSearch={filters.setId} />
      <ChoiceChip
        name={t.who}
        options={[{ value: '', label: t.everybody }, ...people, ...gone]}
        value={who}
        onChange={filters.setWho}
      />
      <ChoiceChip
        name={t.thing}
        options={[
          { value: '', label: t.allThings },
          ...[...THINGS, ...others].map((value) => ({ value, label: thingName(value) })),
        ]}
        value={thing}
        onChange={filters.setThing}
      />
    </>
  );
}

export const Since = ({ filters }: { filters: Filters }) => (
  <ChoiceChip
    name={t.days}
    options={SINCE.map((value) => ({ value, label: t.since[value] }))}
    value={filters.since}
    onChange={filters.setDays}
  />
);
