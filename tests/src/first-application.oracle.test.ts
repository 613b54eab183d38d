import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './support/firewall/proxy.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'
import { assertShown, follow, passagesIn } from './support/repository/document-commands.ts'

after(cleanUp)

const document = 'docs/operating/first-application.md'
test('the commands of the document protect an application, and show what it says', async () => {
  const folder = newFolder()
  const api = await freePort()
  const server = new Program([
    ...['serve', '--data-directory', join(folder, 'data'), '--firewall-listen-http', `${api}`],
    ...['--firewall-listen-https', '0', '--services-listen-http', '0', '--services-listen-https', '0'],
  ])
  const [, password = ''] = await server.line(/firewall +username admin +password (\S+)/)
  await server.line(/"msg":"carrying traffic"/)

  // Not before the server has its own ports, which could be these.
  const ports = { 8000: api, 8081: await freePort(), 9000: await freePort() }
  const [start, ...others] = passagesIn(document, { ...ports, 'the password of admin': password })
  assert.equal(start?.commands, 'npm start\n')
  assertShown(`${server.output}\n`, start)
  await follow(others, {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    timeoutMs: 240_000,
  })
  assert.equal(await server.stop(), 0)
})
