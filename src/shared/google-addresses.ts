export const GOOGLE_URLS = {
  play: 'https://androidpublisher.googleapis.com',
  storage: 'https://storage.googleapis.com',
  token: 'https://oauth2.googleapis.com/token',
  certs: 'https://www.googleapis.com/oauth2/v3/certs',
} as const;
