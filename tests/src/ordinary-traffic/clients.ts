import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/programs/server.ts'

/** Runs a client to its end, whatever comes of it. @returns what it printed */
export async function run(
  command: string,
  argv: readonly string[],
  more: {
    readonly cwd?: string
    readonly input?: string
    readonly environment?: Readonly<Record<string, string>>
  } = {},
): Promise<string> {
  const { cwd = newFolder(), input = '', environment = {} } = more
  const child = spawn(command, argv, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...environment },
    timeout: 60_000,
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  await once(child, 'close')
  return output
}

/** Runs curl, for twenty seconds at most. @returns what it prints */
export const curl = (...argv: string[]): Promise<string> =>
  run('/usr/bin/curl', ['-s', '--max-time', '20', ...argv])

/** Files that people keep: texts, a script, a picture, and one of some size. */
export function documents(): string {
  const folder = newFolder()
  mkdirSync(join(folder, 'Notes & plans'))
  writeFileSync(join(folder, 'read me.txt'), 'Select the files from the list, and drop what is old.\n')
  writeFileSync(
    join(folder, 'Notes & plans', 'été 2025 (50 %).md'),
    '# Été\n\n* `rm -rf build` before `npm ci`\n',
  )
  writeFileSync(
    join(folder, 'backup.sh'),
    '#!/bin/sh\nset -e\ntar czf "/backup/$(date +%F).tgz" /etc /home\n',
  )
  writeFileSync(
    join(folder, 'page.html'),
    '<!doctype html><script>document.title = location.pathname</script>',
  )
  writeFileSync(join(folder, 'table.csv'), 'id;name\n1;"O\'Neill"\n2;"Smith -- Sons"\n')
  writeFileSync(
    join(folder, 'picture.gif'),
    Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  )
  writeFileSync(
    join(folder, 'numbers.bin'),
    Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 256)),
  )
  return folder
}

/** What Python's own client does with a JSON API. */
export const pythonCalls = `
import json, sys, urllib.request, urllib.parse
root = sys.argv[1]
def call(method, path, body=None, headers={}):
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(root + path, data=data, method=method, headers=headers)
    try:
        urllib.request.urlopen(request).read()
    except Exception as error:
        print(error)
call('GET', '/posts?' + urllib.parse.urlencode({'q': "O'Reilly & Sons", '_sort': 'title', '_order': 'desc'}))
call('POST', '/posts', {'title': 'From Python', 'tags': ['a', 'b'], 'text': 'x' * 3000}, {'Content-Type': 'application/json'})
call('PUT', '/posts/1', {'title': 'Changed', 'path': 'C:\\\\Users\\\\ann\\\\file.txt'}, {'Content-Type': 'application/json; charset=utf-8'})
call('PATCH', '/posts/1', {'author': {'name': 'Ann', 'mail': 'ann@example.org'}}, {'Content-Type': 'application/merge-patch+json'})
call('POST', '/posts', urllib.parse.urlencode({'title': 'A form', 'price': '12.50', 'note': '50% off; see terms'}).encode())
call('DELETE', '/posts/2')
`
