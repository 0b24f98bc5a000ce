import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useEnvironment } from '../../parts/chips/environment.tsx';
import { useAddress } from '../../state/address.ts';
import { type AddressChange, changedQuery } from '../../state/address-query.ts';
import { type Ask, type AskKind, askOf, type Door, DOORS, type Frame } from '../../state/ask.ts';
import { useFunnels } from '../../state/funnels.ts';
import { type Picked, readPicked } from '../../state/ask-people.ts';
import { useCompare, useRange } from '../../state/range.ts';
import { useSavedQuestions } from '../../state/saved-questions.ts';
import { useSegments } from '../../state/segments.ts';
import { retention as retentionTexts } from '../../texts/retention.ts';
import { askAt, framedAt, isShort, openedAt } from './asked-at.ts';
import { parametersOf } from './from-page.ts';

/** `2-1`: period 1 of cohort 2; `2`: the cohort. */
function cellOf(name = ''): Picked | undefined {
  const [, cohort, period] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(name) ?? [];
  if (cohort === undefined) return undefined;
  const figure = { of: 'cohort' as const, cohortIndex: +cohort, period: +(period ?? 0) };
  return { question: 0, figure, values: [], title: retentionTexts.triangle };
}

export function useQuestionSettings(door: Door) {
  const appId = useRoute().params.id ?? '';
  const { query, change } = useAddress();
  const { route } = useLocation();
  const range = useRange();
  const { compare, before } = useCompare(range);
  const { choice } = useEnvironment();
  useSegments(appId);
  const saved = useSavedQuestions(appId);
  const found = saved.value.data?.find(({ id }) => id === query.saved);
  const funnels = useFunnels(appId, door === 'funnels');
  const named = funnels.value.data;
  const go = (kind: AskKind, values: AddressChange, isBackSkipped = false) =>
    DOORS[kind] === door
      ? change(values, { isBackSkipped })
      : route(
          `/apps/${appId}/${DOORS[kind]}${changedQuery(location.search, values)}`,
          isBackSkipped,
        );
  const isWaiting = door === 'funnels' && named === undefined && funnels.value.error === undefined;
  const isFolded = isShort(query);
  const whole = found && isFolded ? openedAt(query, found, named ?? []) : query;
  const opening = found && isFolded ? askOf(found.question) : undefined;
  const ask = opening ?? askAt(door, query, named);
  const { kind } = ask;
  const isElsewhere = DOORS[kind] !== door;
  useEffect(() => {
    if (isElsewhere) go(kind, {}, true);
    else if (whole !== query && !isWaiting) change(whole, { isBackSkipped: true });
  }, [JSON.stringify(whole), isWaiting, isElsewhere]);
  const { intervals, usual, frame } = framedAt(kind, query, range);
  const isCompared = compare === 'previous' && (kind === 'trend' || kind === 'funnel');
  return {
    ...{ appId, query, change, range, before, isCompared, ask, saved, door, funnels },
    ...{ intervals, frame, interval: frame.interval, environment: frame.environment },
    environmentChoice: choice,
    /** The saved question that this one came from. */
    opened: found,
    isOpening: isElsewhere || isWaiting || (isFolded && (found !== undefined || !saved.value.data)),
    failed: isFolded && !saved.value.data ? saved.value.error : undefined,
    behind: readPicked(query.behind) ?? cellOf(query.cell),
    setBehind: (picked: Picked | undefined) =>
      change({ behind: picked && JSON.stringify(picked), cell: undefined }),
    setAsk: (next: Ask, others?: AddressChange) =>
      go(next.kind, {
        ...parametersOf(next, named),
        ...(query.saved !== undefined && { as: next.kind }),
        ...others,
      }),
    setInterval: (next: Frame['interval']) =>
      change({ interval: next === usual ? undefined : next, point: undefined, cell: undefined }),
  };
}

export type QuestionSettings = ReturnType<typeof useQuestionSettings>;
