import { RequestRefused } from '@palisade/platform'
import type { LoginAttempts } from './login-attempts.ts'
import type { Operators } from './operators.ts'

/**
 * Asks an operator who has a session for his password once more, before something by which whoever has found the session would keep the
 * account.
 *
 * @param caller the operator by his name and id, and the address that he calls from
 * @throws RequestRefused when the password is wrong, or was guessed at too often
 */
export async function confirmPassword(
  deps: { readonly operators: Operators; readonly attempts: LoginAttempts },
  caller: { readonly username: string; readonly operatorId: string; readonly address: string },
  currentPassword: string,
): Promise<void> {
  await deps.attempts.confirm(
    caller,
    async () => (await deps.operators.withPassword(caller.username, currentPassword)) !== undefined,
    new RequestRefused('bad-request', 'The current password is wrong.', { field: 'currentPassword' }),
  )
}
