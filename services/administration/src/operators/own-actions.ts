import { RequestRefused, type ResourceAction, type TransactionTables, withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { confirmPassword } from './confirm-password.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { OperatorRow } from './operator.ts'
import type { Operators } from './operators.ts'
import { type SecondFactors, wrongCode } from './second-factors.ts'

const code = Type.String({ pattern: '^\\d{6}$', examples: ['123456'] })

const Confirmation = Type.Object({ code }, { additionalProperties: false, title: 'SecondFactorConfirmation' })

const Removal = withExample(
  Type.Object(
    { code: Type.Optional(code) },
    {
      additionalProperties: false,
      title: 'SecondFactorRemoval',
      description: 'an operator who removes his own sends a code',
    },
  ),
  { code: '123456' },
)

const Enrolment = Type.Object({
  secret: Type.String({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
  address: Type.String({ examples: ['otpauth://totp/Palisade:ada?secret=JBSWY3DPEHPK3PXP&issuer=Palisade'] }),
})

const NewPassword = withExample(
  Type.Object(
    {
      currentPassword: Type.String({ maxLength: 1024 }),
      newPassword: Type.String({ minLength: 12, maxLength: 1024 }),
    },
    { additionalProperties: false, title: 'NewPassword' },
  ),
  { currentPassword: 'correct horse battery', newPassword: 'a better battery staple' },
)

/** What operators do with their own accounts, and owners with those of others. */
export function ownActions(deps: {
  readonly operators: Operators
  readonly secondFactors: SecondFactors
  readonly attempts: LoginAttempts
  readonly store: TransactionTables
}): ResourceAction[] {
  const { operators, secondFactors, attempts, store } = deps

  async function rowOf(tables: TransactionTables, { operator = '' }: { operator?: string }) {
    const row = await operators.rowOf(tables, operator)
    if (row === undefined) throw new RequestRefused('not-found', 'There is no such operator.')
    return row
  }

  /** Takes a code for which an operator is asked in a session. */
  async function takeCode(row: OperatorRow, code: string, address: string): Promise<void> {
    const operatorId = row.id
    await attempts.confirm({ address, operatorId }, () => secondFactors.take(store, row, code), wrongCode())
  }

  return [
    {
      name: 'password',
      summary: 'Change the own password, which ends all sessions',
      body: NewPassword,
      isOwn: true,
      async perform({ operator = '' }, body, { isHimself, address }) {
        const { currentPassword, newPassword }: Static<typeof NewPassword> = Object(body)
        if (!isHimself) throw new RequestRefused('forbidden', 'Passwords of others are changed by PATCH.')
        const { id: operatorId } = await rowOf(store, { operator })
        await confirmPassword(deps, { username: operator, operatorId, address }, currentPassword)
        const write = await operators.update(operator, { password: newPassword })
        return async (tables) => {
          await write(tables)
          return undefined
        }
      },
    },
    {
      name: 'totp',
      summary: 'Begin to use an authenticator app as the second factor',
      secrets: Enrolment,
      isOwn: true,
      isForManaged: true,
      async perform(path, _body, { isHimself }) {
        if (!isHimself) throw new RequestRefused('forbidden', 'Everybody sets up his own second factor.')
        return async (tables) => secondFactors.begin(tables, await rowOf(tables, path))
      },
    },
    {
      name: 'totp-confirm',
      summary: 'Confirm the authenticator app with a code: from then on each login needs one',
      body: Confirmation,
      isOwn: true,
      isForManaged: true,
      async perform(path, body, { address }) {
        const { code }: Static<typeof Confirmation> = Object(body)
        const row = await rowOf(store, path)
        await takeCode(row, code, address)
        return async (tables) => {
          await secondFactors.confirm(tables, row)
          return undefined
        }
      },
    },
    {
      name: 'totp-remove',
      summary: 'Remove the second factor',
      body: Removal,
      isOwn: true,
      isForManaged: true,
      async perform(path, body, { isHimself, address }) {
        const { code = '' }: Static<typeof Removal> = Object(body)
        const row = await rowOf(store, path)
        if (isHimself) await takeCode(row, code, address)
        return async (tables) => {
          await secondFactors.remove(tables, row)
          return undefined
        }
      },
    },
  ]
}
