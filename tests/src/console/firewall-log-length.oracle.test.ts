import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { owner } from '../support/console/owner.ts'
import { ConsoleVisitor } from '../support/console/visitor.ts'
import { cleanUp, newFolder, provisioned, Server } from '../support/programs/server.ts'

const entries = 100_000
const batch = 500

let server: Server
let browser: Browser
let visitor: ConsoleVisitor
before(async () => {
  server = await Server.start(newFolder(), { ...provisioned, administration: { operators: [owner] } })
  await fillLog()
  browser = await startConsoleBrowser()
  visitor = new ConsoleVisitor(browser, `https://127.0.0.1:${server.ports.services.https}`)
})
after(async () => {
  await browser?.close()
  await cleanUp()
})

/** Tells the server of entries as proxies do; those of a batch have the same time, as those of a busy moment have. */
async function fillLog(): Promise<void> {
  const key = readFileSync(join(server.dataDirectory, 'firewall-proxy.key'), 'utf8')
  const start = Date.now() - 3_600_000
  for (let first = 0; first < entries; first += batch) {
    const webFirewall = Array.from({ length: batch }, (_, index) => ({
      time: start + first,
      'request-id': `request-${first + index}`,
      'service-name': 'shop',
      rule: '942100',
      'rule-type': 'Core Rule Set',
      'rule-target': 'ARGS:q',
      action: 'LOG',
      attack: 'sql-injection-in-parameter',
      'client-ip': '192.0.2.7',
      method: 'GET',
      host: 'shop.example.org',
      url: `/page/${first + index}`,
    }))
    const reply = await fetch(`${server.firewall}/proxies/v1/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ access: [], webFirewall }),
    })
    assert.equal(reply.status, 204, await reply.text())
  }
}

/** Scrolls down by the height of the table, frame after frame. Runs in the page. @returns milliseconds between frames */
const scroll = `new Promise((resolve) => {
  const frame = document.querySelector('.long-table')
  const times = []
  let before = performance.now()
  const step = (now) => {
    times.push(now - before)
    before = now
    frame.scrollTop += frame.clientHeight / 4
    if (times.length < 240) requestAnimationFrame(step)
    else resolve(times.slice(1))
  }
  requestAnimationFrame(step)
})`

test('a log of 100,000 entries is scrolled through to its end, each entry once, and stays fluent', async (t) => {
  await visitor.visitAsOwner(async (page) => {
    await page.goto(`${visitor.address}/console/firewall/log`)
    const rows = page.locator('.long-table tbody tr:not(.space)')
    await rows.first().waitFor()
    assert.match((await rows.first().textContent()) ?? '', /\/page\/99999|\/page\/99500/)
    const status = page.getByRole('status')
    // The last page that has entries does not tell that it is the last: one more is asked for.
    while ((await status.textContent()) !== `${entries.toLocaleString('en')} entries`) {
      await page.evaluate(`(() => {
        const frame = document.querySelector('.long-table')
        frame.scrollTop = frame.scrollHeight
      })()`)
      await page.waitForTimeout(10)
    }
    await page.evaluate(`document.querySelector('.long-table').scrollTop = 1e9`)
    assert.equal(await page.getByRole('button', { name: /newer entr/ }).count(), 0, 'none has come since')
    const oldest = page.locator('.log-line', { hasText: /^GET \/page\/(?:0|499)$/ })
    await page.locator('.long-table tbody tr').filter({ has: oldest }).waitFor()
    assert.ok((await rows.count()) < 150, 'only what is in sight is in the page')
    await page.evaluate(`document.querySelector('.long-table').scrollTop = 500_000`)
    const times = (await page.evaluate<number[]>(scroll)).toSorted((one, other) => one - other)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
    t.diagnostic(`milliseconds between frames: median ${at(0.5).toFixed(1)}, 95 % ${at(0.95).toFixed(1)}`)
    // A machine that does other things too draws fewer frames; a table that draws all of its rows draws one in seconds.
    assert.ok(at(0.5) < 60, `half of the frames took more than ${at(0.5)} ms`)
  })
})
