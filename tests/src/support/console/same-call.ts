import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { newFolder } from '../programs/server.ts'
import { owner } from './owner.ts'

/** The longest answers are documents of whole APIs. */
const answerBytesMax = 64 * 1024 * 1024

/**
 * Fails when a page does not show a command and a call that give the same, or the call, run by a shell, is refused.
 *
 * @param apiToken of an operator who may read what the page shows
 */
export async function expectSameCall(page: Page, apiToken: string): Promise<void> {
  const [palisade, curl] = await page.locator('details.same-call code').allTextContents()
  assert.match(palisade ?? '', /^palisade \w/, page.url())
  assert.match(curl ?? '', /curl /, page.url())
  const env = { ...process.env, CURL_HOME: curlHome(), PALISADE_TOKEN: apiToken }
  await promisify(execFile)('/bin/sh', ['-c', curl ?? ''], { env, maxBuffer: answerBytesMax })
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
