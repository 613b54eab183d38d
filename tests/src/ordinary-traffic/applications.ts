import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApplication } from '../support/applications/application-process.ts'
import { freePort } from '../support/firewall/proxy.ts'
import { newFolder } from '../support/programs/server.ts'

/*
 * Applications from npm and Debian, each on a free port of loopback with a folder of its own. Those from npm are looked for in the
 * folder that the caller names, see tests/README.md.
 */

/** Starts a program of packages from npm. @param text CommonJS; `port` is a constant in it @returns the port */
export async function fromNpm(packages: string, text: string, path = '/'): Promise<number> {
  const port = await freePort()
  await startApplication({
    command: process.execPath,
    argv: ['-e', `const port = ${port};\n${text}`],
    environment: { HOME: newFolder() },
    address: `http://127.0.0.1:${port}${path}`,
    folder: packages,
  })
  return port
}

/** json-server, with posts, comments and articles. @returns its port */
export function jsonServer(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const server = require('json-server')
const app = server.create()
app.use(server.defaults({ logger: false }))
app.use(server.bodyParser)
app.use(server.router({ posts: [{ id: 1, title: 'First', author: 'ann' }], comments: [], articles: [] }))
app.listen(port, '127.0.0.1')`,
  )
}

/** An API of GraphQL about books. @returns its port */
export function graphql(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const { createYoga, createSchema } = require('graphql-yoga')
const books = [{ id: '1', title: 'Emma', notes: [] }]
const schema = createSchema({
  typeDefs: 'type Book { id: ID! title: String! notes: [String!]! } input BookInput { title: String! } ' +
    'type Query { books(search: String, first: Int): [Book!]! book(id: ID!): Book } ' +
    'type Mutation { addBook(book: BookInput!): Book! addNote(id: ID!, note: String!): Book }',
  resolvers: {
    Query: { books: () => books, book: (_, { id }) => books.find((one) => one.id === id) },
    Mutation: {
      addBook: (_, { book }) => { const one = { id: String(books.length + 1), notes: [], ...book }; books.push(one); return one },
      addNote: (_, { id, note }) => { const one = books.find((b) => b.id === id); one?.notes.push(note); return one },
    },
  },
})
require('node:http').createServer(createYoga({ schema, logging: false })).listen(port, '127.0.0.1')`,
    '/graphql?query=%7B__typename%7D',
  )
}

/** Node-RED, whose editor sends flows with programs in them. @returns its port */
export async function nodeRed(packages: string): Promise<number> {
  const port = await freePort()
  const folder = newFolder()
  await startApplication({
    command: process.execPath,
    argv: ['node_modules/node-red/red.js', '-u', folder, '-p', String(port)],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/settings`,
    folder: packages,
  })
  return port
}

/** PouchDB Server with its administration, which speaks the protocol of CouchDB. @returns its port */
export function pouchdb(packages: string): Promise<number> {
  const folder = newFolder()
  return fromNpm(
    packages,
    `const PouchDB = require('pouchdb').plugin(require('pouchdb-adapter-memory')).defaults({ adapter: 'memory' })
const app = require('express')()
process.chdir(${JSON.stringify(folder)})
app.use('/', require(${JSON.stringify(join(packages, 'node_modules/express-pouchdb'))})(PouchDB, { inMemoryConfig: true, logPath: ${JSON.stringify(join(folder, 'log'))} }))
app.listen(port, '127.0.0.1')`,
  )
}

/** A folder over WebDAV. @returns its port */
export function webdav(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const { v2 } = require('webdav-server')
const server = new v2.WebDAVServer({ port, hostname: '127.0.0.1' })
server.start(() => undefined)`,
  )
}

/** Uploads that are gone on with after a break (tus). @returns its port */
export function resumableUploads(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `Promise.all(['@tus/server', '@tus/file-store'].map((name) => import(name))).then(([{ Server }, { FileStore }]) => {
  new Server({ path: '/files', datastore: new FileStore({ directory: ${JSON.stringify(newFolder())} }) }).listen({ host: '127.0.0.1', port })
})`,
  )
}

/** A chat of Socket.IO that says everything back. @returns its port */
export function chat(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const server = require('node:http').createServer((_, response) => response.end('<!doctype html><title>Chat</title><script src="/socket.io/socket.io.js"></script>'))
new (require('socket.io').Server)(server).on('connection', (socket) => socket.on('say', (text) => socket.emit('said', text)))
server.listen(port, '127.0.0.1')`,
  )
}

/** Swagger UI, and the small API that it describes. @returns its port */
export function apiDocumentation(packages: string): Promise<number> {
  return fromNpm(
    packages,
    `const ui = require('swagger-ui-express')
const app = require('express')()
app.use('/docs', ui.serve, ui.setup({ openapi: '3.0.0', info: { title: 'Shop', version: '1' }, paths: {
  '/items': { get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }], responses: { 200: { description: 'ok' } } } } } }))
app.get('/items', (_, response) => response.json([]))
app.listen(port, '127.0.0.1')`,
    '/docs/',
  )
}

/** Git's own server of repositories over HTTP, with one empty repository `work.git`. */
export function gitRepositories(packages: string): Promise<number> {
  const folder = newFolder()
  return fromNpm(
    packages,
    `const { spawn, spawnSync } = require('node:child_process')
spawnSync('git', ['init', '-q', '--bare', '-b', 'main', ${JSON.stringify(join(folder, 'work.git'))}])
spawnSync('git', ['-C', ${JSON.stringify(join(folder, 'work.git'))}, 'config', 'http.receivepack', 'true'])
require('node:http').createServer((request, response) => {
  const [path, query = ''] = request.url.split('?')
  const cgi = spawn('/usr/lib/git-core/git-http-backend', { env: { ...process.env, GIT_PROJECT_ROOT: ${JSON.stringify(folder)}, GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: path, QUERY_STRING: query, REQUEST_METHOD: request.method, CONTENT_TYPE: request.headers['content-type'] ?? '',
    CONTENT_LENGTH: request.headers['content-length'] ?? '', HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '', GIT_PROTOCOL: request.headers['git-protocol'] ?? '', REMOTE_ADDR: '127.0.0.1' } })
  request.pipe(cgi.stdin)
  const chunks = []
  cgi.stdout.on('data', (chunk) => chunks.push(chunk))
  cgi.on('close', () => {
    const all = Buffer.concat(chunks)
    const at = all.indexOf('\\r\\n\\r\\n')
    for (const line of all.subarray(0, Math.max(at, 0)).toString().split('\\r\\n')) {
      const [name, value] = line.split(': ')
      if (name === 'Status') response.statusCode = Number.parseInt(value)
      else if (value) response.setHeader(name, value)
    }
    response.end(all.subarray(at + 4))
  })
}).listen(port, '127.0.0.1')`,
  )
}

/** Radicale: calendars and address books (CalDAV, CardDAV). @returns its port */
export async function calendars(): Promise<number> {
  const port = await freePort()
  const folder = newFolder()
  const configuration = join(folder, 'radicale')
  writeFileSync(
    configuration,
    `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = none\n[storage]\nfilesystem_folder = ${join(folder, 'collections')}\n`,
  )
  await startApplication({
    command: '/usr/bin/radicale',
    argv: ['--config', configuration],
    environment: { HOME: folder },
    address: `http://127.0.0.1:${port}/.web/`,
  })
  return port
}

/** Whoever logs in to MediaWiki. */
export const wikiEditor = { name: 'Editor', password: 'correct horse battery' }

/** MediaWiki of Debian with a database of SQLite. The program that installs it wants a folder of its own for what it writes. */
export async function mediaWiki(): Promise<number> {
  const folder = newFolder()
  const site = join(folder, 'site')
  cpSync('/usr/share/mediawiki', site, {
    recursive: true,
    dereference: true,
    filter: (path) => !path.endsWith('LocalSettings.php'),
  })
  mkdirSync(join(folder, 'data'))
  const port = await freePort()
  const { spawnSync } = await import('node:child_process')
  const installed = spawnSync(
    '/usr/bin/php',
    [
      join(site, 'maintenance/install.php'),
      '--dbtype=sqlite',
      `--dbpath=${join(folder, 'data')}`,
      `--server=http://127.0.0.1:${port}`,
      '--scriptpath=',
      `--pass=${wikiEditor.password}`,
      '--with-extensions=false',
      'Wiki',
      wikiEditor.name,
    ],
    { encoding: 'utf8' },
  )
  if (installed.status !== 0)
    throw new Error(`MediaWiki was not installed: ${installed.stdout}${installed.stderr}`)
  writeFileSync(join(site, 'more.php'), '')
  await startApplication({
    command: '/usr/bin/php',
    argv: ['-S', `127.0.0.1:${port}`, '-t', site],
    environment: { PHP_CLI_SERVER_WORKERS: '4' },
    address: `http://127.0.0.1:${port}/index.php`,
  })
  return port
}

/** A registry of packages that has one, and takes what is published. */
export function packageRegistry(packages: string): Promise<number> {
  const integrity = createHash('sha512').update('').digest('base64')
  return fromNpm(
    packages,
    `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET' && request.url === '/small') response.end(JSON.stringify({ name: 'small', 'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { name: 'small', version: '1.0.0', dist: { integrity: 'sha512-${integrity}', tarball: 'http://127.0.0.1:' + port + '/small/-/small-1.0.0.tgz' } } } }))
    else if (request.method === 'GET' && request.url !== '/') { response.statusCode = 404; response.end('{}') }
    else response.end('{}')
  })
}).listen(port, '127.0.0.1')`,
  )
}
