import { type Clock, noteChange, RequestRefused, tooManyRequests } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts, DomainRecord } from '../accounts.ts'
import type { DomainChecks } from '../verification/domain-checks.ts'
import { restMs, type Verifications } from '../verification/verifications.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { DomainPath, domainPattern } from './domain-routes.ts'
import { VerificationView, verificationViewOf } from './verification-view.ts'

/** What the routes about verification work with. */
export interface VerificationRouteDependencies {
  readonly authorisation: Authorisation
  readonly accounts: Accounts
  readonly verifications: Verifications
  readonly checks: DomainChecks
  readonly clock: Clock
  readonly mailHost: string | undefined
}

/** How the verification of a domain stands, and having DNS asked at once. Both are ours: no product documents them. */
export function verificationRoutes(deps: VerificationRouteDependencies) {
  const { authorisation, accounts, verifications, checks, clock, mailHost } = deps

  async function show(accountId: string, domain: DomainRecord) {
    return verificationViewOf(domain, await verifications.of(accountId, domain.domainId), mailHost)
  }

  async function check(request: FastifyRequest<{ Params: AccountParams }>) {
    const domain = authorisation.domainOf(request)
    const { account_id: accountId } = request.params
    const { domainId } = domain
    const verification = await verifications.of(accountId, domainId)
    if (!verification) {
      throw new RequestRefused(
        'conflict',
        'The status of this domain is configured, so DNS is not asked for it.',
      )
    }
    const before = verificationViewOf(domain, verification, mailHost)
    if (await checks.check(verification)) {
      const after = await show(accountId, (await accounts.domain(accountId, String(domainId))) ?? domain)
      noteChange(request, { before, after })
      return after
    }
    const claimedAt = (await verifications.of(accountId, domainId))?.claimedAt ?? 0
    const waitMs = claimedAt + restMs - clock.now()
    throw tooManyRequests('DNS was asked for this domain within the last minute. Wait and try again.', waitMs)
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams }>(
      `${domainPattern}/verification`,
      {
        onRequest: authorisation.require('ess:account:read'),
        schema: {
          operationId: 'getDomainVerification',
          summary: 'Show the records that verify a domain, and what came of looking for them',
          tags: ['Domains'],
          params: DomainPath,
          response: { 200: VerificationView },
        },
      },
      (request) => show(request.params.account_id, authorisation.domainOf(request)),
    )
    scope.post<{ Params: AccountParams }>(
      `${domainPattern}/verification/check`,
      {
        onRequest: authorisation.require('ess:account:write'),
        schema: {
          operationId: 'checkDomainVerification',
          summary: 'Look for the records of a domain at once; once in a minute',
          tags: ['Domains'],
          params: DomainPath,
          response: { 200: VerificationView },
        },
      },
      check,
    )
  }
}
