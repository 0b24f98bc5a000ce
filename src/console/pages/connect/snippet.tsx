import { Copy } from '../../parts/copy.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useChoice } from '../../state/address.ts';
import { connect as t } from '../../texts/connect.ts';

const KINDS = ['web', 'expo', 'swift', 'curl'] as const;
type Kind = (typeof KINDS)[number];

function snippetOf(kind: Kind, url: string, key: string): string {
  switch (kind) {
    case 'web':
      return `<!-- or: npm install ${url}/clients/web.tgz -->
<script src="${url}/client.js"></script>
<script>
  const client = ControlPlane.createClient({ url: '${url}', key: '${key}' });
  client.track('app_opened');
</script>`;
    case 'expo':
      return `// npm install ${url}/clients/web.tgz
// npx expo install @react-native-async-storage/async-storage expo-crypto
import AsyncStorage from '@react-native-async-storage/async-storage';
import { createClient } from 'control-plane-web/react-native';
import { randomUUID } from 'expo-crypto';
import { AppState, Platform } from 'react-native';

const client = createClient({
  url: '${url}',
  key: '${key}',
  platform: Platform.OS,
  storage: AsyncStorage,
  appState: AppState,
  newId: randomUUID,
});
client.track('app_opened');`;
    case 'swift':
      return `// Package: the address of this service's repository, product "ControlPlane"
import ControlPlane

ControlPlane.start(Options(key: "${key}", url: "${url}"))
ControlPlane.track("app_opened")`;
    case 'curl':
      return `curl -X POST ${url}/v1/events \\
  -H 'x-service-key: ${key}' -H 'content-type: application/json' \\
  -d '{"events":[{"name":"app_opened","anonymousId":"person-0001"}]}'`;
  }
}

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

function Key({ secret, hasKey }: { secret: string | null; hasKey: boolean }) {
  if (secret === null) return <p class="quiet">{hasKey ? t.hasKey : t.needsKey}</p>;
  return <ShownOnce why={t.yourKey} text={secret} />;
}

export function Snippet({ secret, hasKey }: { secret: string | null; hasKey: boolean }) {
  const [kind, choose] = useChoice('with', KINDS);
  const text = snippetOf(kind, location.origin, secret ?? 'svp_…');
  return (
    <>
      <Key secret={secret} hasKey={hasKey} />
      <Tabs
        label={t.whereTo}
        options={KINDS}
        textOf={(one) => t.kinds[one]}
        value={kind}
        onChange={choose}
      >
        <div class="snippet">
          {/* Scrollable, so it must be reachable by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus. */}
          <pre tabIndex={0}>{text}</pre>
          <Copy text={text} />
        </div>
      </Tabs>
      {kind === 'swift' && (
        <p class="quiet">
          {t.swift}{' '}
          <a href="/help/clients" target="_blank" rel="noreferrer">
            {t.guide}
          </a>
          .
        </p>
      )}
      {LOOPBACK.test(location.hostname) && <p class="quiet">{t.phone}</p>}
    </>
  );
}
