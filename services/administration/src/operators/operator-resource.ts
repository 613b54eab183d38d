import { type AdministeredResource, selectPage, withExample } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import { Grants } from '../access/grants.ts'
import type { AdministrationTables } from '../tables.ts'
import { type Operators, operatorOf } from './operators.ts'
import { ownActions } from './own-actions.ts'
import type { SecondFactors } from './second-factors.ts'

const passwordLengthMin = 12

const username = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\s/?#%:]+$', examples: ['ada'] })
const displayName = Type.String({ minLength: 1, maxLength: 255, examples: ['Ada Lovelace'] })
const password = Type.Union([Type.String({ minLength: passwordLengthMin, maxLength: 1024 }), Type.Null()], {
  description: 'null for one who logs in by other means',
  examples: ['correct horse battery'],
})
const moment = Type.String({ format: 'date-time', examples: ['2030-01-31T12:00:00.000Z'] })

export const OperatorView = withExample(
  Type.Object(
    {
      username,
      displayName,
      grants: Grants,
      isDisabled: Type.Boolean(),
      hasPassword: Type.Boolean(),
      secondFactor: Type.Union([Type.Literal('totp'), Type.Null()]),
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
    createdAt: '2030-01-31T12:00:00.000Z',
    lastLoginAt: null,
    managedBy: null,
  },
)

const OperatorCreation = Type.Object(
  { username, password: Type.Optional(password), displayName: Type.Optional(displayName), grants: Grants },
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

/** `/operators`: who administers Palisade. Only owners change it. */
export function operatorResource(
  operators: Operators,
  secondFactors: SecondFactors,
): AdministeredResource<Static<typeof OperatorCreation>, Static<typeof OperatorChange>> {
  return {
    path: '/operators',
    service: 'administration',
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
      const all = tables<AdministrationTables>().selectFrom('admin_operator').selectAll()
      const chosen =
        beginning === undefined
          ? all
          : all.where('username', '>=', beginning).where('username', '<', `${beginning}\u{10ffff}`)
      const rows = await selectPage(chosen, page, {
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
    actions: ownActions(operators, secondFactors),
  }
}
