import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import {
  application,
  cleanUpApplications,
  Management,
  oneWorker,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const run = promisify(execFile)

const address = '/items?name=lamp%203'
const password = 's3cret-of-ada'

let unprotected: number
let behind: number
let management: Management
before(async () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table item (name text, price real); create table account (name text, password text)')
  for (let number = 0; number < 20; number++) {
    database.prepare('insert into item values (?, ?)').run(`lamp ${number}`, number)
  }
  database.prepare('insert into account values (?, ?)').run('ada', password)
  unprotected = await application((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://shop.example')
    try {
      const rows = database.prepare(`select * from item where name = '${searchParams.get('name')}'`).all()
      response.setHeader('content-type', 'application/json').end(JSON.stringify(rows))
    } catch {
      response.writeHead(500).end()
    }
  })
  const server = await Server.start()
  await ProxyProcess.start(server, undefined, oneWorker)
  management = await Management.connect(server)
  behind = await management.protect('shop', unprotected)
  await management.call('PUT', 'services/shop/basic-security', {
    mode: 'Active',
    'web-firewall-policy': 'default',
  })
  await management.untilHealth('services/shop', 'Up')
})
after(async () => {
  cleanUpApplications()
  await cleanUp()
})

/** What sqlmap prints about the application at a port, and of its tables where it gets at them. */
async function sqlmap(port: number, ...more: string[]): Promise<string> {
  const folder = newFolder()
  const options = ['--batch', '--disable-coloring', '--skip-waf', '--dbms', 'sqlite', '--technique', 'BU']
  const args = ['-u', `http://127.0.0.1:${port}${address}`, '-T', 'account', '--dump', ...options, ...more]
  const { stdout } = await run('sqlmap', [...args, '--output-dir', folder], {
    env: { ...process.env, HOME: folder },
    maxBuffer: 10 * 1024 * 1024,
  })
  return stdout
}

test('sqlmap reads the passwords of an application that nobody protects', async () => {
  const told = await sqlmap(unprotected)
  assert.match(told, /Type: UNION query/)
  assert.ok(told.includes(password))
})

for (const [how, more] of [
  ['as it comes', ['--random-agent', '--level', '3']],
  ['disguised', ['--random-agent', '--tamper', 'space2comment,randomcase,between', '--level', '3']],
] as const) {
  test(`sqlmap ${how} finds nothing behind the default policy`, async () => {
    assert.deepEqual(await (await fetch(`http://127.0.0.1:${behind}${address}`)).json(), [
      { name: 'lamp 3', price: 3 },
    ])
    const told = await sqlmap(behind, ...more)
    assert.match(told, /all tested parameters do not appear to be injectable/)
    assert.match(told, /403 \(Forbidden\) - \d{2,} times/)
    assert.ok(!told.includes(password))
    await management.entries('web-firewall-logs', ({ attack = '' }) => attack.startsWith('sql-injection'))
  })
}
