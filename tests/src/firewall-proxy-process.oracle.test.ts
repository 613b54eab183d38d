import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp } from './support/clean-up.ts'
import { application, cleanUpApplications, Management } from './support/proxy.ts'
import { newFolder, provisioned, Server } from './support/server.ts'

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

test('a server that is asked to carries the traffic itself, again after its proxy was killed, and ends with it', async () => {
  const behind = await application((_, response) => response.end('served'))
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, runProxy: true },
  })
  // A loaded machine takes its time to start two more processes.
  await server.program.line(/"msg":"carrying traffic"/)
  const management = await Management.connect(server)
  const port = await management.protect('shop', behind)
  await management.untilFares('services/shop', 'Up')
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)

  const [, pid] = await server.program.line(/"pid":(\d+),.*"msg":"carrying traffic"/)
  process.kill(Number(pid), 'SIGKILL')
  const killedAt = performance.now()
  let reply: Response | undefined
  while (reply === undefined && performance.now() - killedAt < 60_000) {
    reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
  }
  assert.equal(reply?.status, 200)

  assert.equal(await server.program.stop(), 0)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
})

test('the proxy of a server goes by the rules of the folder that the configuration names', async () => {
  const ruleFolder = newFolder()
  const rule = 'SecRule ARGS "@streq forbidden" "id:1000,phase:2,deny,status:403"'
  writeFileSync(join(ruleFolder, 'own.conf'), rule)
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, runProxy: true, ruleFolder },
  })
  await server.program.line(/"msg":"carrying traffic"/)
  const management = await Management.connect(server)
  const port = await management.protect('shop', await application((_, response) => response.end('served')))
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
  await management.untilFares('services/shop', 'Up')
  const statusOf = async (word: string) => (await fetch(`http://127.0.0.1:${port}/?word=${word}`)).status
  assert.equal(await statusOf('welcome'), 200)
  assert.equal(await statusOf('forbidden'), 403)
  // An attack for the Core Rule Set, which is not in this folder.
  assert.equal(await statusOf('1%27%20or%201%3D1--%20'), 200)
})
