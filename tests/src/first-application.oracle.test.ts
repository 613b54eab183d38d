import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp } from './support/clean-up.ts'
import { assertShown, follow, passagesIn } from './support/document-commands.ts'
import { Program } from './support/program.ts'
import { freePort } from './support/proxy.ts'
import { newFolder } from './support/server.ts'

after(cleanUp)

const document = 'docs/operating/first-application.md'
const ports = { 8000: 'firewall-listen-http', 8081: undefined, 9000: undefined }

test('the commands of the document protect an application, and show what it says', async () => {
  const folder = newFolder()
  const free = await Promise.all(Object.keys(ports).map(async (port) => [port, await freePort()] as const))
  const replacements = Object.fromEntries(free)
  const server = new Program([
    ...['serve', '--data-directory', join(folder, 'data'), '--firewall-listen-http', `${replacements[8000]}`],
    ...['--firewall-listen-https', '0', '--services-listen-http', '0', '--services-listen-https', '0'],
  ])
  const [, password = ''] = await server.line(/firewall +username admin +password (\S+)/)
  await server.line(/"msg":"carrying traffic"/)

  const [start, ...others] = passagesIn(document, { ...replacements, 'the password of admin': password })
  assert.equal(start?.commands, 'npm start\n')
  assertShown(`${server.output}\n`, start)
  await follow(others, {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    timeoutMs: 240_000,
  })
  assert.equal(await server.stop(), 0)
})
