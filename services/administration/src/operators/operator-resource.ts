import { type AdministeredResource, type ResourceAction, selectPage, withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { Grants } from '../access/grants.ts'
import { operatorOf, selectOperators } from './operator.ts'
import type { Operators } from './operators.ts'

const passwordLengthMin = 12

const username = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\s/?#%:]+$', examples: ['ada'] })
const displayName = Type.String({ minLength: 1, maxLength: 255, examples: ['Ada Lovelace'] })
const password = Type.Union([Type.String({ minLength: passwordLengthMin, maxLength: 1024 }), Type.Null()], {
  description: 'null for one who logs in by other means',
  examples: ['correct horse battery'],
})
const moment = Type.String({ format: 'date-time', examples: ['2030-01-31T12:00:00.000Z'] })

const Identity = Type.Object(
  {
    issuer: Type.String({ minLength: 1, maxLength: 1024, description: 'iss of ID tokens' }),
    subject: Type.String({ minLength: 1, maxLength: 255, description: 'sub of ID tokens' }),
  },
  {
    additionalProperties: false,
    title: 'OpenIdIdentity',
    description: 'who signs in at a provider of OpenID Connect',
    examples: [{ issuer: 'https://login.example.org/realms/company', subject: '248289761001' }],
  },
)

/** An operator as callers see one: no secret, and of passkeys the number alone. */
export const OperatorView = withExample(
  Type.Object(
    {
      username,
      displayName,
      grants: Grants,
      isDisabled: Type.Boolean(),
      hasPassword: Type.Boolean(),
      secondFactor: Type.Union([Type.Literal('totp'), Type.Literal('passkey'), Type.Null()]),
      passkeys: Type.Integer({ minimum: 0, description: 'how many the operator has' }),
      identity: Type.Union([Identity, Type.Null()]),
      createdAt: moment,
      lastLoginAt: Type.Union([moment, Type.Null()]),
      managedBy: Type.Union([Type.String(), Type.Null()]),
    },
    { title: 'Operator' },
  ),
  {
    username: 'ada',
    displayName: 'Ada Lovelace',
    grants: [{ role: 'operator', service: 'backup' }],
    isDisabled: false,
    hasPassword: true,
    secondFactor: 'totp',
    passkeys: 0,
    identity: null,
    createdAt: '2030-01-31T12:00:00.000Z',
    lastLoginAt: null,
    managedBy: null,
  },
)

const OperatorCreation = Type.Object(
  {
    username,
    password: Type.Optional(password),
    displayName: Type.Optional(displayName),
    grants: Grants,
    identity: Type.Optional(Identity),
  },
  { additionalProperties: false, title: 'OperatorCreation' },
)

const OperatorChange = Type.Object(
  {
    password: Type.Optional(password),
    displayName: Type.Optional(displayName),
    grants: Type.Optional(Grants),
    isDisabled: Type.Optional(Type.Boolean({ examples: [false] })),
  },
  { additionalProperties: false, title: 'OperatorChange' },
)

/**
 * `/operators`: who administers Palisade. Only owners change it.
 *
 * @param actions what operators do with their own accounts
 */
export function operatorResource(
  operators: Operators,
  actions: readonly ResourceAction[],
): AdministeredResource<Static<typeof OperatorCreation>, Static<typeof OperatorChange>> {
  return {
    path: '/operators',
    service: 'administration',
    isOwn: 'read',
    idParameter: 'operator',
    noun: { one: 'operator', many: 'operators' },
    item: OperatorView,
    creation: OperatorCreation,
    change: OperatorChange,
    orders: ['username', 'createdAt'],
    filters: { username: 'operators whose name begins with this' },
    volatile: ['lastLoginAt'],
    async list({ tables, characterOrder }, _path, page) {
      const { username: beginning } = page.filters
      const all = selectOperators({ tables })
      const selected =
        beginning === undefined
          ? all
          : all.where('username', '>=', beginning).where('username', '<', `${beginning}\u{10ffff}`)
      const rows = await selectPage(selected, page, {
        columns: {
          username: { column: 'username', type: 'text' },
          createdAt: { column: 'created_at', type: 'number' },
        },
        id: { column: 'username', type: 'text' },
        characterOrder,
      }).execute()
      return rows.map((row) => ({
        item: operatorOf(row),
        place: { value: row.created_at, id: row.username },
      }))
    },
    async read(tables, { operator = '' }) {
      const row = await operators.rowOf(tables, operator)
      return row && operatorOf(row)
    },
    create: (_path, body) => operators.create(body),
    update: ({ operator = '' }, body) => operators.update(operator, body),
    remove:
      async ({ operator = '' }) =>
      (tables) =>
        operators.remove(tables, operator),
    losses: async () => ['the sessions and API tokens of the operator'],
    actions,
  }
}
