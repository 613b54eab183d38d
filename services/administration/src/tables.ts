/** Times are milliseconds since 1970, as in all tables. */
interface OperatorRow {
  id: string
  username: string
  display_name: string
  /** argon2id of the password; null of one who has none, and cannot log in with it. */
  password_hash: string | null
  /** A list of grants, as JSON. */
  grants: string
  /** The secret of his authenticator, sealed; null where he has none. */
  totp_secret: string | null
  /** 1 once he has shown that his authenticator has it: from then on each login needs a code. */
  totp_confirmed: number
  /** The time step of the code that was taken last: none is taken twice. */
  totp_step: number
  /** 1 where he may neither log in nor use what he has. */
  is_disabled: number
  created_at: number
  last_login_at: number | null
  /** The configuration file that names him; null where he is administered at run time. */
  managed_by: string | null
}

interface SessionRow {
  id: string
  /** SHA-256 of what the cookie holds, hexadecimal. */
  digest: string
  operator_id: string
  created_at: number
  used_at: number
  expires_at: number
  address: string
  user_agent: string
  /** The issuer where he has signed in for it; null after a login here. */
  issuer: string | null
  /** The ID token of the sign-in, sealed; null after a login here. */
  id_token: string | null
  /** The session there, where the provider tells it. */
  sid: string | null
}

/** Somebody whom a provider of OpenID Connect knows, and the operator that he is. */
interface OpenIdIdentityRow {
  issuer: string
  subject: string
  /** Null once the operator was removed: he is not made anew. */
  operator_id: string | null
}

/** A WebAuthn credential. */
interface PasskeyRow {
  id: string
  operator_id: string
  /** As the authenticator names it, base64url. */
  credential_id: string
  /** COSE, base64url. */
  public_key: string
  /** How often it has signed, as it says; 0 of those that do not count. */
  counter: number
  /** How browsers reach it, a list as JSON. */
  transports: string
  name: string
  created_at: number
  used_at: number | null
}

/** A sealed ticket of a login that was used: none is used twice. */
interface SpentTicketRow {
  id: string
  expires_at: number
}

interface TokenRow {
  id: string
  /** SHA-256 of the token, hexadecimal. */
  digest: string
  operator_id: string
  name: string
  /** A list of grants, as JSON: of what the operator may, the token may no more than this. */
  grants: string
  created_at: number
  used_at: number | null
  expires_at: number
}

/** A condition that somebody should do something about, or that has passed. */
interface AttentionRow {
  id: string
  /** The server that it is about alone; empty when it is about what all servers share. */
  server: string
  service: string
  condition: string
  subject: string
  severity: string
  message: string
  remedy: string
  since: number
  seen_at: number
  /** Null while it lasts. */
  resolved_at: number | null
}

/** Word of a condition that goes to one channel. */
interface NotificationRow {
  id: string
  channel: string
  /** `raised`, `resolved` or `test`. */
  kind: string
  /** Null of a test. */
  attention_id: string | null
  created_at: number
  due_at: number
  /** The message that it was put into; a message that is sent again keeps its name. */
  delivery: string | null
  sent_at: number | null
}

/** A channel, and how sending to it goes. */
interface ChannelRow {
  name: string
  /** Its settings with their secrets, JSON, sealed; null of one that the configuration of an earlier release had. */
  settings: string | null
  /** The configuration file that names it; null where it is administered at run time. */
  managed_by: string | null
  /** The server that sends now, and until when the others leave it alone. */
  holder: string | null
  leased_until: number
  /** After failures: when it is tried again, how often it failed in a row, since when, and why. */
  retry_at: number
  failures: number
  failing_since: number | null
  failure: string | null
}

/** Which conditions are told to which channels. */
interface RouteRow {
  id: string
  /** What it says, as JSON. */
  definition: string
  created_at: number
  managed_by: string | null
}

/** The tables of the administration, by name. What is JSON in them is text, what is yes or no 1 or 0. */
export interface AdministrationTables {
  admin_operator: OperatorRow
  admin_session: SessionRow
  admin_token: TokenRow
  admin_openid_identity: OpenIdIdentityRow
  admin_passkey: PasskeyRow
  admin_spent_ticket: SpentTicketRow
  admin_attention: AttentionRow
  admin_notification: NotificationRow
  admin_channel: ChannelRow
  admin_route: RouteRow
}
