/** A row of `email_account`. */
export interface AccountRow {
  id: string
  name: string
  region: string
  status: string
  /** The configuration file that names it; null where it is administered at run time. */
  managed_by: string | null
}

/** A row of `email_domain`. */
export interface DomainRow {
  account_id: string
  id: number
  name: string
  /** As it is now: what the configuration says, or what DNS showed. */
  status: string
  type: string
  /** The name as DNS asks for it; null when DNS can have no such name. */
  dns_name: string | null
  /** As of an account. */
  managed_by: string | null
}

/** How the verification of one domain stands. Domains whose status is configured have none. */
export interface VerificationRow {
  account_id: string
  domain_id: number
  token: string
  requested_at: number
  /** When it is checked next. */
  due_at: number
  /** When the last check was begun; 0 when there was none. */
  taken_at: number
  /** When the last check was done. */
  looked_at: number | null
  verified_at: number | null
  /** The domain's name in DNS while it is VERIFIED, else null: two domains cannot have the same one. */
  verified_name: string | null
  misses: number
  failure: string | null
}

/** A report about the mail of one domain that was counted; it is kept to be known again. */
interface MailReportRow {
  account_id: string
  domain_id: number
  /** As the reporter calls it. */
  report: string
  received_at: number
}

/** How many messages of one kind a domain had in one hour. */
export interface MailCountRow {
  account_id: string
  domain_id: number
  /** When the hour began, UTC. */
  hour_at: number
  direction: string
  action: string
  threat_type: string
  reason: string
  messages: number
}

/** A domain by its place. */
export interface DomainPlace {
  readonly accountId: string
  readonly domainId: number
}

/** All tables of the service, for kysely. */
export interface EmailTables {
  email_account: AccountRow
  email_domain: DomainRow
  email_verification: VerificationRow
  email_mail_report: MailReportRow
  email_mail_count: MailCountRow
}
