import { useExperiments } from '../state/experiments.ts';
import { hasUnchecked, useInsights, worthALook } from '../state/insights.ts';
import { useIsIdle } from '../state/query.ts';
import { useSalesOverview } from '../state/sales.ts';
import { useServiceStatus } from '../state/service-status.ts';
import { usePlayAccount, useStoreConnection } from '../state/store-connection.ts';
import { texts } from '../texts/index.ts';

const t = texts.nav;

type Tone = 'good' | 'warn' | 'bad' | 'off';

/** Its word is for those who do not see colours. */
function Dot({ tone, text }: { tone: Tone; text: string }) {
  return (
    <span class={`dot ${tone}`} title={text}>
      <span class="skip">{text}</span>
    </span>
  );
}

export function SalesNote() {
  const late = useSalesOverview(useIsIdle()).value.data?.freshness.gaps ?? 0;
  return late > 0 ? <span class="nav-note">{t.daysLate(late)}</span> : null;
}

export function ExperimentsNote({ appId }: { appId: string }) {
  const { data, isPrevious } = useExperiments(appId, useIsIdle()).value;
  const running = isPrevious ? 0 : (data?.filter(({ status }) => status === 'running').length ?? 0);
  return running > 0 ? <span class="nav-note">{t.running(running)}</span> : null;
}

export function AppDot({ appId }: { appId: string }) {
  const { data } = useInsights(appId, false).value;
  if (!data) return null;
  const count = worthALook(data).length;
  if (count > 0) return <Dot tone="warn" text={t.toLookAt(count)} />;
  return hasUnchecked(data) ? null : <Dot tone="good" text={t.allRight} />;
}

export function ConnectionsDot() {
  const isIdle = useIsIdle();
  const appStore = useStoreConnection(isIdle).value.data;
  const googlePlay = usePlayAccount(isIdle).value.data;
  if (appStore === undefined || googlePlay === undefined) return null;
  const data =
    [appStore, googlePlay].find((one) => one && one.status !== 'connected') ??
    appStore ??
    googlePlay;
  if (data === null) return <Dot tone="off" text={t.noStore} />;
  if (data.status !== 'connected') return <Dot tone="bad" text={t.storeRefuses} />;
  return data.lastError ? (
    <Dot tone="warn" text={t.storeProblem} />
  ) : (
    <Dot tone="good" text={t.storeConnected} />
  );
}

export function SettingsDot() {
  const { data } = useServiceStatus(useIsIdle()).value;
  return data && !data.ok ? <Dot tone="bad" text={t.serviceProblem} /> : null;
}

export function ServiceState() {
  const { data } = useServiceStatus(useIsIdle()).value;
  if (!data) return null;
  return (
    <span class="nav-note">
      <Dot tone={data.ok ? 'good' : 'bad'} text={data.ok ? t.serviceOk : t.serviceProblem} />
      {data.release}
    </span>
  );
}
