import { type ErrorEnvelope, RequestRefused } from '@palisade/platform'

/** A request with several things wrong, each of which the caller is told. */
export class RequestInvalid extends RequestRefused {
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super('bad-request', errors.join(' '))
    this.errors = errors
  }
}

/** An agent and this service share no version of their protocol. */
export class NoSharedVersion extends RequestRefused {
  constructor(message: string, headers: Record<string, string>) {
    super('bad-request', message, { headers })
  }
}

/** The backup service's errors (specification, "Restore as virtual disks"): an object with a list of texts. */
export const errorList: ErrorEnvelope = (refusal) => ({
  body: { errors: refusal instanceof RequestInvalid ? refusal.errors : [refusal.message] },
  // 406 Not Acceptable, as proxies are answered that read no snapshot of this release.
  ...(refusal instanceof NoSharedVersion ? { status: 406 } : {}),
})
