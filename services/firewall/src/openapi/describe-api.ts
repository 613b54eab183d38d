import { Examples } from '../catalogue/examples/examples.ts'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import { exampleToken, jsonReply, reference } from './bodies.ts'
import { KindReplies } from './kind-replies.ts'
import { logPaths } from './log-paths.ts'
import { describeKinds, type PathItem } from './paths.ts'
import type { Schema } from './schemas.ts'
import { type DescribedSpecial, withSpecials } from './specials.ts'

const text: Schema = { type: 'string' }

const schemas: Readonly<Record<string, Schema>> = {
  Credentials: {
    title: 'Credentials',
    type: 'object',
    properties: { username: text, password: { ...text, format: 'password' } },
    required: ['username', 'password'],
  },
  LoginToken: { title: 'LoginToken', type: 'object', properties: { token: text }, required: ['token'] },
  Message: { title: 'Message', type: 'object', properties: { msg: text }, required: ['msg'] },
  Done: {
    title: 'Done',
    type: 'object',
    description: '`warning` is there when the change is stored and something keeps it from doing its work.',
    properties: { id: text, msg: text, warning: text, token: text },
    required: ['msg', 'token'],
  },
  OnOff: { title: 'OnOff', type: 'string', enum: ['On', 'Off'] },
  YesNo: { title: 'YesNo', type: 'string', enum: ['Yes', 'No'] },
}

const exampleCredentials = { username: 'admin', password: 'example-password' }

const session: Readonly<Record<string, PathItem>> = {
  '/login': {
    post: {
      operationId: 'login',
      summary: 'Issue a token for an administrator.',
      tags: ['Session'],
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: reference('Credentials'), example: exampleCredentials },
          'multipart/form-data': { schema: reference('Credentials'), example: exampleCredentials },
        },
      },
      responses: {
        200: jsonReply('The token.', reference('LoginToken'), { token: exampleToken }),
      },
    },
  },
  '/logout': {
    delete: {
      operationId: 'logout',
      summary: 'Delete the token that is presented, and the others that came from its login.',
      tags: ['Session'],
      responses: {
        202: jsonReply('Deleted.', reference('Message'), { msg: 'The token was deleted.' }),
      },
    },
  },
}

/**
 * Completes the service's OpenAPI document: its routes do not show what lies behind them.
 *
 * @param root what stands before the addresses: "/restapi/v3.2"
 */
export function describeApi(
  catalogue: CompiledCatalogue,
  specials: readonly DescribedSpecial[],
  root: string,
) {
  return (document: object): object => {
    const kinds = describeKinds(catalogue, root, new KindReplies(new Examples(catalogue)))
    const logs = logPaths(root)
    const sessionPaths = Object.fromEntries(
      Object.entries(session).map(([path, item]) => [root + path, item]),
    )
    return {
      ...document,
      paths: withSpecials({ ...sessionPaths, ...kinds.paths, ...logs.paths }, specials, root),
      components: { schemas: { ...schemas, ...kinds.schemas, ...logs.schemas } },
      security: [{ token: [] }],
      servers: [
        { url: '/', description: "The firewall's own listener." },
        { url: '/firewall', description: 'The listener of the other services, unless that is switched off.' },
      ],
    }
  }
}
