import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { ownEnvironment, palisade } from '../programs/program.ts'
import { newFolder } from '../programs/server.ts'
import { owner } from './owner.ts'

/** The longest answers are documents of whole APIs. */
const answerBytesMax = 64 * 1024 * 1024

/** A machine with much else to do takes so long for a command. */
const commandMsMax = 120_000

/** What a line begins with that does what its page is there for, rather than show something. */
const changes = /^palisade backup (restore|sets create) /

/** How a shell runs the command that was built. */
const asFunction = `'${process.execPath}' '${palisade}'`

/**
 * Fails when a page does not show a command and a call that give the same, or one of them, run by a shell, fails or prints nothing.
 *
 * @param apiToken of an operator who may read what the page shows
 */
export async function expectSameCall(page: Page, apiToken: string): Promise<void> {
  const [command, curl] = await page.locator('details.same-call code').allTextContents()
  assert.match(command ?? '', /^palisade \w/, page.url())
  assert.match(curl ?? '', /curl /, page.url())
  const run = async (line: string) =>
    assert.notEqual(await runInShell(page, apiToken, line), '', `${line} prints nothing`)
  await Promise.all([
    run(curl ?? ''),
    ...(changes.test(command ?? '') ? [] : [run(`palisade() { ${asFunction} "$@"; }; ${command}`)]),
  ])
}

/**
 * Runs a line that a page shows, as a shell does. @throws Error when it fails
 *
 * @returns what it has printed, without blanks around it
 */
export async function runInShell(page: Page, apiToken: string, line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line], {
    env: {
      ...ownEnvironment(),
      CURL_HOME: curlHome(),
      PALISADE_TOKEN: apiToken,
      PALISADE_SERVER: new URL(page.url()).origin,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
    maxBuffer: answerBytesMax,
    timeout: commandMsMax,
  })
  return stdout.trim()
}

/** Makes an API token of the owner, who is signed in on a page. */
export async function createApiToken(page: Page): Promise<string> {
  const administration = `${new URL(page.url()).origin}/admin/v1`
  const { csrfToken } = await (await page.request.get(`${administration}/session`)).json()
  const made = await page.request.post(`${administration}/operators/${owner.username}/tokens`, {
    headers: { 'x-csrf-token': csrfToken },
    data: { name: 'shell', grants: owner.grants, lifetimeDays: 1 },
  })
  assert.equal(made.status(), 201, await made.text())
  return (await made.json()).token
}

/** A folder with curl's configuration: it believes the certificate of a test, and fails when it is refused. */
function curlHome(): string {
  const folder = newFolder()
  writeFileSync(join(folder, '.curlrc'), 'insecure\nsilent\nshow-error\nfail-with-body\nmax-time = 60\n')
  return folder
}
