export type Mail = {
  to: string;
  subject: string;
  /** Plain text only, so nothing needs escaping. */
  text: string;
  /** Deduplicates repeated mails; in angle brackets. */
  messageId?: string;
  /** POST unsubscribes (RFC 8058); GET shows a page. */
  unsubscribe?: string;
};

/** Throws when the server did not accept it. */
export type Mailer = { send: (mail: Mail) => Promise<void> };
