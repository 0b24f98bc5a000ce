import { useLocation } from 'preact-iso';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { appIdAt } from '../../state/place.ts';
import { useIsIdle } from '../../state/query.ts';
import { useApi } from '../../state/use-api.ts';
import { texts } from '../../texts/index.ts';
import { ChoiceChip } from './index.ts';

const DAYS = 28;

function useHasDevelopment(appId: string | undefined): boolean {
  const isIdle = useIsIdle();
  const query = useApi(
    api.getEventSummary,
    { id: appId ?? '', query: { days: DAYS, environment: 'development' } },
    { enabled: isIdle && appId !== undefined },
  );
  return (query.value.data?.events ?? 0) > 0;
}

const t = texts.environments;
const OPTIONS = [
  { value: 'production', label: t.production },
  { value: 'development', label: t.development },
  { value: 'all', label: t.all },
] as const;

export type Environment = (typeof OPTIONS)[number]['value'];

export const environmentOf = (text: string): Environment =>
  OPTIONS.find(({ value }) => value === text)?.value ?? 'production';

export function useEnvironment() {
  const hasDevelopment = useHasDevelopment(appIdAt(useLocation()));
  const [chosen, choose] = useSetting('environment', 'production');
  const environment = environmentOf(chosen);
  const isOffered = hasDevelopment || environment !== 'production';
  return {
    environment,
    choice: isOffered ? (
      <ChoiceChip
        name={t.label}
        word={t.word}
        options={OPTIONS}
        value={environment}
        onChange={choose}
      />
    ) : null,
  };
}
