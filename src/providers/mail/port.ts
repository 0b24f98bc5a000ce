export type Mail = {
  to: string;
  subject: string;
  /** Plain text; no HTML is sent, so nothing in it needs escaping. */
  text: string;
};

/** Sends one message; throws when the server did not take it. */
export type Mailer = { send: (mail: Mail) => Promise<void> };
