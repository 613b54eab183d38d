import assert from 'node:assert/strict'
import type { EmailConfiguration } from '../configuration.ts'
import type { DnsServer, Zone } from './dns-server.ts'
import { call, configuration, type TestService } from './email-service.ts'

/** How a domain stands, in the words of the configuration. */
export type Status = EmailConfiguration['accounts'][number]['domains'][number]['status']

/** The usual configuration, with accounts that have domains of these names and statuses; ids are counted from 1. */
export function domains(
  dns: DnsServer,
  accounts: Readonly<Record<string, Readonly<Record<string, Status>>>>,
  verification: Partial<EmailConfiguration['verification']> = {},
): EmailConfiguration {
  return {
    ...configuration,
    accounts: Object.entries(accounts).map(([id, named]) => ({
      id,
      name: id,
      region: 'US',
      domains: Object.entries(named).map(([name, status], index) => ({
        id: index + 1,
        name,
        status,
        type: 'ESS' as const,
      })),
    })),
    verification: { nameServers: [dns.address], ...verification },
  }
}

/** The usual configuration, with one domain that is not verified: `a.example`. */
export function oneDomain(dns: DnsServer): EmailConfiguration {
  return domains(dns, { '5584599': { 'a.example': 'UNVERIFIED' } })
}

const first = '5584599/ess/domains/1'

/** How the verification of a domain stands, of the first one unless said otherwise. */
export async function read(served: TestService, domain = first) {
  return (await call(served, `${domain}/verification`)).json
}

/** Has DNS asked, a minute after whatever was before. */
export async function check(served: TestService, domain = first) {
  served.clock.advance(60_000)
  const { status, json } = await call(served, `${domain}/verification/check`, 'POST')
  assert.equal(status, 200)
  return json
}

/** A zone in which the records of these verifications are set. */
export function zoneOf(...verifications: { records: Readonly<Record<string, string>>[] }[]): Zone {
  return verifications.flatMap(({ records }) =>
    records.map(({ type, name, value, preference }) =>
      type === 'TXT' ? `--txt-record=${name},${value}` : `--mx-host=${name},${value},${preference}`,
    ),
  )
}
