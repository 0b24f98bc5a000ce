import { newKeys, startWorld } from '../release-fixture/world.ts';
import { startPublisherSimulator } from '../simulators/publisher/simulator.ts';
import { connectBody } from '../simulators/store/connect-body.ts';
import { temporaryFolder } from './events.ts';
import type { Service } from './flood-world.ts';
import { startInstance } from './instance.ts';

const CRON_SECRET = 'only-for-the-flood-0123';

/** A service beside simulators of everything outside, where neither it nor they limit requests. */
export async function startFloodService({ egressAllow = '' }: { egressAllow?: string } = {}) {
  const outside = await startWorld(newKeys(), temporaryFolder('flood'));
  const publisher = await startPublisherSimulator();
  // What others limit is a 502, and no fault of the service.
  publisher.state.limit.requests = Number.MAX_SAFE_INTEGER;
  outside.backend.state.limit.requests = Number.MAX_SAFE_INTEGER;
  const instance = await startInstance({
    env: {
      ...outside.env,
      EGRESS_ALLOW: [outside.env.EGRESS_ALLOW, egressAllow].filter(Boolean).join(','),
      PUBLISHER_API_URL: publisher.apiUrl,
      PUBLISHER_API_KEY: 'sim-key',
      CRON_SECRET,
      SIGN_UP: 'open',
      // So high that nobody meets a limit.
      RATE_LIMIT_SCALE: '1000000',
    },
  });
  const service: Service = {
    url: instance.url,
    cronSecret: CRON_SECRET,
    storeKey: connectBody(outside.store),
    mailed: (address, secret) => {
      const mails = outside.smtp.mails.filter(({ to }) => to.includes(address)).toReversed();
      const found = mails.map(({ text }) => secret.exec(text)?.[1]);
      return found.find((one) => one !== undefined);
    },
  };
  const stop = async (): Promise<void> => {
    await instance.stop();
    await Promise.all([outside.stop(), publisher.stop()]);
  };
  return { instance, service, stop };
}
