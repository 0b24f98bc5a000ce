import { useSignal } from '@preact/signals';
import { Copy } from '../../parts/copy.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { connect as connectTexts } from '../../texts/connect.ts';

const KINDS = ['Web', 'Expo', 'Swift', 'curl'] as const;
type Kind = (typeof KINDS)[number];

function snippetOf(kind: Kind, url: string, key: string): string {
  switch (kind) {
    case 'Web':
      return `<!-- or: npm install ${url}/clients/web.tgz -->
<script src="${url}/client.js"></script>
<script>
  const client = ControlPlane.createClient({ url: '${url}', key: '${key}' });
  client.track('app_opened');
</script>`;
    case 'Expo':
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
    case 'Swift':
      return `import ControlPlane

ControlPlane.start(Options(key: "${key}", url: "${url}"))
ControlPlane.track("app_opened")`;
    case 'curl':
      return `curl -X POST ${url}/v1/events \\
  -H 'x-service-key: ${key}' -H 'content-type: application/json' \\
  -d '{"events":[{"name":"app_opened","anonymousId":"person-0001"}]}'`;
  }
}

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** What to paste into an app, with address and key filled in. */
export function Snippet({ serviceKey }: { serviceKey: string | null }) {
  const kind = useSignal<Kind>('Web');
  const text = snippetOf(kind.value, location.origin, serviceKey ?? 'svp_…');
  return (
    <>
      <Tabs
        label={connectTexts.snippet}
        options={KINDS}
        textOf={(one) => one}
        value={kind.value}
        onChange={(one) => {
          kind.value = one;
        }}
      >
        {/* Scrollable, so it must be reachable by keyboard. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus. */}
        <pre tabIndex={0}>{text}</pre>
      </Tabs>
      <div class="row">
        <Copy text={text} />
        {!serviceKey && <span class="quiet">{connectTexts.needsKey}</span>}
      </div>
      {LOOPBACK.test(location.hostname) && <p class="quiet">{connectTexts.phone}</p>}
    </>
  );
}
