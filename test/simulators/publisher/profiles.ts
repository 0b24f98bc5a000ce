import { randomUUID } from 'node:crypto';
import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import type { SimProfile, SimState } from './state.ts';

type Violate = (what: string) => SimulatorAnswer;

const PLATFORMS = new Set(['instagram', 'tiktok', 'youtube', 'facebook', 'x', 'linkedin']);
const USERNAME = /^[A-Za-z0-9_.-]{1,128}$/;
const CONNECT_FIELDS = new Set([
  'username',
  'redirect_url',
  'logo_image',
  'connect_title',
  'connect_description',
  'redirect_button_text',
  'platforms',
  'show_calendar',
  'readonly_calendar',
  'language',
  'ui_labels',
  'connect_theme',
]);

const ISO_WITHOUT_ZONE = (date: Date) => date.toISOString().replace('Z', '000');

export function fieldsOf(request: SimulatorRequest): Map<string, unknown> | null {
  if (request.headers['content-type'] !== 'application/json') return null;
  const { json } = request;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  return new Map(Object.entries(json));
}

const profileNotFound: SimulatorAnswer = {
  status: 404,
  json: { success: false, message: 'Profile not found', error_code: 'PROFILE_NOT_FOUND' },
};

function body(profile: SimProfile, createdAt: string) {
  return { username: profile.username, created_at: createdAt, social_accounts: profile.accounts };
}

export function createProfile(
  state: SimState,
  request: SimulatorRequest,
  violate: Violate,
): SimulatorAnswer {
  const fields = fieldsOf(request);
  const username = fields?.get('username');
  if (fields?.size !== 1 || typeof username !== 'string' || !USERNAME.test(username)) {
    return violate('the body must be {"username"}');
  }
  if (state.profiles.has(username)) {
    return { status: 409, json: { success: false, message: 'Profile already exists' } };
  }
  const profile: SimProfile = {
    username,
    createdAt: state.now(),
    accounts: { tiktok: '' },
    jobs: [],
    analytics: {},
  };
  state.profiles.set(username, profile);
  return {
    status: 201,
    json: { success: true, profile: body(profile, profile.createdAt.toUTCString()) },
  };
}

export function readProfile(state: SimState, username: string): SimulatorAnswer {
  const profile = state.profiles.get(username);
  if (!profile) return profileNotFound;
  return {
    status: 200,
    json: { success: true, profile: body(profile, ISO_WITHOUT_ZONE(profile.createdAt)) },
  };
}

export function deleteProfile(
  state: SimState,
  request: SimulatorRequest,
  violate: Violate,
): SimulatorAnswer {
  const username = fieldsOf(request)?.get('username');
  if (typeof username !== 'string') return violate('the body must be {"username"}');
  if (!state.profiles.delete(username)) return profileNotFound;
  return { status: 200, json: { success: true, message: 'Profile deleted' } };
}

export function generateConnectPage(
  state: SimState,
  request: SimulatorRequest,
  violate: Violate,
  origin: string,
): SimulatorAnswer {
  const fields = fieldsOf(request);
  if (!fields) return violate('the body must be a JSON object');
  const unknown = [...fields.keys()].find((name) => !CONNECT_FIELDS.has(name));
  if (unknown) return violate(`unknown field ${unknown}`);
  const username = fields.get('username');
  const platforms = fields.get('platforms') ?? [...PLATFORMS];
  if (!Array.isArray(platforms) || !platforms.every((name) => PLATFORMS.has(name))) {
    return violate('platforms must be names of platforms');
  }
  if (typeof username !== 'string' || !state.profiles.has(username)) return profileNotFound;
  const token = randomUUID();
  const expiresAt = new Date(state.now().getTime() + 48 * 3_600_000);
  state.tickets.set(token, { username, platforms, expiresAt });
  return {
    status: 200,
    json: { success: true, access_url: `${origin}/connect?token=${token}`, duration: '48h' },
  };
}

/** The hosted page: GET shows it, POST with `platform` connects the account; it works once. */
export function connectPage(state: SimState, request: SimulatorRequest): SimulatorAnswer {
  const token = request.query.get('token') ?? '';
  const ticket = state.tickets.get(token);
  if (!ticket || ticket.expiresAt <= state.now()) {
    return { status: 410, text: '<html><body>This link has expired.</body></html>' };
  }
  if (request.method === 'GET') {
    const buttons = ticket.platforms.map((name) => `<button>Connect ${name}</button>`).join('');
    return { status: 200, text: `<html><body>${buttons}</body></html>` };
  }
  const platform = request.query.get('platform') ?? '';
  const profile = state.profiles.get(ticket.username);
  if (!profile || !ticket.platforms.includes(platform)) {
    return { status: 302, headers: { location: '/done?connect_status=error' } };
  }
  state.tickets.delete(token);
  profile.accounts[platform] = {
    username: '17841400000000000',
    handle: `${ticket.username}.${platform}`,
    display_name: 'Acme',
    social_images: 'https://images.example/acme.jpg',
    reauth_required: false,
  };
  return {
    status: 302,
    headers: { location: `/done?connect_status=success&platform=${platform}` },
  };
}
