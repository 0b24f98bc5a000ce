export type Mail = {
  to: string;
  subject: string;
  /** Plain text; no HTML is sent, so nothing in it needs escaping. */
  text: string;
  /** Known again by those who get the mail twice; in angle brackets. */
  messageId?: string;
  /** Where a POST ends such mails (RFC 8058); a GET shows a page. */
  unsubscribe?: string;
};

/** Sends one message; throws when the server did not take it. */
export type Mailer = { send: (mail: Mail) => Promise<void> };
