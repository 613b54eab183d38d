import { type RecoveryType, readFlag } from './fields.ts'
import { machineMessages } from './messages.ts'

/** A machine is made to be watched, and removed. */
export interface ProofWish {
  /** How long its system may take. */
  readonly timeoutSeconds: number
}

/** A system with virtualisation takes a minute or two, one without it ten times as long. */
export const proveTimeoutSecondsDefault = 600
export const proveTimeoutSeconds = { minimum: 10, maximum: 86_400 } as const

/**
 * The members `prove` and `proveTimeoutSeconds`.
 *
 * @param recoveryType undefined when that is wrong itself; nothing is said about whether a proof goes with it then
 */
export function readProof(
  { prove, proveTimeoutSeconds: given }: Readonly<Record<string, unknown>>,
  recoveryType: RecoveryType | undefined,
  errors: string[],
): ProofWish | undefined {
  const isWished = readFlag(prove, machineMessages.prove, errors)
  if (isWished && recoveryType === 'ProductionRecovery') errors.push(machineMessages.proveNotAllowed)
  if (given === undefined || given === null) {
    return isWished ? { timeoutSeconds: proveTimeoutSecondsDefault } : undefined
  }
  if (isWished && isTimeout(given)) return { timeoutSeconds: given }
  errors.push(machineMessages.proveTimeout)
  return undefined
}

function isTimeout(given: unknown): given is number {
  const { minimum, maximum } = proveTimeoutSeconds
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= minimum && given <= maximum
}
