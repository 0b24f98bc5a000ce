import { useLocation } from 'preact-iso';
import { useChoice } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { appIdAt } from '../../state/place.ts';
import { useIsIdle } from '../../state/query.ts';
import { ENVIRONMENTS } from '../../state/sent.ts';
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
const OPTIONS = ENVIRONMENTS.map((value) => ({ value, label: t[value] }));

export function useEnvironment() {
  const hasDevelopment = useHasDevelopment(appIdAt(useLocation()));
  const [environment, choose] = useChoice('environment', ENVIRONMENTS);
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
