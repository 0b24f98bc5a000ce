import type { BackendHealth, BackendProject } from './port.ts';

/** The URL is a provider convention, not in its responses. */
export function toProject(project: { ref: string; name: string }): BackendProject {
  return { ref: project.ref, name: project.name, url: `https://${project.ref}.supabase.co` };
}

export function toHealth(services: readonly { healthy: boolean; status: string }[]): BackendHealth {
  if (services.every((service) => service.healthy)) return 'healthy';
  const failed = services.some((service) => !service.healthy && service.status !== 'COMING_UP');
  return failed ? 'unhealthy' : 'coming_up';
}

export function backendReason(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('message' in body)) return null;
  return typeof body.message === 'string' ? body.message : JSON.stringify(body.message);
}

/** Their reset header holds the remaining seconds. */
export function secondsRemaining(header: string): number | null {
  const seconds = Number(header);
  return header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
