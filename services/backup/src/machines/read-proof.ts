import { isStorableText } from '@palisade/platform'
import { type RecoveryType, readFlag } from './fields.ts'
import { machineMessages } from './messages.ts'

/** A machine is made to be watched, and removed. */
export interface ProofWish {
  /** How long its system may take. */
  readonly timeoutSeconds: number
  /** What else it says when its system runs. */
  readonly sign?: string
}

/** A system with virtualisation takes a minute or two, one without it ten times as long. */
export const proveTimeoutSecondsDefault = 600
/** How long a machine may take to show that it works. */
export const proveTimeoutSeconds = { minimum: 10, maximum: 86_400 } as const
/** Of a text that the machine has to show, in characters. */
export const proveSignLength = { minLength: 1, maxLength: 200 } as const

/**
 * The members `prove`, `proveTimeoutSeconds` and `proveSign`.
 *
 * @param recoveryType undefined when that is wrong itself; nothing is said about whether a proof goes with it then
 */
export function readProof(
  fields: Readonly<Record<string, unknown>>,
  recoveryType: RecoveryType | undefined,
  errors: string[],
): ProofWish | undefined {
  const { proveTimeoutSeconds: timeoutSeconds = null, proveSign: sign = null } = fields
  const isWished = readFlag(fields.prove, machineMessages.prove, errors)
  if (isWished && recoveryType === 'ProductionRecovery') errors.push(machineMessages.proveNotAllowed)
  const hasTimeout = isWished && isTimeout(timeoutSeconds)
  if (timeoutSeconds !== null && !hasTimeout) errors.push(machineMessages.proveTimeout)
  const hasSign = isWished && isSign(sign)
  if (sign !== null && !hasSign) errors.push(machineMessages.proveSign)
  if (!isWished) return undefined
  return {
    timeoutSeconds: hasTimeout ? timeoutSeconds : proveTimeoutSecondsDefault,
    ...(hasSign ? { sign } : {}),
  }
}

function isTimeout(value: unknown): value is number {
  const { minimum, maximum } = proveTimeoutSeconds
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum
}

/** A text that can be seen on one line. */
export function isSign(value: unknown): value is string {
  const { minLength, maxLength } = proveSignLength
  if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return false
  return value.trim() !== '' && !/\p{Cc}/u.test(value) && isStorableText(value)
}
