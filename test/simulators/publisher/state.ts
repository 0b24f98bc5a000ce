export type SimAccount = {
  username?: string | null;
  handle?: string | null;
  display_name?: string | null;
  social_images?: string | null;
  reauth_required?: boolean;
};

export type SimJob = Record<string, unknown> & { job_id: string; scheduled_date: string };
export type SimHistoryRow = Record<string, unknown> & { upload_timestamp: string };

export type SimProfile = {
  username: string;
  createdAt: Date;
  /** Not connected is "", null or a missing key. */
  accounts: Record<string, SimAccount | '' | null>;
  jobs: SimJob[];
  analytics: Record<string, unknown>;
};

export type SimState = {
  key: string;
  now: () => Date;
  profiles: Map<string, SimProfile>;
  /** One history for the whole provider account, newest first, one row for each platform. */
  history: SimHistoryRow[];
  /** Connect pages that can still be used. */
  tickets: Map<string, { username: string; platforms: string[]; expiresAt: Date }>;
  limit: { requests: number; windowSeconds: number };
  used: { count: number; resetAt: Date } | null;
  /** Switches for the shapes that the live service has been seen to give. */
  bareSchedule: boolean;
  ignoresScheduleOffset: boolean;
  largestSchedulePage: number;
  ignoresProfileFilter: boolean;
};

export function createState(key: string, now: () => Date): SimState {
  return {
    key,
    now,
    profiles: new Map(),
    history: [],
    tickets: new Map(),
    limit: { requests: 100, windowSeconds: 60 },
    used: null,
    bareSchedule: false,
    ignoresScheduleOffset: false,
    largestSchedulePage: 100,
    ignoresProfileFilter: false,
  };
}

/** Counts one request; the headers that every authenticated answer carries. */
export function countRequest(state: SimState): {
  allowed: boolean;
  headers: Record<string, string>;
} {
  const now = state.now();
  if (!state.used || state.used.resetAt <= now) {
    const resetAt = new Date(now.getTime() + state.limit.windowSeconds * 1_000);
    state.used = { count: 0, resetAt };
  }
  state.used.count += 1;
  return {
    allowed: state.used.count <= state.limit.requests,
    headers: {
      'x-ratelimit-limit': String(state.limit.requests),
      'x-ratelimit-remaining': String(Math.max(0, state.limit.requests - state.used.count)),
      'x-ratelimit-reset': String(Math.ceil(state.used.resetAt.getTime() / 1_000)),
    },
  };
}
