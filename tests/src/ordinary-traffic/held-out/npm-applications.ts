import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@palisade/platform/testing'
import { startApplication } from '../../support/applications/application-process.ts'
import { freePort } from '../../support/firewall/proxy.ts'
import { newFolder } from '../../support/programs/server.ts'
import { fromNpm } from '../applications.ts'
import { administrator } from './debian-applications.ts'
import { products } from './everyday-texts.ts'

/* Applications of npm, each on a free port of loopback with a folder of its own, found in the folder that the caller names. */

/** TiddlyWiki, a wiki that is one page of scripts. @returns its port */
export async function tiddlyWiki(packages: string): Promise<number> {
  const wiki = join(newFolder(), 'wiki')
  const program = join(packages, 'node_modules/tiddlywiki/tiddlywiki.js')
  spawnSync(process.execPath, [program, wiki, '--init', 'server'])
  const port = await freePort()
  await startApplication({
    command: process.execPath,
    argv: [program, wiki, '--listen', `port=${port}`, 'host=127.0.0.1'],
    environment: {},
    address: `http://127.0.0.1:${port}/status`,
  })
  return port
}

/** Verdaccio, a registry of packages with pages, which asks no other. @returns its port */
export async function verdaccio(packages: string): Promise<number> {
  const folder = newFolder()
  const port = await freePort()
  const configuration = join(folder, 'config.yaml')
  writeFileSync(
    configuration,
    `storage: ${folder}/storage
auth: { htpasswd: { file: ${folder}/htpasswd } }
uplinks: {}
packages: { '**': { access: $all, publish: $authenticated, unpublish: $authenticated } }
log: { type: stdout, level: fatal }
`,
  )
  await startApplication({
    command: process.execPath,
    argv: [
      join(packages, 'node_modules/verdaccio/bin/verdaccio'),
      '-c',
      configuration,
      '-l',
      `127.0.0.1:${port}`,
    ],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/-/ping`,
    folder,
  })
  return port
}

/** An Apollo server: a forum of posts, comments and votes. @returns its port */
export function apolloForum(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const { ApolloServer } = require('@apollo/server')
const { startStandaloneServer } = require('@apollo/server/standalone')
const posts = []
const typeDefs = \`type Comment { id: ID! body: String! author: String! }
type Post { id: ID! title: String! body: String! author: String! tags: [String!]! votes: Int! comments(first: Int = 10): [Comment!]! }
input PostInput { title: String!, body: String!, author: String!, tags: [String!] }
input PostFilter { contains: String, tag: String, minVotes: Int }
type Page { total: Int! nodes: [Post!]! }
type Query { posts(filter: PostFilter, first: Int, after: ID): Page! post(id: ID!): Post }
type Mutation { addPost(input: PostInput!): Post! addComment(postId: ID!, body: String!, author: String!): Comment! vote(postId: ID!, by: Int!): Post deletePost(id: ID!): Boolean! }\`
const find = (id) => posts.find((one) => one.id === id)
const resolvers = {
  Query: { posts: () => ({ total: posts.length, nodes: posts }), post: (_, { id }) => find(id) },
  Mutation: {
    addPost: (_, { input }) => { const one = { id: String(posts.length + 1), tags: [], votes: 0, comments: [], ...input }; posts.push(one); return one },
    addComment: (_, { postId, body, author }) => { const list = find(postId).comments; const one = { id: postId + '-' + (list.length + 1), body, author }; list.push(one); return one },
    vote: (_, { postId, by }) => { const one = find(postId); one.votes += by; return one },
    deletePost: (_, { id }) => Boolean(find(id)),
  },
}
startStandaloneServer(new ApolloServer({ typeDefs, resolvers, introspection: true }), { listen: { host: '127.0.0.1', port } })`,
    '/?query=%7B__typename%7D',
  )
}

/** Parse Server, the back end of applications of telephones. It keeps what it has in a database of PostgreSQL. @returns its port */
export async function parseServer(packages: string): Promise<number> {
  const postgres = await startPostgres()
  if (postgres === undefined) throw new Error('PostgreSQL is not installed.')
  const address = await postgres.newDatabase()
  const port = await freePort()
  const files = newFolder()
  await startApplication({
    command: process.execPath,
    argv: [
      '-e',
      `process.chdir(${JSON.stringify(files)})
const { ParseServer } = require(${JSON.stringify(join(packages, 'node_modules/parse-server'))})
const url = 'http://127.0.0.1:${port}/parse'
const server = new ParseServer({ databaseURI: ${JSON.stringify(address)}, appId: 'field-notes', masterKey: 'only-for-the-machine', serverURL: url, silent: true,
  logsFolder: ${JSON.stringify(files)}, allowClientClassCreation: true, fileUpload: { enableForAuthenticatedUser: true, enableForPublic: true },
  cloud: (Parse) => { Parse.Cloud.define('averageStars', (request) => ({ place: request.params.place, stars: 4.5 })) } })
server.start().then(() => {
  const app = require(${JSON.stringify(join(packages, 'node_modules/express'))})()
  app.use('/parse', server.app)
  app.listen(${port}, '127.0.0.1')
})`,
    ],
    environment: { HOME: files },
    address: `http://127.0.0.1:${port}/parse/health`,
    folder: packages,
  })
  return port
}

/** Vendure: a shop with its administration. @returns its port */
export function shop(packages: string): Promise<number> {
  const folder = newFolder()
  return fromNpm(
    packages,
    `process.chdir(${JSON.stringify(folder)})
const of = (name) => require(require.resolve(name, { paths: [${JSON.stringify(packages)}] }))
const { bootstrap, DefaultSearchPlugin, DefaultJobQueuePlugin, dummyPaymentHandler, DefaultLogger, LogLevel, TransactionalConnection, LanguageCode } = of('@vendure/core')
const { AdminUiPlugin } = of('@vendure/admin-ui-plugin')
const { populateInitialData } = of('@vendure/core/cli')
bootstrap({
  logger: new DefaultLogger({ level: LogLevel.Error }),
  apiOptions: { port, hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api', cors: true },
  authOptions: { tokenMethod: ['cookie', 'bearer'], superadminCredentials: { identifier: ${JSON.stringify(administrator.name)}, password: ${JSON.stringify(administrator.password)} }, cookieOptions: { secret: 'a secret of nobody' } },
  dbConnectionOptions: { type: 'sqljs', autoSave: false, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [DefaultSearchPlugin.init({ bufferUpdates: false }), DefaultJobQueuePlugin, AdminUiPlugin.init({ route: 'admin', port, hostname: '127.0.0.1' })],
}).then((app) => populateInitialData(app, {
  defaultLanguage: LanguageCode.en, defaultZone: 'Europe', countries: [{ code: 'GB', name: 'United Kingdom', zone: 'Europe' }, { code: 'DE', name: 'Germany', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 20 }], shippingMethods: [{ name: 'Parcel', price: 500 }], paymentMethods: [], collections: [],
}))`,
    '/shop-api?query=%7B__typename%7D',
  )
}

/** A service of OData with the products of a shop. @returns its port */
export function odata(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `require('node:util').isDate ??= (value) => value instanceof Date
require('node:util').isArray ??= Array.isArray
require('node:util').isRegExp ??= (value) => value instanceof RegExp
const Datastore = require('nedb')
const db = new Datastore({ inMemoryOnly: true })
db.insert(${JSON.stringify(products)})
const property = (type) => ({ type: 'Edm.' + type })
const server = require('simple-odata-server')('http://127.0.0.1:' + port)
  .model({ namespace: 'shop', entityTypes: { Product: { _id: { type: 'Edm.String', key: true }, name: property('String'), slug: property('String'), description: property('String'), price: property('Int32') } }, entitySets: { products: { entityType: 'shop.Product' } } })
  .adapter(require('simple-odata-server-nedb')((_, done) => done(null, db)))
require('node:http').createServer(server.handle.bind(server)).listen(port, '127.0.0.1')`,
    '/$metadata',
  )
}

/** A service of JSON-RPC 2.0: messages between people, and numbers. @returns its port */
export function remoteProcedures(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const { Server } = require('jayson')
const echo = (args, done) => done(null, args)
new Server({ 'messages.send': echo, 'messages.search': echo, 'profile.update': echo, 'system.exec_report': echo, sum: echo }).http().listen(port, '127.0.0.1')`,
  )
}
