/** What operators administer. */
interface AdministeredRow {
  /** The configuration file that names it; null where it is administered at run time. */
  managed_by: string | null
}

/** A row of `awareness_user`; the password is an argon2id hash. */
export interface UserRow extends AdministeredRow {
  username: string
  /** argon2id of the password. */
  password_hash: string
  /** A list of texts, as JSON. */
  permissions: string
}

/** A row of `awareness_api_key`; of the key only a digest is stored. */
export interface ApiKeyRow extends AdministeredRow {
  id: string
  /** What operators call it. */
  name: string
  /** Keyed digest of the key (HMAC-SHA-256, hexadecimal). The key itself is stored nowhere. */
  digest: string
  /** The only user who may use the key, or null. */
  username: string | null
  /** A list of addresses and networks, as JSON; from anywhere when empty. */
  allowed_addresses: string
}

interface TokenRow {
  /** SHA-256 of the token, hexadecimal. The token itself is stored nowhere. */
  digest: string
  username: string
  /** The client address that fetched the token, the only one that may use it. */
  address: string
  /** Milliseconds since 1970, like all times here. */
  issued_at: number
  expires_at: number
}

/** A server that counts calls, and the newest of its flushes. */
interface CallServerRow {
  server: string
  flushed_at: number
}

/** Calls that one user made in one millisecond through one server. Written once, never changed. */
interface CallRow {
  server: string
  flushed_at: number
  username: string
  called_at: number
  calls: number
}

/** A row of `awareness_campaign`. */
export interface CampaignRow extends AdministeredRow {
  id: number
  name: string
  status: string
  created_at: number | null
  launched_at: number | null
  completed_at: number | null
  sent: number
  opened: number
  clicked: number
  submitted: number
  reported: number
}

/** All tables of the service, for kysely. */
export interface AwarenessTables {
  awareness_user: UserRow
  awareness_api_key: ApiKeyRow
  awareness_token: TokenRow
  awareness_call_server: CallServerRow
  awareness_call: CallRow
  awareness_server: { server: string; beats: number }
  awareness_campaign: CampaignRow
}

/** What a key is called that nobody has named. */
export function keyNameOf(id: string): string {
  return `key ${id.slice(0, 8)}`
}
