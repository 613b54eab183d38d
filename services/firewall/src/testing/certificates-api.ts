import assert from 'node:assert/strict'
import type { ReceivedReply } from '@palisade/platform/testing'
import type { Client } from './client.ts'

/** Creates an object and expects that it works. */
export async function create({ call }: Client, path: string, body: object): Promise<ReceivedReply> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply
}

/** The members that an object shows. */
export async function membersOf(
  { get }: Client,
  path: string,
  name: string,
): Promise<Record<string, string>> {
  const { status, json, text } = await get(`${path}/${encodeURIComponent(name)}`)
  assert.equal(status, 200, text)
  return json.data[name]
}

/** Expects that a request is refused for the sake of one member, and that the reply repeats no secret. */
export function refusedFor(member: string, { status, json, text }: ReceivedReply, words = /./): void {
  assert.equal(status, 406, text)
  assert.match(json.msg, new RegExp(`The member ${member}[: ]`))
  assert.match(json.msg, words)
  assert.doesNotMatch(text, /PRIVATE KEY-----[\\n]*MI/)
}

/** Downloads a file of a certificate. */
export function download(
  { call }: Client,
  path: string,
  type: string,
  password?: string,
): Promise<ReceivedReply> {
  return call('PUT', `${path}?operation=download`, {
    'download-type': type,
    ...(password === undefined ? {} : { 'encrypt-password': password }),
  })
}
