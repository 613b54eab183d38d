import { RequestRefused, type ResourceAction, type TransactionTables, withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import type { LoginTickets } from '../authentication/login-tickets.ts'
import { confirmPassword } from '../operators/confirm-password.ts'
import type { LoginAttempts } from '../operators/login-attempts.ts'
import type { OperatorRow } from '../operators/operator.ts'
import type { Operators } from '../operators/operators.ts'
import { NewCredential, PasskeyName, RegistrationOptions } from './passkey-schemas.ts'
import type { Passkeys } from './passkeys.ts'

const Beginning = withExample(
  Type.Object(
    { currentPassword: Type.String({ maxLength: 1024 }) },
    { additionalProperties: false, title: 'PasskeyBeginning' },
  ),
  { currentPassword: 'correct horse battery' },
)

const Begun = Type.Object({
  options: RegistrationOptions,
  ticket: Type.String({
    description: 'sent back with the passkey, within ten minutes',
    examples: ['sealed:1:3q2+7wAAAAA'],
  }),
})

const Registration = Type.Object(
  {
    name: PasskeyName,
    ticket: Type.String({ maxLength: 4096, examples: ['sealed:1:3q2+7wAAAAA'] }),
    credential: NewCredential,
  },
  { additionalProperties: false, title: 'PasskeyRegistration' },
)

const RegistrationTicket = Type.Object({ challenge: Type.String(), operatorId: Type.String() })

/** How operators get passkeys, each for himself. */
export function passkeyActions(deps: {
  readonly passkeys: Passkeys
  readonly operators: Operators
  readonly tickets: LoginTickets
  readonly attempts: LoginAttempts
  readonly store: TransactionTables
}): ResourceAction[] {
  const { passkeys, operators, tickets, store } = deps

  async function himself(username: string, isHimself: boolean): Promise<OperatorRow> {
    if (!isHimself) throw new RequestRefused('forbidden', 'Everybody registers his own passkeys.')
    const row = await operators.rowOf(store, username)
    if (row === undefined) throw new RequestRefused('not-found', 'There is no such operator.')
    if (row.issuer === null) return row
    // It would let him in here when the provider does so no more.
    throw new RequestRefused('conflict', `You sign in at ${row.issuer}: register your passkey there.`)
  }

  return [
    {
      name: 'passkey-options',
      summary: 'Begin to register a passkey (WebAuthn)',
      body: Beginning,
      secrets: Begun,
      isOwn: true,
      isForManaged: true,
      async perform({ operator = '' }, body, { isHimself, sessionId, address }) {
        const { currentPassword }: Static<typeof Beginning> = Object(body)
        const row = await himself(operator, isHimself)
        const { id } = row
        await confirmPassword(deps, { username: operator, operatorId: id, address }, currentPassword)
        const options = await passkeys.registrationOptions(row)
        const content = { challenge: options.challenge, operatorId: id }
        const ticket = tickets.issue(purposeOf(sessionId), content)
        return async () => ({ options, ticket })
      },
    },
    {
      name: 'passkey-register',
      summary: 'Register a passkey: from then on each login needs one, or a code',
      body: Registration,
      isOwn: true,
      isForManaged: true,
      async perform({ operator = '' }, body, { isHimself, sessionId }) {
        const { name, ticket: sealed, credential }: Static<typeof Registration> = Object(body)
        const { id } = await himself(operator, isHimself)
        const ticket = tickets.open(purposeOf(sessionId), sealed, RegistrationTicket)
        if (ticket === undefined || ticket.content.operatorId !== id) throw wrongTicket()
        const { challenge } = ticket.content
        const write = await passkeys.register(id, { name, credential, challenge })
        return async (tables) => {
          if (!(await tickets.spend(tables, ticket))) throw wrongTicket()
          await write(tables)
          return undefined
        }
      },
    },
  ]
}

/** A ticket counts in the session that it was given in. */
function purposeOf(sessionId: string | undefined): string {
  return `passkey registration ${sessionId}`
}

function wrongTicket(): RequestRefused {
  return new RequestRefused('bad-request', 'The ticket has expired or was used: begin again.', {
    field: 'ticket',
  })
}
