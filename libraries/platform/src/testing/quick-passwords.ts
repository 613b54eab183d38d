import { Passwords } from '../secrets/passwords.ts'

/**
 * Hashes as those of the servers, and cost a hundredth of the time: what tests show of logins does not depend on it. The tests of
 * whole programs have the usual ones.
 */
export function quickPasswords(): Passwords {
  return new Passwords(undefined, { memoryCost: 64, timeCost: 1 })
}
