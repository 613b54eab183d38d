import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './support/firewall/proxy.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'
import { runInShell } from './support/programs/shell.ts'

after(cleanUp)

const ports = [
  'firewall-listen-http',
  'firewall-listen-https',
  'services-listen-http',
  'services-listen-https',
]

test('the first steps that a first start prints end with an application that is protected', async () => {
  const data = join(newFolder(), 'data')
  const server = new Program([
    'serve',
    '--data-directory',
    data,
    ...ports.flatMap((port) => [`--${port}`, '0']),
  ])
  const [, password = ''] = await server.line(/firewall +username admin +password (\S+)/)
  await server.line(/npm run tour/)
  await server.line(/"msg":"carrying traffic"/)
  const [, commands = ''] =
    /(\n {2}# an application[\s\S]*?)\n {2}# an access token/.exec(server.output) ?? []
  const [service, application] = [await freePort(), await freePort()]
  const script = commands
    .replaceAll('8081', String(service))
    .replaceAll('9000', String(application))
    .replaceAll('…', password)

  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const { status, stdout: output } = await runInShell(script, { env, timeoutMs: 60_000 })
  assert.equal(status, 0, output)
  const calls = output.match(/"msg":"(?:Successfully created|Configuration updated)/g)
  assert.equal(calls?.length, 3, output)
  assert.doesNotMatch(output, /"warning"/)
  assert.match(output, /HTTP\/1\.1 200 OK[\s\S]*Hello\n[\s\S]*HTTP\/1\.1 403 Forbidden[\s\S]*SQL Injection/)
  assert.equal(await server.stop(), 0)
})
