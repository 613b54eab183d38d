import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Administration } from './support/programs/administration.ts'
import { cleanUp, Server } from './support/programs/server.ts'
import { InstalledLibrary } from './support/repository/installed-library.ts'
import { root } from './support/repository/root.ts'

describe('the package of the SDK', () => {
  const library = new InstalledLibrary('sdk')
  const { project, folder: installed } = library
  let environment: NodeJS.ProcessEnv

  before(async () => {
    library.install(['openapi-fetch', 'openapi-typescript-helpers'])

    const server = await Server.start()
    const administration = await Administration.connect(server)
    const reply = await administration.call('POST', '/operators/admin/tokens', {
      name: 'examples',
      grants: [{ role: 'owner' }],
      lifetimeDays: 1,
    })
    assert.equal(reply.status, 201)
    const { token } = (await reply.json()) as { token: string }
    environment = { ...process.env, PALISADE_SERVER: server.services, PALISADE_TOKEN: token }
  })
  after(async () => {
    await cleanUp()
    library.remove()
  })

  test('has a licence, types, and nothing that only this repository can use', () => {
    for (const file of ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts'])
      assert.ok(existsSync(join(installed, file)), file)
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.dependencies), ['openapi-fetch'])
    assert.ok(!('private' in manifest))
  })

  test('runs the examples of its README against a server, word for word, of which the compiler approves when it is strict', async () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, example = '']) => example)
    for (const [at, example] of examples.entries()) writeFileSync(join(project, `example-${at}.ts`), example)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(strictly))
    const checked = library.run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.')
    assert.equal(checked.status, 0, checked.stdout)
    const outputs: string[] = []
    for (const [at] of examples.entries()) outputs.push(await output(`example-${at}.ts`))
    const { version } = JSON.parse(readFileSync(join(root, 'programs', 'server', 'package.json'), 'utf8'))
    assert.deepEqual(outputs, [
      `${version}\n`,
      'There is no such operator.\nlimit\n',
      'example.org VERIFIED\n',
      'There is no such restore.\n',
      'Successfully created.\n',
    ])
  })

  test('is one file for browsers, without a module of Node', async () => {
    const { build } = await import('esbuild')
    const { outputFiles } = await build({
      stdin: {
        contents: `export { answer, createBackupClient, eachItem, operatorSession, waitForTask } from '@palisade/sdk'`,
        resolveDir: project,
      },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      minify: true,
      write: false,
    })
    const code = outputFiles[0]?.text ?? ''
    assert.doesNotMatch(code, /"node:|\bBuffer\b/)
    assert.ok(code.length < 20_000, `${code.length} characters`)
  })

  /** What an example prints. The server runs in a process of its own, and this one has to read its log meanwhile. */
  async function output(file: string): Promise<string> {
    const child = spawn(process.execPath, [file], {
      cwd: project,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    const [status] = await once(child, 'close')
    assert.equal(status, 0, file)
    return text
  }
})

const strictly = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  },
  include: ['*.ts'],
}
