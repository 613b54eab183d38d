import multipart from '@fastify/multipart'
import { clientAddress, credentialsSizeMax, RequestRefused, repeatedIndexes } from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Administrators } from '../access/administrators.ts'
import type { Roles } from '../access/roles.ts'
import type { Tokens } from '../access/tokens.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import { requireToken, tokenOf } from './admission.ts'
import { methodNotAllowed } from './locate.ts'

/** A login form is two short fields; whatever is longer is no login. */
const formLimits = { fields: 8, parts: 8, files: 0, fieldNameSize: 64, fieldSize: 1024 }

/** Login and logout in any case and with blanks behind them, as the addresses of objects are understood. */
const address = '/:action(^[Ll][Oo][Gg](?:[Ii][Nn]|[Oo][Uu][Tt])\\s*$)'

interface Session {
  readonly Params: { readonly action: string }
}

const methods = { login: 'POST', logout: 'DELETE' } as const

/** `POST login` and `DELETE logout`. */
export function sessionRoutes(deps: {
  administrators: Administrators
  roles: Roles
  tokens: Tokens
  audit: AuditLog
}) {
  const { administrators, roles, tokens, audit } = deps
  const admit = requireToken(tokens, { renews: false })

  async function logIn(request: FastifyRequest<Session>, reply: FastifyReply): Promise<FastifyReply> {
    const { username, password } = await readCredentials(request)
    const address = clientAddress(request)
    const administrator = await administrators.authenticate(username, password, address)
    if (!administrator) {
      await audit.loginFailed({ username, address })
      throw new RequestRefused(
        'unauthenticated',
        'The username or the password is wrong, or the account is locked or its password has expired.',
      )
    }
    if (!roles.permissionsOf(administrator).mayLogIn) {
      throw new RequestRefused('forbidden', `The role ${administrator.role} has no API privilege.`)
    }
    const { text } = await tokens.begin(administrator)
    await audit.loggedIn({ admin: username, role: administrator.role, address })
    // Clients take this reply apart as text: one member, no blanks, nothing after the brace.
    return reply.header('cache-control', 'no-store').send({ token: text })
  }

  async function logOut(request: FastifyRequest<Session>, reply: FastifyReply): Promise<FastifyReply> {
    const token = tokenOf(request)
    await tokens.end(token)
    const { username, role } = token.administrator
    await audit.loggedOut({ admin: username, role, address: clientAddress(request) })
    return reply.code(202).send({ msg: 'The token was deleted.' })
  }

  return async (scope: FastifyInstance): Promise<void> => {
    await scope.register(multipart, { limits: formLimits })
    scope.all<Session>(
      address,
      {
        bodyLimit: credentialsSizeMax,
        schema: { hide: true },
        onRequest(request, reply, done) {
          const action = actionOf(request)
          if (request.method !== methods[action]) done(methodNotAllowed([methods[action]]))
          else if (action === 'logout') admit.call(this, request, reply, done)
          else done()
        },
      },
      (request, reply) => (actionOf(request) === 'login' ? logIn(request, reply) : logOut(request, reply)),
    )
  }
}

function actionOf({ params }: FastifyRequest<Session>): keyof typeof methods {
  return params.action.trimEnd().toLowerCase() === 'login' ? 'login' : 'logout'
}

async function readCredentials(request: FastifyRequest) {
  const credentials = request.isMultipart() ? await readForm(request) : request.body
  if (typeof credentials !== 'object' || credentials === null) {
    throw new RequestRefused('malformed-json', 'The body must hold a username and a password.')
  }
  return { username: textIn(credentials, 'username'), password: textIn(credentials, 'password') }
}

function textIn(form: object, name: string): string {
  const value: unknown = Object.hasOwn(form, name) ? form[name as keyof typeof form] : undefined
  if (typeof value === 'string') return value
  throw new RequestRefused('bad-request', `The member ${name} is required and must be text.`, { field: name })
}

/** The text fields of a multipart/form-data body, each of which may be there once. */
async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields = await fieldsOfForm(request)
  const [repeated] = repeatedIndexes(fields.map(([name]) => name))
  if (repeated === undefined) return Object.fromEntries(fields)
  const [name = ''] = fields[repeated] ?? []
  throw new RequestRefused('bad-request', `The field ${JSON.stringify(name)} is given more than once.`, {
    field: name,
  })
}

async function fieldsOfForm(request: FastifyRequest): Promise<[string, unknown][]> {
  try {
    const fields: [string, unknown][] = []
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.push([part.fieldname, part.value])
    }
    return fields
  } catch (error) {
    request.log.debug({ err: error }, 'a login form could not be read')
    throw new RequestRefused('bad-request', 'The form could not be read.')
  }
}
