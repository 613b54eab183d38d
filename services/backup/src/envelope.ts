import { type ErrorEnvelope, RequestRefused } from '@palisade/platform'

/** A request with several things wrong, each of which the caller is told. */
export class RequestInvalid extends RequestRefused {
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super('bad-request', errors.join(' '))
    this.errors = errors
  }
}

/** The backup service's errors (specification, "Restore as virtual disks"): an object with a list of texts. */
export const errorList: ErrorEnvelope = (refusal) => ({
  body: { errors: refusal instanceof RequestInvalid ? refusal.errors : [refusal.message] },
})
