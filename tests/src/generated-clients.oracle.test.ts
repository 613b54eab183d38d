import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

const run = promisify(execFile)
const services = ['awareness', 'backup', 'email', 'firewall']

/** What makes a client of an OpenAPI document: its program, which is given the document and where the client is to lie. */
const generators = {
  'openapi-fetch': (document: string, target: string) => [
    join(root, 'tools/contract/node_modules/openapi-typescript/bin/cli.js'),
    ...[document, '-o', target],
  ],
  oazapfts: (document: string, target: string) => [
    join(root, 'node_modules/oazapfts/dist/cli.js'),
    ...[document, target],
  ],
}

/** As the servers of these tests are provisioned. */
const secrets = {
  administrator: { username: 'admin', password: 'correct horse' },
  trainer: { bof_ticket_user: 'api@example.org', bof_ticket_pw: 'battery staple', api_key: 'KEY-1' },
  backup: { client_id: 'automation', client_secret: 'backup secret' },
  email: { client_id: 'automation', client_secret: 'email secret' },
  account: '5584599',
}

/** What each client is told: behind a login a page, a change where there is one, and a refusal. */
const expected = {
  firewall: { changed: 'Successfully created.', listed: ['fetched'], refused: [404, 'not-found'] },
  awareness: { listed: ['Spring'], refused: [404, 'NotFound'] },
  email: { changed: true, listed: ['example.org'], refused: [404, 'Not Found'] },
  backup: { changed: 201, listed: ['files01'], refused: [404, ['There is no such computer.']] },
}

for (const [name, generator] of Object.entries(generators)) {
  test(`what ${name} makes of the documents fits its callers, and calls all four services`, async () => {
    const server = await Server.start()
    try {
      const program = await generate(server, name, generator)
      await checkTypes(dirname(program))
      const given = JSON.stringify({ firewall: server.firewall, services: server.services, secrets })
      const { stdout } = await run(process.execPath, [program, given])
      assert.deepEqual(JSON.parse(stdout), expected)
    } finally {
      await server.remove()
    }
  })
}

/** Makes a client of each document that the server serves, beside the program that uses them. @returns the program */
async function generate(
  server: Server,
  name: string,
  generator: (document: string, target: string) => string[],
): Promise<string> {
  const folder = newFolder()
  mkdirSync(join(folder, 'clients'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['clients'] }))
  for (const service of services) {
    const document = join(folder, `${service}.json`)
    writeFileSync(document, await (await fetch(`${server.services}/openapi/${service}.json`)).text())
    await run(process.execPath, generator(document, join(folder, 'clients', `${service}.ts`)))
  }
  const program = join(folder, 'clients', 'program.ts')
  copyFileSync(join(root, 'tests/client-programs', `${name}.ts`), program)
  return program
}

const compilerOptions = {
  noEmit: true,
  strict: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  module: 'nodenext',
  target: 'es2024',
  types: ['node'],
}

async function checkTypes(folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', dirname(folder)]).catch(({ stdout }: { stdout: string }) =>
    assert.fail(stdout),
  )
}
